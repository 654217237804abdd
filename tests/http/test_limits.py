"""Nobody gets more than their share: who asks for it is told when to come back."""

import re

import pytest

from service.api.rate_limits import RateLimits
from service.api.services import services_of
from service.config import DEFAULT_LIMITS
from tests.conftest import CONTRACT
from tests.contract.contract import document
from tests.http.kit import World, dump, known
from tests.http.test_http import at, bodies, methods
from tests.support.api import Player

PATHS = list(document()["paths"])
HEALTH = ("/livez", "/readyz")
ADDRESS = "203.0.113.5"
NOW = 1_700_000_097.5
"""Two and a half seconds before a minute is over."""


def world_of(contract, proxies=1, **limits):
    """A service behind a proxy, with these limits and no others, at a minute that does not end."""
    world = World(contract, limits=limits, proxies=proxies)
    services_of(world.app).limits = RateLimits(limits, lambda: NOW)
    return world


def ask(api, method, path, player=None, address=ADDRESS, body=None):
    headers = {"Authorization": f"Bearer {player.token}"} if player else {}
    if body is None and method == "post":
        body = bodies(path)
    place = at(path, player and player.game["id"])
    return api.request(method.upper(), place, body, X_Forwarded_For=address, **headers)


def told(answer):
    """What the headers say of each limit: the quota, and what is left."""
    policy, limit = answer.headers["RateLimit-Policy"], answer.headers["RateLimit"]
    quotas = dict(re.findall(r'"([a-z-]+)";q=(\d+);w=60', policy))
    left = dict(re.findall(r'"([a-z-]+)";r=(\d+);t=\d+', limit))
    assert set(quotas) == set(left)
    return {name: (int(quotas[name]), int(left[name])) for name in quotas}


OPERATIONS = [(method, path) for path in PATHS for method in methods(path) if path not in HEALTH]


@pytest.fixture(scope="module")
def strict():
    """A service that grants one request a minute of each kind."""
    return world_of(CONTRACT, **dict.fromkeys(DEFAULT_LIMITS, 1))


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_operation_is_limited_and_changes_nothing_when_it_is_refused(strict, method, path):
    address = f"198.51.{OPERATIONS.index((method, path))}.1"
    ask(strict.api, method, path, address=address)
    before = dump(strict.fake)
    answer = ask(strict.api, method, path, address=address)
    assert known(answer) == (429, "too-many-requests")
    assert answer.headers["Retry-After"] == "3"
    assert told(answer)[answer.json["policy"]] == (1, 0)
    assert dump(strict.fake) == before


@pytest.mark.parametrize("path", HEALTH)
def test_the_health_of_the_service_can_always_be_asked(strict, path):
    for _ in range(5):
        answer = strict.api.get(path)
        assert answer.status == 200
        assert "RateLimit" not in answer.headers


def test_what_is_left_is_told_on_every_answer_good_or_bad(contract):
    api = world_of(contract, moves=10, **{"game-moves": 5}, reads=10, creation=3).api
    player = api.new_game("astrocyte", 1)
    legal = player.game["legal_moves"]
    answers = [
        player.play(legal[0], X_Forwarded_For=ADDRESS),
        player.play("t1t1", X_Forwarded_For=ADDRESS),
        player.post("moves", {}, X_Forwarded_For=ADDRESS),
    ]
    assert [answer.status for answer in answers] == [200, 409, 422]
    assert [told(answer) for answer in answers] == [
        {"moves": (10, left), "game-moves": (5, left - 5)} for left in (9, 8, 7)
    ]
    assert told(api.get(player.path)) == {"reads": (10, 9)}


def test_a_token_has_a_limit_of_its_own_wherever_its_holder_asks_from(contract):
    world = world_of(contract, **{"game-moves": 2})
    one, other = (world.api.new_game("astrocyte", 1) for _ in range(2))
    for address in ("192.0.2.1", "192.0.2.2"):
        assert one.play(one.game["legal_moves"][0], X_Forwarded_For=address).status == 200
    refused = one.play(one.game["legal_moves"][0], X_Forwarded_For="192.0.2.3")
    assert (refused.status, refused.json["policy"]) == (429, "game-moves")
    assert other.play(other.game["legal_moves"][0], X_Forwarded_For="192.0.2.1").status == 200


