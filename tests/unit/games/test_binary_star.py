"""Binary Star, rule by rule: each test names the rules of RULES.md that it is about."""

from collections import Counter

import pytest

from service.errors import IllegalMoveError
from service.games import VARIANTS
from service.games.base import Position, View
from service.games.boards import parse_position
from service.games.cards import TWO_PACKS
from service.games.moves import DEAL, Move, parse_move
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


def rule(position: Position, move: str) -> str:
    return position.why_not(parse_move(move)).rule


def listed(position: Position) -> list[str]:
    return [str(move) for move in position.legal_moves()]


def test_every_face_is_there_twice():
    """B1."""
    cards = [card for pile in start(BINARY_STAR, 1).view.piles for card in pile.cards]
    assert Counter(cards) == Counter(TWO_PACKS)


def test_every_card_lies_face_up():
    """B1."""
    assert start(BINARY_STAR, 1).view.hidden == 0


def test_the_holes_begin_with_the_ace_of_hearts_and_the_king_of_spades():
    """B2."""
    view = start(BINARY_STAR, 1).view
    assert (view["f1"].cards, view["f2"].cards) == (("AH",), ("KS",))


def test_the_other_ace_of_hearts_and_king_of_spades_lie_in_the_fans():
    """B2."""
    fans = [card for fan in start(BINARY_STAR, 1).view.kind("tableau") for card in fan.cards]
    assert (fans.count("AH"), fans.count("KS")) == (1, 1)


def test_the_bases_leave_the_pack_before_the_shuffle():
    """B3."""
    missing = Counter(TWO_PACKS) - Counter(BINARY_STAR.pack)
    assert missing == {"AH": 1, "KS": 1}
    assert len(BINARY_STAR.pack) == 102


def test_it_is_the_first_copies_that_leave_the_pack():
    """B3: the order before the shuffle is a part of what a deal number means."""
    first, second = BINARY_STAR.pack[:50], BINARY_STAR.pack[50:]
    assert "AH" not in first
    assert "KS" not in first
    assert second == TWO_PACKS[:52]


def test_seventeen_fans_of_six_are_dealt_from_left_to_right():
    """B4."""
    position = BINARY_STAR.start(BINARY_STAR.pack)
    fans = position.view.kind("tableau")
    assert [len(fan.cards) for fan in fans] == [6] * 17
    for place, fan in enumerate(fans):
        assert fan.cards == BINARY_STAR.pack[place::17]


def test_the_last_card_dealt_is_the_top_of_the_last_fan():
    """B4."""
    fans = BINARY_STAR.start(BINARY_STAR.pack).view.kind("tableau")
    assert [fan.id for fan in fans] == [f"t{n}" for n in range(1, 18)]
    assert fans[-1].cards[-1] == BINARY_STAR.pack[-1]


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


def test_a_card_that_does_not_join_is_refused_with_both_piles():
    """B5."""
    refusal = table("t4: 7C").why_not(parse_move("t4f2"))
    assert (refusal.rule, refusal.piles) == ("rank-not-adjacent", ("t4", "f2"))


def test_only_the_top_of_a_fan_counts():
    """B5: the two would join the ace, but a seven covers it."""
    position = table("t1: 2C 7C / t2: 7C 2C")
    assert rule(position, "t1f1") == "rank-not-adjacent"
    assert legal(position, "t2f1")


def test_only_the_top_of_a_hole_counts():
    """B5."""
    assert rule(table("t1: 2C", f1="AH KC"), "t1f1") == "rank-not-adjacent"


def test_a_played_card_is_the_new_top_of_its_hole_and_bares_the_card_under_it():
    """B5."""
    view = after(table("t1: 7C 2C"), "t1f1")
    assert (view["t1"].cards, view["f1"].cards) == (("7C",), ("AH", "2C"))


@pytest.mark.parametrize("move", ["t1t2", "t1t3", "f1t2", "f2t3", "t1t2x2"])
def test_a_fan_takes_no_card(move):
    """B6: neither a fan with cards nor an empty one, neither from a fan nor from a hole."""
    position = table("t1: 2C / t2: 3C / t3: -", f1="AH 2D", f2="KS QD")
    refusal = position.why_not(parse_move(move))
    assert (refusal.rule, refusal.piles) == ("tableau-not-buildable", (move[2:4],))


def test_an_empty_fan_stays_where_it_is():
    """B6."""
    view = after(table("t1: 2C / t2: 3C"), "t1f1")
    assert view["t1"].is_empty
    assert view["t2"].cards == ("3C",)
    assert len(view.piles) == 19


