"""A deal that was sealed can be checked when its game is over, by anybody, to the last card."""

import hashlib
import hmac
import random

import pytest

from service.deals.deal import SealedDeal
from service.games import VARIANTS
from tests.http.kit import WON_DEAL, WON_LINE, known, put, table
from tests.http.test_moves import NEARLY_WON
from tests.support import reading

every_variant = pytest.mark.parametrize("variant", VARIANTS)


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


@pytest.fixture(params=VARIANTS)
def over(request, api):
    """A player who has given up a random game after some moves."""
    player, choice = api.new_game(request.param), random.Random(request.param)
    for _ in range(12):
        if player.game["legal_moves"]:
            player.play(choice.choice(player.game["legal_moves"]))
    player.resign()
    return player


# Sealed deals


def test_the_seed_that_is_revealed_is_the_one_the_service_had_committed_itself_to(over):
    seed = bytes.fromhex(revealed(over)["server_seed"])
    assert len(seed) == 32
    digest = hashlib.sha256(b"asterism-deal/1|" + seed).hexdigest()
    assert digest == over.game["deal"]["commitment"] == revealed(over)["commitment"]


def test_the_seed_of_the_shuffle_follows_from_the_seed_of_the_server(over):
    told = revealed(over)
    assert told["player_seed"] == ""
    key = bytes.fromhex(told["server_seed"])
    assert told["seed"] == hmac.new(key, b"", hashlib.sha256).hexdigest()


def test_the_pack_follows_from_the_seed(over):
    told = revealed(over)
    pack, _ = reading.shuffle(canonical(told["variant"]), bytes.fromhex(told["seed"]))
    assert told["pack"] == pack


def test_the_pack_is_the_one_the_game_was_played_with(over):
    """Dealt anew from it, the same moves lead to the same table and turn up the same cards."""
    told = revealed(over)
    dealt = reading.GAMES[told["variant"]]()
    dealt.lay_out(told["pack"])
    for item in over.api.get(f"{over.path}/moves").json["items"]:
        before = {id: dealt.down[id] for id in dealt.piles}
        dealt.play(item["move"])
        if item["move"] == "deal":
            turned = [{"pile": id, "card": dealt.cards[id][-1]} for id in dealt.columns]
        else:
            bared = [id for id in dealt.piles if dealt.down[id] < before[id]]
            turned = [{"pile": id, "card": dealt.cards[id][-1]} for id in bared]
        assert item["reveals"] == turned
    assert table(over.game) == {id: (dealt.down[id], tuple(dealt.seen(id))) for id in dealt.piles}


def test_the_reveal_names_the_rules_and_the_scheme(over):
    told = revealed(over)
    assert (told["scheme"], told["fairness"], told["number"]) == ("asterism-deal/1", "sealed", None)
    assert (told["variant"], told["ruleset"]) == (over.game["variant"], over.game["ruleset"])


def test_what_has_been_revealed_stays_so(over):
    assert revealed(over) == revealed(over)


@every_variant
def test_a_sealed_deal_stays_sealed_while_its_game_goes_on(api, variant):
    player = api.new_game(variant)
    path = f"{player.path}/reveal"
    assert known(api.get(path)) == (409, "deal-sealed")
    assert known(api.get(path, Authorization=f"Bearer {player.token}")) == (409, "deal-sealed")
    for act in (lambda: player.play(*player.game["legal_moves"][:1]), player.undo, player.redo):
        act()
        assert known(api.get(path)) == (409, "deal-sealed")


def test_a_sealed_deal_stays_sealed_while_its_game_is_stuck(api, store):
    deal = SealedDeal(VARIANTS["binary-star"], b"\x01" * 32)
    player = put(api, store, "t1: 7C\nf1: AH\nf2: KS", "binary-star", deal)
    assert player.game["stuck"]
    assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")


def test_a_refused_resignation_reveals_nothing(api):
    player = api.new_game("astrocyte")
    for headers, version in (
        ({"Authorization": ""}, 1),
        ({"Authorization": "Bearer x"}, 1),
        ({}, 2),
    ):
        assert player.post("resignation", {"version": version}, **headers).status in (401, 403, 409)
        assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")


def test_a_sealed_deal_is_revealed_when_its_game_is_won(api, store):
    seed = b"\x02" * 32
    player = put(api, store, NEARLY_WON, deal=SealedDeal(VARIANTS["astrocyte"], seed))
    assert known(api.get(f"{player.path}/reveal")) == (409, "deal-sealed")
    player.play("t1f1x13")
    assert player.game["status"] == "won"
    assert revealed(player)["server_seed"] == seed.hex()


def test_the_seed_that_a_player_brought_is_revealed_with_the_other(api, store):
    deal = SealedDeal(VARIANTS["astrocyte"], b"\x03" * 32, "wind and 星".encode())
    player = put(api, store, "t1: 9H", deal=deal)
    player.resign()
    told = revealed(player)
    assert told["player_seed"] == "wind and 星".encode().hex()
    seed = hmac.new(b"\x03" * 32, "wind and 星".encode(), hashlib.sha256)
    assert told["seed"] == seed.hexdigest()


def test_two_sealed_deals_share_no_seed(api):
    seeds = set()
    for _ in range(20):
        player = api.new_game("astrocyte")
        player.resign()
        seeds |= {revealed(player)[name] for name in ("server_seed", "seed", "commitment")}
    assert len(seeds) == 60


# Public deals


@every_variant
@pytest.mark.parametrize("number", ["1", "2", "4711", "18446744073709551615"])
def test_a_public_deal_follows_from_its_number(api, variant, number):
    told = revealed(api.new_game(variant, int(number)))
    assert (
        told["seed"] == hashlib.sha256(f"asterism-deal/1|{variant}|{number}".encode()).hexdigest()
    )
    assert told["pack"] == reading.shuffled_pack(variant, number)
    assert (told["fairness"], told["number"]) == ("public", number)
    assert [told[name] for name in ("commitment", "server_seed", "player_seed")] == [None] * 3


@pytest.mark.parametrize(
    ("variant", "number", "digest"),
    [
        ("binary-star", "1", "41ad67d1d0566b56"),
        ("binary-star", "2", "b54bff8d553c4991"),
        ("binary-star", "18446744073709551615", "1afbc3c7a5eef020"),
        ("astrocyte", "1", "d722d2801e81f643"),
        ("astrocyte", "2", "e2a593fdb316f8bd"),
        ("astrocyte", "18446744073709551615", "b00fd69a822f4b03"),
    ],
)
def test_a_public_deal_never_changes(api, variant, number, digest):
    pack = revealed(api.new_game(variant, int(number)))["pack"]
    assert hashlib.sha256(" ".join(pack).encode()).hexdigest()[:16] == digest


def test_a_public_deal_is_revealed_before_during_and_after_its_game(api):
    player = api.new_game("binary-star", WON_DEAL)
    before = revealed(player)
    player.play(*WON_LINE[:50])
    assert revealed(player) == before
    player.play(*WON_LINE[50:])
    assert player.game["status"] == "won"
    assert revealed(player) == before
