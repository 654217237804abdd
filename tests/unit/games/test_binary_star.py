"""Binary Star, rule by rule: each case names the rules of RULES.md that it is about.

`tests/properties/test_judgement.py` holds every move of many tables against an independent reading
of the rules. Here are the cases that a reader of RULES.md asks about, and why a move is refused.
"""

from collections import Counter

import pytest

from service.errors import IllegalMoveError
from service.games import VARIANTS
from service.games.base import Position, View
from service.games.boards import parse_position
from service.games.cards import TWO_PACKS
from service.games.moves import Move, parse_move
from tests.support import reading
from tests.support.walks import WON_GAMES, start

BINARY_STAR = VARIANTS["binary-star"]
RING = "A23456789TJQKA"
STUCK_ON_ARRIVAL = 1417
"""The first deal number whose fans show no ace, two, queen or king."""


def table(fans: str, f1: str = "AH", f2: str = "KS") -> Position:
    return parse_position(BINARY_STAR, f"{fans} / f1: {f1} / f2: {f2}")


def after(position: Position, *moves: str) -> View:
    for move in moves:
        position = position.after(parse_move(move))
    return position.view


def legal(position: Position, move: str) -> bool:
    return position.why_not(parse_move(move)) is None


def listed(position: Position) -> list[str]:
    return [str(move) for move in position.legal_moves()]


# The table


def test_every_face_is_there_twice_and_lies_face_up():
    """B1."""
    view = start(BINARY_STAR, 1).view
    assert Counter(card for pile in view.piles for card in pile.cards) == Counter(TWO_PACKS)
    assert view.hidden == 0


def test_the_holes_begin_with_the_ace_of_hearts_and_the_king_of_spades():
    """B2: the other two of them lie in the fans."""
    view = start(BINARY_STAR, 1).view
    assert (view["f1"].cards, view["f2"].cards) == (("AH",), ("KS",))
    fans = [card for fan in view.kind("tableau") for card in fan.cards]
    assert (fans.count("AH"), fans.count("KS")) == (1, 1)


def test_the_first_copies_of_the_bases_leave_the_pack_before_the_shuffle():
    """B3: the order before the shuffle is a part of what a deal number means."""
    first = tuple(card for card in TWO_PACKS[:52] if card not in ("AH", "KS"))
    assert BINARY_STAR.pack == first + TWO_PACKS[52:]


def test_seventeen_fans_of_six_are_dealt_from_left_to_right():
    """B4: the last card dealt is the top of the last fan."""
    fans = BINARY_STAR.start(BINARY_STAR.pack).view.kind("tableau")
    assert {fan.id: fan.cards for fan in fans} == {
        f"t{n}": BINARY_STAR.pack[n - 1 :: 17] for n in range(1, 18)
    }
    assert fans[-1].cards[-1] == BINARY_STAR.pack[-1]


# Moves


@pytest.mark.parametrize("hole", ["f1", "f2"])
@pytest.mark.parametrize("top", RING[:-1])
def test_a_card_joins_a_hole_whose_top_is_one_rank_away(top, hole):
    """B5: up, down, and round the corner between ace and king; equal ranks never."""
    fans = " / ".join(f"t{n}: {rank}D" for n, rank in enumerate(RING[:-1], start=1))
    position = table(fans, f1=f"9C {top}D", f2=f"9C {top}D")
    joining = {rank for n, rank in enumerate(RING[:-1], start=1) if legal(position, f"t{n}{hole}")}
    assert joining == {rank for rank in RING if rank + top in RING or top + rank in RING}


@pytest.mark.parametrize("suit", "CDHS")
def test_suits_do_not_matter(suit):
    """B5."""
    assert legal(table(f"t1: 2{suit}"), "t1f1")


def test_a_played_card_is_the_new_top_of_its_hole_and_nothing_else_moves():
    """B5, B6, B10: the three and the other two would fit, and an empty fan stays in its place."""
    view = after(table("t1: 2C / t2: 3C 2D / t3: QD"), "t1f1")
    left = [pile.cards for pile in view.piles if pile.cards]
    assert left == [("3C", "2D"), ("QD",), ("AH", "2C"), ("KS",)]
    assert len(view.piles) == 19


def test_the_top_of_one_hole_goes_onto_the_other_when_they_join_and_back_again():
    """B7: transfers are listed after the plays from the fans."""
    position = table("t1: 3C / t2: QD", f1="AH 2C", f2="KS AS")
    assert listed(position) == ["t1f1", "f1f2", "f2f1"]
    assert after(position, "f1f2")["f2"].cards == ("KS", "AS", "2C")
    assert after(position, "f2f1")["f1"].cards == ("AH", "2C", "AS")
    assert after(position, "f1f2", "f2f1") == position.view


