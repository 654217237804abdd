"""Nobody gets more than their share: who asks for it learns when to come back.

How requests are counted, and which address counts, is shown by `tests/unit/api/`.
"""

import re

import pytest

from service.api.rate_limits import RateLimits
from service.api.services import services_of
from service.config import DEFAULT_LIMITS
from tests.http.kit import InMemoryService, dump, known
from tests.http.test_http import PATHS, at, body_of, methods
from tests.support.api import Player

HEALTH = ("/livez", "/readyz")
ADDRESS, OTHER_ADDRESS = "203.0.113.5", "192.0.2.1"
NOW = 1_700_000_097.5
"""Two and a half seconds before a minute is over."""


def limited(proxies=1, **limits):
    """A service behind a proxy, with these limits and no others, at a minute that does not end."""
    service = InMemoryService(limits=limits, proxies=proxies)
    services_of(service.app).limits = RateLimits(limits, lambda: NOW)
    return service


def shares(answer):
    """What the headers say of each limit: the quota, and what is left."""
    policy, limit = answer.headers["RateLimit-Policy"], answer.headers["RateLimit"]
    quotas = dict(re.findall(r'"([a-z-]+)";q=(\d+);w=60', policy))
    left = dict(re.findall(r'"([a-z-]+)";r=(\d+);t=\d+', limit))
    assert set(quotas) == set(left)
    return {name: (int(quotas[name]), int(left[name])) for name in quotas}


def statuses(api, path, addresses):
    return [api.get(path, X_Forwarded_For=address).status for address in addresses]


OPERATIONS = [(method, path) for path in PATHS for method in methods(path) if path not in HEALTH]


@pytest.fixture(scope="module")
def strict():
    """A service that grants one request a minute of each kind."""
    return limited(**dict.fromkeys(DEFAULT_LIMITS, 1))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_is_limited_and_changes_nothing_when_it_is_refused(strict, method, path):
    address = f"198.51.{OPERATIONS.index((method, path))}.1"
    body = body_of(path) if method == "post" else None
    strict.api.request(method.upper(), at(path), body, X_Forwarded_For=address)
    before = dump(strict.fake)
    answer = strict.api.request(method.upper(), at(path), body, X_Forwarded_For=address)
    assert known(answer) == (429, "too-many-requests")
    assert answer.headers["Retry-After"] == "3"
    assert shares(answer)[answer.json["policy"]] == (1, 0)
    assert dump(strict.fake) == before


@pytest.mark.parametrize("path", HEALTH)
def test_the_health_of_the_service_can_always_be_asked(strict, path):
    for _ in range(5):
        answer = strict.api.get(path)
        assert answer.status == 200
        assert "RateLimit" not in answer.headers


def test_every_answer_good_or_bad_says_what_is_left():
    api = limited(moves=10, **{"game-moves": 5}, reads=10, creation=3).api
    player = api.new_game("astrocyte", 1)
    answers = [
        player.play("t1c1", X_Forwarded_For=ADDRESS),
        player.play("t1t1", X_Forwarded_For=ADDRESS),
        player.post("moves", {}, X_Forwarded_For=ADDRESS),
    ]
    assert [answer.status for answer in answers] == [200, 409, 422]
    assert [shares(answer) for answer in answers] == [
        {"moves": (10, left), "game-moves": (5, left - 5)} for left in (9, 8, 7)
    ]
    assert shares(api.get(player.path)) == {"reads": (10, 9)}


def test_a_token_has_a_limit_of_its_own_wherever_its_holder_asks_from():
    api = limited(**{"game-moves": 2}).api
    one, other = (api.new_game("astrocyte", 1) for _ in range(2))
    for guess in range(5):
        one.play("t1t1", Authorization=f"Bearer guess-{guess}")
    for address in (ADDRESS, OTHER_ADDRESS):
        assert one.play(one.game["legal_moves"][0], X_Forwarded_For=address).status == 200
    refused = one.play(one.game["legal_moves"][0], X_Forwarded_For="192.0.2.3")
    assert (refused.status, refused.json["policy"]) == (429, "game-moves")
    assert other.play(other.game["legal_moves"][0], X_Forwarded_For=ADDRESS).status == 200


@pytest.mark.parametrize("id", ["a" * 26, "A" * 26, "x", "%00"])
def test_guesses_at_ids_count_for_whoever_guesses(id):
    api = limited(reads=3).api
    asked = [ADDRESS] * 4 + [OTHER_ADDRESS]
    assert statuses(api, f"/v1/games/{id}", asked) == [404, 404, 404, 429, 404]


def test_guesses_at_tokens_count_for_whoever_guesses():
    api = limited(moves=3).api
    player = api.new_game("astrocyte", 1)
    guesses = [
        Player(api, player.game, f"guess-{n}").play("t1c1", X_Forwarded_For=ADDRESS).status
        for n in range(4)
    ]
    assert guesses == [403, 403, 403, 429]
    assert player.play("t1c1", X_Forwarded_For=OTHER_ADDRESS).status == 200


@pytest.mark.parametrize(
    ("proxies", "addresses", "expected"),
    [
        (1, [f"1.1.1.{n}, 203.0.113.5" for n in range(2)], [200, 429]),
        (0, ["192.0.2.1", "192.0.2.2"], [200, 429]),
        (1, [f"203.0.113.{n}:51234" for n in (1, 2, 1)], [200, 200, 429]),
        (1, ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"], [200, 429, 200]),
    ],
    ids=["a claim of the client", "no proxies", "ports", "subscribers of IPv6"],
)
def test_a_share_belongs_to_an_address_that_a_proxy_vouches_for(proxies, addresses, expected):
    assert statuses(limited(proxies, reads=1).api, "/v1/variants", addresses) == expected


def test_watchers_are_counted_by_the_same_addresses():
    api = limited(streams=2).api
    path = f"{api.new_game('astrocyte', 1).path}/events?wait=0"
    assert statuses(api, path, [ADDRESS] * 3 + [OTHER_ADDRESS]) == [200, 200, 429, 200]


def test_a_limit_of_one_kind_leaves_the_others_alone():
    api = limited(creation=1, reads=5).api
    player = api.new_game("astrocyte", 1)
    refused = api.post("/v1/games", {"variant": "astrocyte"})
    assert known(refused) == (429, "too-many-requests")
    assert player.read().status == 200
    assert player.play(player.game["legal_moves"][0]).status == 200


def test_where_limits_are_off_no_answer_has_their_headers():
    api = limited().api
    for _ in range(5):
        answer = api.get("/v1/variants")
        assert answer.status == 200
        assert not {"RateLimit", "RateLimit-Policy"} & set(answer.headers)


def test_a_preflight_does_not_count():
    api = limited(reads=1).api
    assert [api.request("OPTIONS", "/v1/variants").status for _ in range(5)] == [204] * 5
