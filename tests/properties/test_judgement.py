"""One judge: what is refused, what is listed and what the plain reading says are the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_position, print_position
from tests.support import reading
from tests.support.tables import few_fans, runs_and_gaps
from tests.support.walks import Walk, accepted, walks


def as_read(position: Position) -> reading.Table:
    return reading.read(position.variant.name, print_position(position))


def in_any_order(position: Position):
    """The table with the piles of each kind exchanged at will."""
    pairs = zip(position.view.piles, position.under, strict=True)
    return sorted((pile.kind, hidden, pile.cards) for pile, hidden in pairs)


tables = st.one_of(
    st.builds(parse_position, st.just(VARIANTS["binary-star"]), few_fans()),
    st.builds(parse_position, st.just(VARIANTS["astrocyte"]), runs_and_gaps()),
)


@settings(max_examples=180)
@given(st.one_of(walks.map(lambda walk: walk.end), tables))
def test_the_judge_and_the_list_are_those_of_the_plain_reading(position: Position):
    table = as_read(position)
    assert {str(move) for move in accepted(position)} == table.accepted()
    assert sorted(map(str, position.legal_moves())) == sorted(table.listed())


@settings(max_examples=30)
@given(walks)
def test_an_accepted_move_that_is_not_listed_leads_nowhere_new(walk: Walk):
    """A16, and targets alike: piles of a kind exchanged, it is this table or a listed one."""
    position, listed = walk.end, set(walk.end.legal_moves())
    known = [in_any_order(position), *(in_any_order(position.after(move)) for move in listed)]
    for move in accepted(position) - listed:
        assert in_any_order(position.after(move)) in known


@settings(max_examples=50)
@given(tables)
def test_every_move_leads_to_the_table_of_the_plain_reading(position):
    table = as_read(position)
    for move in accepted(position):
        assert print_position(position.after(move)) == table.after(str(move)).show()


@given(walks)
def test_a_walk_leads_by_the_tables_of_the_plain_reading_to_the_same_end(walk: Walk):
    table = as_read(walk.positions[0])
    for move, position in zip(walk.moves, walk.positions[1:], strict=True):
        table.play(str(move))
        assert table.show() == print_position(position)
        assert position.view.won == table.won()
    assert walk.end.view.stuck == table.stuck()
