"""One judge: what is refused, what is listed and what the plain reading says are the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_position, print_position
from service.games.moves import parse_move
from tests.support import reading
from tests.support.tables import few_fans, runs_and_gaps
from tests.support.walks import Walk, accepted, walks


def as_read(position: Position) -> reading.Table:
    return reading.read(position.variant.name, print_position(position))


def in_any_order(position: Position):
    """The table with the piles of each kind exchanged at will."""
    pairs = zip(position.view.piles, position.under, strict=True)
    return sorted((pile.kind, hidden, pile.cards) for pile, hidden in pairs)


@given(walks)
def test_the_judge_accepts_what_the_plain_reading_allows(walk: Walk):
    assert {str(move) for move in accepted(walk.end)} == as_read(walk.end).accepted()


@given(walks)
def test_the_list_holds_the_moves_that_the_plain_reading_lists(walk: Walk):
    moves = walk.end.legal_moves()
    assert len(set(moves)) == len(moves)
    assert {str(move) for move in moves} == as_read(walk.end).listed()


@settings(max_examples=30)
@given(walks)
def test_an_accepted_move_that_is_not_listed_leads_nowhere_new(walk: Walk):
    """A16, and targets alike: piles of a kind exchanged, it is this table or a listed one."""
    position, listed = walk.end, set(walk.end.legal_moves())
    known = [in_any_order(position), *(in_any_order(position.after(move)) for move in listed)]
    for move in accepted(position) - listed:
        assert in_any_order(position.after(move)) in known


tables = st.one_of(
    st.builds(parse_position, st.just(VARIANTS["binary-star"]), few_fans()),
    st.builds(parse_position, st.just(VARIANTS["astrocyte"]), runs_and_gaps()),
)


@settings(max_examples=100)
@given(tables)
def test_on_tables_thrown_together_the_judge_and_the_list_are_those_of_the_reading(position):
    table = as_read(position)
    assert {str(move) for move in accepted(position)} == table.accepted()
    assert sorted(map(str, position.legal_moves())) == sorted(table.listed())


@settings(max_examples=50)
@given(tables)
def test_on_tables_thrown_together_every_move_leads_to_the_table_of_the_reading(position):
    table = as_read(position)
    for move in accepted(position):
        assert print_position(position.after(move)) == table.after(str(move)).show()


@given(walks)
def test_the_plain_reading_comes_to_the_same_table_by_the_same_moves(walk: Walk):
    table = as_read(walk.positions[0])
    for move, position in zip(walk.moves, walk.positions[1:], strict=True):
        table.play(str(move))
        assert table.show() == print_position(position)


@given(walks)
def test_the_end_of_a_game_is_the_end_in_the_plain_reading(walk: Walk):
    for position in walk.positions[-10:]:
        table = as_read(position)
        assert (position.view.won, position.view.stuck) == (table.won(), table.stuck())


@given(walks)
def test_a_listed_move_is_still_itself_after_being_written_and_read(walk: Walk):
    for move in walk.end.legal_moves():
        assert parse_move(str(move)) == move
