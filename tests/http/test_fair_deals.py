"""A deal that neither side has chosen: the service commits itself, the player brings a seed."""

import hashlib
import hmac
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api.services import services_of
from service.deals.commitment import LIFETIME
from service.games import VARIANTS
from tests.http.kit import KEY, OTHER_KEY, known, nothing_changes
from tests.http.test_reveal import canonical, revealed
from tests.support import reading
from tests.support.api import Player

SEED, OTHER_SEED = "0f" * 16, "f0" * 64
every_variant = pytest.mark.parametrize("variant", VARIANTS)


@pytest.fixture
def promise(api):
    """A commitment that waits for its game."""
    answer = api.post("/v1/commitments")
    assert answer.status == 201
    return answer.json


def create(api, promise, seed=SEED, variant="astrocyte", *, label=None, **headers):
    deal = {"commitment_id": promise["commitment_id"], "player_seed": seed}
    return api.post("/v1/games", {"variant": variant, "deal": deal, "label": label}, **headers)


def expire(fake, promise):
    """Lets the time of a commitment run out."""
    assert fake.execute_command("PEXPIRE", f"ast:{{{promise['commitment_id']}}}:commitment", 0)


# The two steps


@every_variant
def test_the_deal_follows_from_the_seed_committed_to_and_the_one_brought(api, promise, variant):
    made = create(api, promise, variant=variant)
    player = Player(api, made.json["game"], made.json["play_token"])
    player.resign()
    told = revealed(player)
    key = bytes.fromhex(told["server_seed"])
    assert hashlib.sha256(b"asterism-deal/1|" + key).hexdigest() == promise["commitment"]
    assert told["player_seed"] == SEED
    seed = hmac.new(key, bytes.fromhex(SEED), hashlib.sha256).digest()
    assert told["seed"] == seed.hex()
    assert told["pack"] == reading.shuffle(canonical(variant), seed)[0]


@every_variant
def test_the_game_shows_the_commitment_that_was_made_before_it(api, promise, variant):
    game = create(api, promise, variant=variant).json["game"]
    assert game["deal"] == {
        "id": f"{variant}-sealed-{promise['commitment'][:16]}",
        "fairness": "sealed",
        "number": None,
        "commitment": promise["commitment"],
    }
    assert game["id"] == promise["commitment_id"]


def test_another_seed_of_the_player_gives_another_table(api, monkeypatch):
    monkeypatch.setattr("service.play.keys.new_seed", lambda: b"\x05" * 32)
    promises = [api.post("/v1/commitments").json for _ in range(3)]
    assert len({promise["commitment"] for promise in promises}) == 1
    seeds = (SEED, SEED, OTHER_SEED)
    one, same, other = (
        create(api, promise, seed).json["game"]["piles"]
        for promise, seed in zip(promises, seeds, strict=True)
    )
    assert one == same != other


def test_the_game_is_played_like_any_other(api, promise):
    made = create(api, promise)
    player = Player(api, made.json["game"], made.json["play_token"])
    assert player.play("deal").status == 200
    assert player.undo().status == 200
    assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")
    assert player.delete().status == 204


def test_no_two_commitments_are_alike(api):
    made = [api.post("/v1/commitments").json for _ in range(50)]
    assert len({promise["commitment"] for promise in made}) == 50
    assert len({promise["commitment_id"] for promise in made}) == 50


def test_a_commitment_says_until_when_it_waits(api, app, monkeypatch):
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: 2_000_000_000.125)
    assert LIFETIME == 3600
    assert api.post("/v1/commitments").json["expires_at"] == "2033-05-18T04:33:20.125Z"


def test_a_commitment_is_no_game_yet(api, promise):
    path = f"/v1/games/{promise['commitment_id']}"
    for part in ("", "/moves", "/legal-moves", "/reveal"):
        assert known(api.get(path + part)) == (404, "game-not-found")


# Once, and in time


def test_a_commitment_that_has_expired_is_refused(api, fake, promise):
    expire(fake, promise)
    with nothing_changes(fake):
        assert known(create(api, promise)) == (409, "commitment-unknown")


def test_a_commitment_that_was_never_made_is_refused(api, fake):
    with nothing_changes(fake):
        never = create(api, {"commitment_id": "a" * 26})
    assert known(never) == (409, "commitment-unknown")


def test_a_commitment_that_expires_while_its_game_is_made_is_refused(api, fake, store, promise):
    """The store looks again, in the step that makes the game."""
    found = store.commitment(promise["commitment_id"])
    expire(fake, promise)
    with pytest.MonkeyPatch.context() as patch, nothing_changes(fake):
        patch.setattr(store, "commitment", lambda id: found)
        assert known(create(api, promise)) == (409, "commitment-unknown")


