"""A deal that neither side has chosen: the service commits itself, the player brings a seed."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.deals.commitment import LIFETIME
from tests.http.kit import (
    KEY,
    OTHER_KEY,
    assert_replayed,
    every_variant,
    faults,
    known,
    nothing_changes,
)
from tests.http.test_reveal import assert_derived, revealed
from tests.support.api import Player

SEED, OTHER_SEED = "0f" * 16, "f0" * 64


@pytest.fixture
def promise(api):
    """A commitment that waits for its game."""
    answer = api.post("/v1/commitments")
    assert answer.status == 201
    return answer.json


def create(api, promise, seed=SEED, variant="astrocyte", *, label=None, **headers):
    deal = {"commitment_id": promise["commitment_id"], "player_seed": seed}
    return api.post("/v1/games", {"variant": variant, "deal": deal, "label": label}, **headers)


def player_of(api, made):
    return Player(api, made.json["game"], made.json["play_token"])


def expire(fake, promise):
    """Makes a commitment expire."""
    assert fake.execute_command("PEXPIRE", f"ast:{{{promise['commitment_id']}}}:commitment", 0)


# The two steps


@every_variant
def test_the_deal_follows_from_the_seed_committed_to_and_the_one_brought(api, promise, variant):
    player = player_of(api, create(api, promise, variant=variant))
    assert player.game["deal"] == {
        "id": f"{variant}-sealed-{promise['commitment'][:16]}",
        "fairness": "sealed",
        "number": None,
        "commitment": promise["commitment"],
    }
    assert player.game["id"] == promise["commitment_id"]
    player.resign()
    assert_derived(revealed(player), promise["commitment"], SEED)


def test_another_seed_of_the_player_gives_another_table(api, monkeypatch):
    monkeypatch.setattr("service.play.keys.new_seed", lambda: b"\x05" * 32)
    promises = [api.post("/v1/commitments").json for _ in range(3)]
    assert len({promise["commitment"] for promise in promises}) == 1
    one, same, other = (
        create(api, promise, seed).json["game"]["piles"]
        for promise, seed in zip(promises, (SEED, SEED, OTHER_SEED), strict=True)
    )
    assert one == same != other


def test_no_two_commitments_are_alike(api):
    made = [api.post("/v1/commitments").json for _ in range(50)]
    for name in ("commitment", "commitment_id"):
        assert len({promise[name] for promise in made}) == 50


def test_a_commitment_says_when_it_expires_and_is_no_game_yet(api, clock):
    promise = api.post("/v1/commitments").json
    assert LIFETIME == 3600
    assert promise["expires_at"] == "2026-11-30T13:00:00.000Z"
    for part in ("", "/moves", "/legal-moves", "/reveal"):
        answer = api.get(f"/v1/games/{promise['commitment_id']}{part}")
        assert known(answer) == (404, "game-not-found")


# Once, and in time


def test_a_commitment_that_has_expired_or_was_never_made_is_refused(api, fake, promise):
    expire(fake, promise)
    with nothing_changes(fake):
        for unknown in (promise, {"commitment_id": "a" * 26}):
            assert known(create(api, unknown)) == (409, "commitment-unknown")


def test_a_commitment_that_expires_while_its_game_is_made_is_refused(
    api, fake, store, promise, monkeypatch
):
    """The store looks again, in the step that makes the game."""
    found = store.commitment(promise["commitment_id"])
    expire(fake, promise)
    monkeypatch.setattr(store, "commitment", lambda id: found)
    with nothing_changes(fake):
        assert known(create(api, promise)) == (409, "commitment-unknown")


def test_a_commitment_is_used_for_one_game_even_if_that_is_deleted(api, fake, promise):
    player = player_of(api, create(api, promise))
    others = ({"seed": OTHER_SEED}, {"variant": "binary-star"}, {"label": "again"})
    for act in (player.read, player.delete):
        act()
        with nothing_changes(fake):
            for other in (*others, {"Idempotency_Key": KEY}):
                assert known(create(api, promise, **other)) == (409, "commitment-used")
    assert known(create(api, promise)) == (409, "commitment-used")


def test_of_many_games_asked_of_one_commitment_at_once_one_is_made(api, promise):
    with ThreadPoolExecutor(8) as pool:
        seeds = [f"{n:032x}" for n in range(24)]
        answers = list(pool.map(lambda seed: create(api, promise, seed), seeds))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 23


def test_a_refused_creation_uses_no_commitment(api, promise):
    assert create(api, promise, "0f").status == 422
    assert create(api, promise, variant="klondike").status == 422
    assert create(api, promise).status == 201


# Repeated requests


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": KEY}], ids=["without", "with a key"])
def test_a_repeated_creation_gives_the_same_game(api, fake, promise, headers):
    first = create(api, promise, **headers)
    with nothing_changes(fake):
        assert_replayed(create(api, promise, **headers), first)


def test_a_repeated_creation_with_a_key_is_recognised_later_too(api, fake, promise):
    first = create(api, promise, Idempotency_Key=KEY)
    player_of(api, first).play("deal")
    with nothing_changes(fake):
        assert_replayed(create(api, promise, Idempotency_Key=KEY), first)
        assert known(create(api, promise)) == (409, "commitment-used")
        reused = create(api, promise, OTHER_SEED, Idempotency_Key=KEY)
    assert known(reused) == (422, "idempotency-key-reused")
    expire(fake, promise)
    with nothing_changes(fake):
        assert_replayed(create(api, promise, Idempotency_Key=KEY), first)
        assert known(create(api, promise)) == (409, "commitment-unknown")


def test_a_key_makes_one_commitment_until_that_is_used_and_expired(api, fake):
    first = api.post("/v1/commitments", Idempotency_Key=KEY)
    with nothing_changes(fake):
        assert_replayed(api.post("/v1/commitments", {}, Idempotency_Key=KEY), first)
    other = api.post("/v1/commitments", Idempotency_Key=OTHER_KEY)
    assert other.json["commitment"] != first.json["commitment"]
    create(api, first.json)
    with nothing_changes(fake):
        assert_replayed(api.post("/v1/commitments", Idempotency_Key=KEY), first)
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


@pytest.mark.parametrize("seed", ["", "0f", "0F" * 16, "0f" * 65, "0f" * 16 + "0", 7, None])
def test_a_seed_of_the_wrong_form_is_refused(api, fake, promise, seed):
    with nothing_changes(fake):
        assert faults(create(api, promise, seed)) == ["/deal/player_seed"]