def test_a_deal_can_be_lost_without_transfers_and_won_with_them():
    """B7: the kept game is won with them; without them all its lines end in 1,095 states."""
    first = WON_GAMES["binary-star"][0].walk.positions[0]
    seen, waiting = {first}, [first]
    while waiting:
        position = waiting.pop()
        assert not position.view.won
        plays = [move for move in position.legal_moves() if move.source[0] == "t"]
        onwards = {position.after(move) for move in plays} - seen
        seen |= onwards
        waiting += onwards
    assert len({heights_and_tops(position.view) for position in seen}) == 1095


def heights_and_tops(view: View):
    """What a game without transfers depends on; which hole has which top does not matter."""
    heights = tuple(len(fan.cards) for fan in view.kind("tableau"))
    return heights, tuple(sorted(hole.cards[-1][0] for hole in view.kind("foundation")))


def test_one_hole_can_give_while_the_other_has_only_its_base():
    """B8."""
    assert listed(table("t1: 9C", f1="AH", f2="KS KD")) == ["f2f1"]


FANS = table("t1: 2C / t2: 3C 7C / t3: -", f1="AH 2D", f2="KS QD")
NEW = table("t1: 2C / t2: 2D 7C")
WON = table("t1: -", f1="AH 2C", f2="KS AS")
REFUSED = {
    "B5 ranks apart": (NEW, "t2f2", "rank-not-adjacent", "t2 f2"),
    "B5 a two under the top": (NEW, "t2f1", "rank-not-adjacent", "t2 f1"),
    "B5 an ace under the top": (table("t1: 2C", f1="AH KC"), "t1f1", "rank-not-adjacent", "t1 f1"),
    "B6 from fan to fan": (FANS, "t1t2", "tableau-not-buildable", "t2"),
    "B6 to an empty fan": (FANS, "t1t3", "tableau-not-buildable", "t3"),
    "B6 from hole to fan": (FANS, "f1t2", "tableau-not-buildable", "t2"),
    "B6 from hole to empty fan": (FANS, "f2t3", "tableau-not-buildable", "t3"),
    "B6 two cards": (FANS, "t1t2x2", "tableau-not-buildable", "t2"),
    "B6 from an empty fan": (FANS, "t3f1", "source-empty", "t3"),
    "B7 tops apart": (FANS, "f1f2", "rank-not-adjacent", "f1 f2"),
    "B7 tops apart, back": (FANS, "f2f1", "rank-not-adjacent", "f2 f1"),
    "B7 a fan onto itself": (FANS, "t1t1", "same-pile", "t1"),
    "B7 a hole onto itself": (FANS, "f2f2", "same-pile", "f2"),
    "B8 the base that joins": (NEW, "f1f2", "base-card-fixed", "f1"),
    "B8 the other base": (NEW, "f2f1", "base-card-fixed", "f2"),
    "B8 beside a fuller hole": (table("t1: 9C", f2="KS KD"), "f1f2", "base-card-fixed", "f1"),
    "B9 two cards of a fan": (table("t1: 3C 2C"), "t1f1x2", "count-invalid", "t1"),
    "B9 thirteen": (table("t1: 3C 2C"), "t1f1x13", "count-invalid", "t1"),
    "B9 two cards of a hole": (table("t1: 3C", "AH 2D"), "f1f2x2", "count-invalid", "f1"),
    "B11 a transfer after the win": (WON, "f1f2", "game-over", ""),
    "B4 an eighteenth fan": (NEW, "t18f1", "no-such-pile", "t18"),
    "B4 to an eighteenth fan": (NEW, "t1t18", "no-such-pile", "t18"),
    "B2 a third hole": (NEW, "t1f3", "no-such-pile", "f3"),
    "B4 a cell": (NEW, "c1f1", "no-such-pile", "c1"),
    "B4 a stock": (NEW, "deal", "no-such-pile", "s"),
}
"""By rule and case: a position, a move, the rule code of the refusal and the piles it names."""


@pytest.mark.parametrize(("position", "move", "code", "piles"), REFUSED.values(), ids=REFUSED)
def test_a_move_against_the_rules_is_refused_with_its_rule_and_piles(position, move, code, piles):
    refusal = position.why_not(parse_move(move))
    assert (refusal.rule, " ".join(refusal.piles)) == (code, piles)
    assert move not in listed(position)


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_card_never_moves(count):
    """B9."""
    assert table("t1: 3C 2C").why_not(Move("t1", "f1", count)).rule == "count-invalid"