@pytest.mark.parametrize(
    "other",
    [
        {"seed": OTHER_SEED},
        {"variant": "binary-star"},
        {"label": "again"},
        {"Idempotency_Key": KEY},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_second_game_of_one_commitment_is_refused(api, fake, promise, other):
    assert create(api, promise).status == 201
    with nothing_changes(fake):
        assert known(create(api, promise, **other)) == (409, "commitment-used")


def test_a_commitment_stays_used_when_its_game_is_deleted(api, fake, promise):
    made = create(api, promise)
    Player(api, made.json["game"], made.json["play_token"]).delete()
    with nothing_changes(fake):
        assert known(create(api, promise)) == (409, "commitment-used")
        assert known(create(api, promise, OTHER_SEED)) == (409, "commitment-used")


def test_of_many_games_asked_of_one_commitment_at_once_one_is_made(api, promise):
    with ThreadPoolExecutor(8) as pool:
        seeds = [f"{n:032x}" for n in range(24)]
        answers = list(pool.map(lambda seed: create(api, promise, seed), seeds))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 23


def test_a_refused_creation_spends_nothing(api, promise):
    assert create(api, promise, "0f").status == 422
    assert create(api, promise, variant="klondike").status == 422
    assert create(api, promise).status == 201


# Sent again


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": KEY}], ids=["without", "with a key"])
def test_a_creation_that_is_sent_again_gives_the_same_game(api, fake, promise, headers):
    first = create(api, promise, **headers)
    with nothing_changes(fake):
        again = create(api, promise, **headers)
    assert (again.status, again.body) == (201, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_a_creation_with_a_key_is_known_again_though_the_game_has_moved_on(api, fake, promise):
    first = create(api, promise, Idempotency_Key=KEY)
    Player(api, first.json["game"], first.json["play_token"]).play("deal")
    with nothing_changes(fake):
        assert create(api, promise, Idempotency_Key=KEY).body == first.body
        assert known(create(api, promise)) == (409, "commitment-used")
        reused = create(api, promise, OTHER_SEED, Idempotency_Key=KEY)
    assert known(reused) == (422, "idempotency-key-reused")


def test_a_creation_with_a_key_is_known_again_though_the_commitment_has_expired(api, fake, promise):
    first = create(api, promise, Idempotency_Key=KEY)
    expire(fake, promise)
    with nothing_changes(fake):
        assert create(api, promise, Idempotency_Key=KEY).body == first.body
        assert known(create(api, promise)) == (409, "commitment-unknown")


def test_a_commitment_that_is_asked_for_again_is_the_same(api, fake):
    first = api.post("/v1/commitments", Idempotency_Key=KEY)
    with nothing_changes(fake):
        again = api.post("/v1/commitments", {}, Idempotency_Key=KEY)
    assert (again.status, again.body) == (201, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = api.post("/v1/commitments", Idempotency_Key=OTHER_KEY)
    assert other.json["commitment"] != first.json["commitment"]
    assert "Idempotency-Replayed" not in other.headers


def test_a_commitment_that_is_asked_for_again_after_its_game_has_begun_is_the_same(api, fake):
    first = api.post("/v1/commitments", Idempotency_Key=KEY)
    create(api, first.json)
    with nothing_changes(fake):
        assert api.post("/v1/commitments", Idempotency_Key=KEY).body == first.body


def test_a_key_makes_no_second_commitment_where_its_first_has_become_a_game(api, fake):
    first = api.post("/v1/commitments", Idempotency_Key=KEY)
    create(api, first.json)
    expire(fake, first.json)
    with nothing_changes(fake):
        again = api.post("/v1/commitments", Idempotency_Key=KEY)
    assert known(again) == (422, "idempotency-key-reused")


def test_one_key_serves_a_commitment_and_a_game(api):
    """Keys are bound to the route."""
    promise = api.post("/v1/commitments", Idempotency_Key=KEY).json
    assert create(api, promise, Idempotency_Key=KEY).status == 201
    plain = api.post("/v1/games", {"variant": "astrocyte"}, Idempotency_Key=KEY)
    assert plain.json["game"]["id"] != promise["commitment_id"]


# What is malformed


@pytest.mark.parametrize(
    "seed", ["", "0f", "0F" * 16, "0f" * 65, "0f" * 16 + "0", "x" * 32, 7, None]
)
def test_a_seed_of_the_wrong_form_is_refused(api, fake, promise, seed):
    with nothing_changes(fake):
        answer = create(api, promise, seed)
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/deal/player_seed"]


@pytest.mark.parametrize(
    "deal",
    [
        {"player_seed": SEED},
        {"commitment_id": "a" * 26},
        {"commitment_id": "a" * 26, "player_seed": SEED, "number": "1"},
        {"commitment_id": "a" * 26, "player_seed": SEED, "random": True},
    ],
)
def test_a_deal_that_is_chosen_by_half_or_twice_is_refused(api, fake, deal):
    with nothing_changes(fake):
        answer = api.post("/v1/games", {"variant": "astrocyte", "deal": deal})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/deal"]
