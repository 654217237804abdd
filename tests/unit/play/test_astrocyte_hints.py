"""Where a hint of Astrocyte finds no way on: it has looked well, and says what it looked at."""

import pytest

from service.bots.astrocyte.fair import FAIR, plan
from service.games import VARIANTS
from service.games.boards import parse_position
from service.games.moves import parse_move
from service.play.hints import HINT_PROVIDERS
from tests.support.walks import fixture, played, start

ASTROCYTE = VARIANTS["astrocyte"]
DEAD_END = fixture("astrocyte-5034-dead-end.json")

ONE_CELL = parse_position(
    ASTROCYTE,
    """
    t1: [9C] 2C 2S
    t2: [9D] 2D
    t3: 2H 4D
    t4: 4C 2S
    t5: 4S 2C
    t6: [9S] 4H
    t7: 4C 2D
    t8: 4D 2H
    c1: 6C
    c2: 6D
    c3: 6H
    """,
)
"""No card fits another. The last cell can take one, and only t2 and t6 then turn a card."""


def ask_hint(view, earlier=()):
    return HINT_PROVIDERS["astrocyte"](view, (), lambda: earlier)


def hint_after(*moves):
    """The hint for one who has played `moves` on the board with one cell, and its plan."""
    *earlier, last = played(ONE_CELL, map(parse_move, moves)).positions
    return ask_hint(last.view, [position.view for position in earlier])


def test_a_hint_looks_on_where_the_bot_gives_up():
    moves = [parse_move(text) for text in DEAD_END["line"]]
    view = played(start(ASTROCYTE, DEAD_END["deal"]), moves).end.view
    assert plan(view, FAIR) == ()
    hint, line = ask_hint(view)
    assert (hint.move, hint.verdict) == (line[0], "unknown")
    assert "turn a card of t2" in hint.why


def test_a_hint_without_a_move_says_how_far_back_a_card_could_be_turned():
    hint, (turn,) = hint_after("t1c4")
    assert (hint.move, hint.verdict, hint.undo_steps) == (None, "unknown", 1)
    assert hint.why == (
        "A search of up to 300,000 positions found no way to turn a card, deal a row or win. "
        f"1 move ago, 1 move could turn a card of {turn.source}."
    )
    assert ONE_CELL.play(turn)[1]


@pytest.mark.parametrize(("seen", "unseen"), [("t2", "t6"), ("t6", "t2")])
def test_the_way_from_an_earlier_position_turns_a_card_that_has_not_been_seen(seen, unseen):
    assert hint_after(f"{seen}c4").plan == (parse_move(f"{unseen}c4"),)


def test_a_hint_claims_no_more_than_what_was_searched():
    view = ONE_CELL.after(parse_move("t1c4")).view
    assert ask_hint(view).hint.why == (
        "A search of up to 300,000 positions found no way to turn a card, deal a row or win, "
        "nor any to unseen cards from 0 earlier ones."
    )