def test_an_empty_fan_gives_no_card():
    """B6."""
    refusal = table("t1: - / t2: 3C").why_not(parse_move("t1f1"))
    assert (refusal.rule, refusal.piles) == ("source-empty", ("t1",))


def test_the_top_of_one_hole_goes_onto_the_other_when_they_join():
    """B7."""
    position = table("t1: 7C", f1="AH 2C", f2="KS AS")
    assert after(position, "f1f2")["f2"].cards == ("KS", "AS", "2C")
    assert after(position, "f2f1")["f1"].cards == ("AH", "2C", "AS")


def test_a_transfer_can_be_followed_by_its_reverse():
    """B7."""
    position = table("t1: 7C", f1="AH 2C", f2="KS AS")
    assert after(position, "f1f2", "f2f1") == position.view


def test_transfers_are_listed_after_the_plays_from_the_fans():
    """B7."""
    position = table("t1: 3C / t2: KD", f1="AH 2C", f2="KS AS")
    assert listed(position) == ["t1f1", "t2f2", "f1f2", "f2f1"]


def test_tops_that_do_not_join_are_not_transferred():
    """B7."""
    position = table("t1: 3C", f1="AH 2C", f2="KS QS")
    assert rule(position, "f1f2") == rule(position, "f2f1") == "rank-not-adjacent"
    assert listed(position) == ["t1f1"]


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


def test_the_bases_stay_although_they_would_join_each_other():
    """B8."""
    position = table("t1: 2C")
    assert rule(position, "f1f2") == rule(position, "f2f1") == "base-card-fixed"
    assert listed(position) == ["t1f1"]


def test_one_hole_can_give_while_the_other_has_only_its_base():
    """B8."""
    position = table("t1: 9C", f1="AH", f2="KS KD")
    assert rule(position, "f1f2") == "base-card-fixed"
    assert listed(position) == ["f2f1"]


@pytest.mark.parametrize("move", ["t1f1x2", "t1f1x13", "f1f2x2"])
def test_two_cards_never_move_together(move):
    """B9."""
    position = table("t1: 3C 2C", f1="AH 2D", f2="KS AD")
    assert rule(position, move) == "count-invalid"


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_card_never_moves(count):
    """B9."""
    assert table("t1: 3C 2C").why_not(Move("t1", "f1", count)).rule == "count-invalid"


def test_nothing_moves_by_itself():
    """B10: the three, the other two and the queen would fit, and stay where they are."""
    before = table("t1: 3C 2C / t2: 2D / t3: QD")
    view = after(before, "t1f1")
    changed = [
        now.id for then, now in zip(before.view.piles, view.piles, strict=True) if then != now
    ]
    assert changed == ["t1", "f1"]
    assert view["f1"].cards == ("AH", "2C")


def test_the_game_is_won_when_the_last_fan_is_empty():
    """B11."""
    position = table("t5: 2C")
    assert not position.view.won
    assert after(position, "t5f1").won


@pytest.mark.parametrize(("f1", "f2"), [("AH", "KS QD JC"), ("AH 2C 3D", "KS"), ("AH 2C", "KS QD")])
def test_it_does_not_matter_how_the_holes_share_the_cards(f1, f2):
    """B11."""
    assert table("t1: -", f1, f2).view.won


def test_a_won_game_is_not_stuck_although_nothing_can_be_played():
    """B11."""
    view = table("t1: -", f1="AH 2C", f2="KS QD").view
    assert view.won
    assert not view.stuck


def test_not_even_a_transfer_is_legal_in_a_won_game():
    """B11."""
    position = table("t1: -", f1="AH 2C", f2="KS AS")
    assert position.legal_moves() == ()
    assert rule(position, "f1f2") == "game-over"


def test_a_game_goes_on_while_a_fan_card_fits_a_top():
    """B12."""
    assert not table("t1: 8C / t2: QC").view.stuck


def test_a_game_is_stuck_when_no_fan_card_fits_and_the_tops_do_not_join():
    """B12: the two would fit deeper cards, but these stay covered."""
    assert table("t1: 2D", f1="AH 2C 3C 4C", f2="KS").view.stuck


def test_a_game_is_stuck_when_transfers_are_all_that_is_left():
    """B12: they are legal, and lead nowhere."""
    position = table("t1: 9D", f1="AH 2C 3C 4C", f2="KS AS 2S 3S")
    assert position.view.stuck
    assert listed(position) == ["f1f2", "f2f1"]


def test_a_game_goes_on_when_a_row_of_transfers_uncovers_a_card_that_joins():
    """B12: the king waits for an ace two transfers away."""
    position = table("t1: KD", f1="AH 2C 3C 4C", f2="KS AS 2S 3S")
    assert listed(position) == ["f1f2", "f2f1"]
    assert not position.view.stuck
    assert after(position, "f2f1", "f2f1", "t1f2").won