def test_a_refused_move_raises_its_reason():
    """B5."""
    with pytest.raises(IllegalMoveError) as caught:
        table("t1: 7C").play(parse_move("t1f2"))
    error = caught.value
    assert (error.move, error.rule, error.piles) == ("t1f2", "rank-not-adjacent", ("t1", "f2"))
    assert error.detail == "7C is not one rank above or below KS, the top of f2."


# The end


def test_the_game_is_won_when_the_last_fan_is_empty():
    """B11."""
    position = table("t5: 2C")
    assert not position.view.won
    assert after(position, "t5f1").won


@pytest.mark.parametrize(("f1", "f2"), [("AH", "KS QD JC"), ("AH 2C 3D", "KS"), ("AH 2C", "KS QD")])
def test_it_does_not_matter_how_the_holes_share_the_cards(f1, f2):
    """B11: won is looked at before stuck."""
    position = table("t1: -", f1, f2)
    assert (position.view.won, position.view.stuck) == (True, False)


def test_nothing_is_listed_in_a_won_game():
    """B11."""
    assert listed(WON) == []


AT_AN_END = {
    "B12 a fan card fits a top": ("t1: QC", "AH", "KS", "t1f2"),
    "B12 only covered hole cards would fit": ("t1: 2D", "AH 2C 3C 4C", "KS", None),
    "B12 transfers lead nowhere": ("t1: 9D", "AH 2C 3C 4C", "KS AS 2S 3S", None),
    "B12 a row of transfers": ("t1: KD", "AH 2C 3C 4C", "KS AS 2S 3S", "f2f1 f2f1 t1f2"),
    "B12 down to the base of f2": ("t1: QD", "AH 2C 3C", "KS AS 2S", "f2f1 f2f1 t1f2"),
    "B12 down to the base of f1": ("t1: 2C", "AH KD", "KS QS", "f1f2 t1f1"),
    "B12 a covered fan card": ("t1: QC 7C", "AH", "KS", None),
}
"""By rule and case: a fan, holes, and moves that win, if there are any."""


@pytest.mark.parametrize(("fans", "f1", "f2", "line"), AT_AN_END.values(), ids=AT_AN_END)
def test_a_game_is_stuck_if_no_row_of_transfers_lets_a_fan_card_be_played(fans, f1, f2, line):
    """B12."""
    position = table(fans, f1, f2)
    assert position.view.stuck == (line is None)
    assert after(position, *(line or "").split()).won == (line is not None)


def test_a_stuck_game_still_offers_its_transfers():
    """B12: stuck is read off the table anew, it is no end."""
    assert listed(table("t1: 9D", "AH 2C 3C 4C", "KS AS 2S 3S")) == ["f1f2", "f2f1"]


def test_a_deal_can_be_stuck_as_it_is_dealt():
    """B13."""
    position = start(BINARY_STAR, STUCK_ON_ARRIVAL)
    tops = {fan.cards[-1][0] for fan in position.view.kind("tableau")}
    assert tops.isdisjoint("A2QK")
    assert (position.view.stuck, position.view.won, listed(position)) == (True, False, [])
    assert BINARY_STAR.why_unreachable(position) is None


# Positions that no game reaches


def unreachable(by_hand: reading.Table) -> str:
    return BINARY_STAR.why_unreachable(parse_position(BINARY_STAR, by_hand.show()))


@pytest.mark.parametrize(
    ("from_pile", "to_pile", "place", "complaint"),
    [
        ("t2", "t1", 6, "t1 holds more than 6"),
        ("t1", "f1", 0, "f1 does not start with AH"),
        ("f2", "f1", 1, "f2 does not start with KS"),
        ("t2", "f2", 1, "f2 holds neighbours that do not join"),
    ],
)
def test_a_card_in_a_wrong_place_makes_a_position_unreachable(from_pile, to_pile, place, complaint):
    """B2, B4, B5, B6, B8."""
    by_hand = reading.deal("binary-star", 1)
    by_hand.cards[to_pile].insert(place, by_hand.cards[from_pile].pop())
    assert complaint in unreachable(by_hand)


@pytest.mark.parametrize("cards", ["QS AH", "4H QS AH AD 2S 3H"])
def test_a_lost_or_exchanged_card_makes_a_position_unreachable(cards):
    """B1."""
    by_hand = reading.deal("binary-star", 1)
    by_hand.cards["t2"] = cards.split()
    assert unreachable(by_hand) == "The cards on the table are not two whole packs."


def test_a_hidden_card_makes_a_position_unreachable():
    """B1."""
    by_hand = reading.deal("binary-star", 1)
    by_hand.down["t2"] = 1
    assert unreachable(by_hand) == "In Binary Star every card lies face up."
