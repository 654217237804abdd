"""A deal that was sealed can be checked when its game is over, by anybody, to the last card."""

import hashlib
import hmac

import pytest

from service.deals.deal import SealedDeal
from service.games import VARIANTS
from tests.http.kit import (
    NEARLY_WON,
    WON_DEAL,
    WON_LINE,
    every_variant,
    known,
    play_on,
    put,
    table,
)
from tests.support import reading


def canonical(variant):
    """The pack before its shuffle."""
    pack = [rank + suit for _ in range(2) for suit in "CDHS" for rank in "A23456789TJQK"]
    for card in reading.GAMES[variant].laid_out_first:
        pack.remove(card)
    return pack


def revealed(player):
    answer = player.api.get(f"{player.path}/reveal")
    assert answer.status == 200, answer.body
    return answer.json


def assert_derived(reveal, commitment, player_seed=""):
    """The pack follows from a seed that follows from the one committed to and the one brought."""
    server_seed = bytes.fromhex(reveal["server_seed"])
    assert len(server_seed) == 32
    digest = hashlib.sha256(b"asterism-deal/1|" + server_seed).hexdigest()
    assert digest == commitment == reveal["commitment"]
    assert reveal["player_seed"] == player_seed
    seed = hmac.digest(server_seed, bytes.fromhex(player_seed), "sha256")
    assert reveal["seed"] == seed.hex()
    assert reveal["pack"] == reading.shuffle(canonical(reveal["variant"]), seed)[0]


# Sealed deals


@every_variant
def test_the_deal_that_is_revealed_is_the_one_committed_to(api, variant):
    player = play_on(api.new_game(variant), 12)
    player.resign()
    shown = revealed(player)
    assert_derived(shown, player.game["deal"]["commitment"])
    assert (shown["scheme"], shown["fairness"], shown["number"]) == (
        "asterism-deal/1",
        "sealed",
        None,
    )
    assert (shown["variant"], shown["ruleset"]) == (variant, player.game["ruleset"])
    assert revealed(player) == shown


@every_variant
def test_the_pack_is_the_one_the_game_was_played_with(api, variant):
    """Dealt anew from it, the same moves lead to the same table and turn up the same cards."""
    player = play_on(api.new_game(variant), 12)
    player.resign()
    dealt = reading.GAMES[variant]()
    dealt.lay_out(revealed(player)["pack"])
    for item in api.get(f"{player.path}/moves").json["items"]:
        before = dict(dealt.down)
        dealt.play(item["move"])
        turned = [id for id in dealt.piles if dealt.down[id] < before[id]]
        if item["move"] == "deal":
            turned = dealt.columns
        assert item["reveals"] == [{"pile": id, "card": dealt.cards[id][-1]} for id in turned]
    assert table(player.game) == {id: (dealt.down[id], tuple(dealt.seen(id))) for id in dealt.piles}


@every_variant
def test_a_sealed_deal_stays_sealed_while_its_game_goes_on(api, variant):
    player = api.new_game(variant)
    refused = {"Authorization": ""}
    for act in (
        player.read,
        lambda: player.play(*player.game["legal_moves"][:1]),
        player.undo,
        player.redo,
        lambda: player.resign(**refused),
        lambda: player.post("resignation", {"version": 1}),
    ):
        act()
        for headers in ({}, player.bearer):
            assert known(api.get(f"{player.path}/reveal", **headers)) == (409, "deal-sealed")


def test_a_sealed_deal_stays_sealed_while_its_game_is_stuck(api, store):
    deal = SealedDeal(VARIANTS["binary-star"], b"\x01" * 32)
    player = put(api, store, "t1: 7C\nf1: AH\nf2: KS", "binary-star", deal)
    assert player.game["stuck"]
    assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")


def test_a_sealed_deal_is_revealed_when_its_game_is_won(api, store):
    seed, brought = b"\x02" * 32, "wind and 星".encode()
    player = put(api, store, NEARLY_WON, deal=SealedDeal(VARIANTS["astrocyte"], seed, brought))
    assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")
    player.play("t1f1x13")
    assert player.game["status"] == "won"
    assert_derived(revealed(player), player.game["deal"]["commitment"], brought.hex())


# Public deals


@every_variant
@pytest.mark.parametrize("number", ["1", "4711", "18446744073709551615"])
def test_a_public_deal_follows_from_its_number(api, variant, number):
    shown = revealed(api.new_game(variant, int(number)))
    seed = hashlib.sha256(f"asterism-deal/1|{variant}|{number}".encode()).hexdigest()
    assert shown["seed"] == seed
    assert shown["pack"] == reading.shuffled_pack(variant, number)
    assert (shown["fairness"], shown["number"]) == ("public", number)
    assert [shown[name] for name in ("commitment", "server_seed", "player_seed")] == [None] * 3


def test_a_public_deal_is_revealed_before_during_and_after_its_game(api):
    player = api.new_game("binary-star", WON_DEAL)
    before = revealed(player)
    player.play(*WON_LINE[:50])
    assert revealed(player) == before
    player.play(*WON_LINE[50:])
    assert player.game["status"] == "won"
    assert revealed(player) == before