def test_a_stranger_cannot_use_up_the_limit_of_a_player(contract):
    world = world_of(contract, **{"game-moves": 2})
    player = world.api.new_game("astrocyte", 1)
    for _ in range(5):
        player.play("t1t1", Authorization="Bearer a-guess")
    assert player.play(player.game["legal_moves"][0]).status == 200


@pytest.mark.parametrize("where", ["a" * 26, "A" * 26, "x", "%00"])
def test_guesses_at_ids_count_for_whoever_guesses(contract, where):
    api = world_of(contract, reads=3).api
    answers = [api.get(f"/v1/games/{where}", X_Forwarded_For=ADDRESS) for _ in range(4)]
    assert [answer.status for answer in answers] == [404, 404, 404, 429]
    assert api.get(f"/v1/games/{where}", X_Forwarded_For="192.0.2.1").status == 404


def test_guesses_at_tokens_count_for_whoever_guesses(contract):
    world = world_of(contract, moves=3)
    player = world.api.new_game("astrocyte", 1)
    guesses = [
        Player(world.api, player.game, f"guess-{n}").play("t1c1", X_Forwarded_For=ADDRESS).status
        for n in range(4)
    ]
    assert guesses == [403, 403, 403, 429]
    assert player.play(player.game["legal_moves"][0], X_Forwarded_For="192.0.2.1").status == 200


@pytest.mark.parametrize("claimed", ["1.1.1.{}, 203.0.113.5", "x{}, 203.0.113.5"])
def test_a_header_of_one_s_own_making_helps_nobody(contract, claimed):
    api = world_of(contract, reads=2).api
    answers = [api.get("/v1/variants", X_Forwarded_For=claimed.format(n)) for n in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]


def test_without_proxies_the_header_is_not_looked_at(contract):
    api = world_of(contract, proxies=0, reads=2).api
    answers = [api.get("/v1/variants", X_Forwarded_For=f"192.0.2.{n}") for n in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]


@pytest.mark.parametrize("form", ["203.0.113.{}:51234", "[2001:db8:0:{}::1]:443"])
def test_clients_whose_proxy_writes_ports_have_a_share_each(contract, form):
    api = world_of(contract, reads=1).api
    answers = [api.get("/v1/variants", X_Forwarded_For=form.format(n)) for n in (1, 2, 3, 1)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]


def test_a_subscriber_of_ipv6_has_one_share_whatever_the_address(contract):
    api = world_of(contract, reads=2).api
    answers = [api.get("/v1/variants", X_Forwarded_For=f"2001:db8::{n}") for n in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 429]
    assert api.get("/v1/variants", X_Forwarded_For="2001:db8:0:1::1").status == 200


def test_watchers_are_counted_by_the_same_addresses(contract):
    world = world_of(contract, streams=2)
    player = world.api.new_game("astrocyte", 1)
    statuses = [
        world.api.get(f"{player.path}/events?wait=0", X_Forwarded_For=address).status
        for address in (ADDRESS, ADDRESS, ADDRESS, "192.0.2.1")
    ]
    assert statuses == [200, 200, 429, 200]


def test_a_limit_of_one_kind_leaves_the_others_alone(contract):
    world = world_of(contract, creation=1, reads=5)
    player = world.api.new_game("astrocyte", 1)
    assert known(world.api.post("/v1/games", {"variant": "astrocyte"})) == (
        429,
        "too-many-requests",
    )
    assert player.read().status == 200
    assert player.play(player.game["legal_moves"][0]).status == 200


def test_where_limits_are_off_no_answer_speaks_of_them(contract):
    api = world_of(contract).api
    for _ in range(5):
        answer = api.get("/v1/variants")
        assert answer.status == 200
        assert not {"RateLimit", "RateLimit-Policy"} & set(answer.headers)


def test_a_preflight_counts_for_nothing(contract):
    api = world_of(contract, reads=1).api
    for _ in range(5):
        assert api.request("OPTIONS", "/v1/variants").status == 204