@pytest.mark.parametrize(
    ("fan", "f1", "f2", "line"),
    [
        ("QD", "AH 2C 3C", "KS AS 2S", ("f2f1", "f2f1", "t1f2")),
        ("2C", "AH KD", "KS QS", ("f1f2", "t1f1")),
    ],
)
def test_transfers_uncover_either_base(fan, f1, f2, line):
    """B12: only the base itself joins the last fan card."""
    position = table(f"t1: {fan}", f1, f2)
    assert not position.view.stuck
    assert after(position, *line).won


def test_a_covered_fan_card_keeps_no_game_going():
    """B12."""
    assert table("t1: QC 7C").view.stuck


def test_a_stuck_game_still_offers_its_transfers_and_goes_on_after_undo():
    """B12: stuck is read off the table anew, it is no end."""
    before = table("t1: 7C / t2: KD", f1="AH", f2="KS")
    assert not before.view.stuck
    dead_end = before.after(parse_move("t2f1"))
    assert dead_end.view.stuck
    assert not before.view.stuck


def test_a_deal_can_be_stuck_as_it_is_dealt():
    """B13."""
    view = start(BINARY_STAR, STUCK_ON_ARRIVAL).view
    assert {fan.cards[-1][0] for fan in view.kind("tableau")}.isdisjoint("A2QK")
    assert view.stuck
    assert view.legal_moves() == ()


def test_a_deal_that_is_stuck_on_arrival_is_reachable_and_not_won():
    """B13."""
    position = start(BINARY_STAR, STUCK_ON_ARRIVAL)
    assert BINARY_STAR.why_unreachable(position) is None
    assert not position.view.won


def test_every_action_is_legal_on_some_table():
    """B4, B5, B7."""
    joins = {"f1": "2C", "f2": "QC"}
    tables = {f"t{n}{hole}": table(f"t{n}: {joins[hole]}") for n in range(1, 18) for hole in joins}
    tables["f1f2"] = table("t1: 9C", f1="AH 2C AC")
    tables["f2f1"] = table("t1: 9C", f2="KS QC KC")
    assert [
        str(move) for move in BINARY_STAR.actions if not legal(tables[str(move)], str(move))
    ] == []


@pytest.mark.parametrize("move", ["t18f1", "t1f3", "c1f1", "f1c1", "t99f99", "t1t18", "f3t1"])
def test_a_pile_that_is_not_on_the_table_is_refused_by_name(move):
    """B2, B4: seventeen fans, two holes and no cell."""
    refusal = table("t1: 2C").why_not(parse_move(move))
    assert refusal.rule == "no-such-pile"
    assert refusal.piles[0] in move
    assert refusal.piles[0] not in BINARY_STAR.layout.ids


def test_there_is_no_stock_to_deal_from():
    """B4."""
    refusal = table("t1: 2C").why_not(DEAL)
    assert (refusal.rule, refusal.piles) == ("no-such-pile", ("s",))


@pytest.mark.parametrize("move", ["t1t1", "f1f1", "f2f2"])
def test_a_card_does_not_move_onto_its_own_pile(move):
    """B7."""
    refusal = table("t1: 2C").why_not(parse_move(move))
    assert (refusal.rule, refusal.piles) == ("same-pile", (move[:2],))


def test_a_refused_move_raises_its_reason():
    """B5."""
    position = table("t1: 7C")
    with pytest.raises(IllegalMoveError) as caught:
        position.play(parse_move("t1f2"))
    error = caught.value
    assert (error.move, error.rule, error.piles) == ("t1f2", "rank-not-adjacent", ("t1", "f2"))
    assert error.detail == "7C is not one rank above or below KS, the top of f2."


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
    assert complaint in BINARY_STAR.why_unreachable(parse_position(BINARY_STAR, by_hand.show()))


@pytest.mark.parametrize("cards", [["QS", "AH"], ["4H", "QS", "AH", "AD", "2S", "3H"]])
def test_a_lost_or_exchanged_card_makes_a_position_unreachable(cards):
    """B1."""
    by_hand = reading.deal("binary-star", 1)
    by_hand.cards["t2"] = cards
    why = BINARY_STAR.why_unreachable(parse_position(BINARY_STAR, by_hand.show()))
    assert why == "The cards on the table are not two whole packs."


def test_a_hidden_card_makes_a_position_unreachable():
    """B1."""
    by_hand = reading.deal("binary-star", 1)
    by_hand.down["t2"] = 1
    why = BINARY_STAR.why_unreachable(parse_position(BINARY_STAR, by_hand.show()))
    assert why == "In Binary Star every card lies face up."
