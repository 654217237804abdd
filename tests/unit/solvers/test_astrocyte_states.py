"""The states of the Astrocyte search agree with the rules at every step."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games.base import Position, View
from service.games.moves import DEAL, Move
from service.solvers.astrocyte import weights as w
from service.solvers.astrocyte.beam import NO_NOISE
from service.solvers.astrocyte.constants import CELL, COLUMNS, FOUNDATION, ROW
from service.solvers.astrocyte.conversion import (
    FACE,
    moves_of,
    rows_of,
    state_of_view,
    to_state,
)
from service.solvers.astrocyte.deferral import effect
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import Candidates, expand, expand_rare
from service.solvers.astrocyte.state import State
from service.solvers.astrocyte.steps import after, dealt, fill_empty_columns, lift_whole_runs
from tests.unit.solvers.astrocyte_positions import (
    lifted,
    played,
    positions,
    same,
    to_position,
    to_view,
    value,
)


def every_child(interner: Interner, state: State) -> list[tuple[int, int]]:
    """The value of each next state, and the step; checks the keys."""
    found = Candidates(KeySet(0), NO_NOISE)
    expand(interner, state, found)
    expand_rare(interner, state, found)
    steps = [*found.steps, *found.unknown_steps]
    keys = {after(interner, state, step).key for step in steps}
    assert len(keys) == len(steps) <= found.evaluated
    assert all(found.fresh.has(key) or found.known.has(key) for key in keys)
    return list(zip([*found.values, *found.unknown_values], steps, strict=True))


@given(positions())
def test_a_position_survives_conversion_to_a_state_and_back(position):
    interner = Interner()
    state = to_state(interner, position)
    assert same(to_position(state, rows_of(position))) == same(position)


@given(positions())
def test_the_value_of_a_state_follows_from_its_piles(position):
    assert to_state(Interner(), position).value == value(position)


@given(positions())
def test_every_step_is_legal_and_leads_where_the_rules_lead(position):
    """Its incremental value and key equal those of a state built from scratch."""
    position = lifted(position)
    interner = Interner()
    state = to_state(interner, position)
    for score, step in every_child(interner, state):
        moves = moves_of(position, [step])
        assert moves[0] in position.legal_moves()
        end = played(position, [step])
        there = after(interner, state, step)
        assert same(to_position(there, rows_of(end))) == same(end)
        assert (score, there.key) == (value(end), to_state(Interner(), end).key)


@given(positions())
def test_every_legal_move_but_a_deal_is_among_the_steps(position):
    position = lifted(position)
    interner = Interner()
    state = to_state(interner, position)
    reached = {state.key} | {
        after(interner, state, step).key for _, step in every_child(interner, state)
    }
    for move in position.legal_moves():
        if move != DEAL:
            assert to_state(Interner(), lifted(position.after(move))).key in reached, move


def every_step(state: State) -> Iterator[int]:
    """Every step that can be encoded, legal or not, except the deal."""
    for target in range(CELL + 1):
        for source in range(COLUMNS):
            for count in range(1, 14 if target < CELL else 2):
                if source != target:
                    yield source << 12 | target << 8 | count
        for card in FACE:
            if target < CELL:
                yield CELL << 12 | target << 8 | card
            yield FOUNDATION << 12 | target << 8 | card


def is_legal(position: Position, step: int) -> bool:
    """Whether the rules allow a step."""
    source, target, amount = step >> 12, step >> 8 & 15, step & 255
    view = position.view
    cells = [pile for pile in view.kind("cell") if target == CELL and not pile.cards]
    into = f"t{target + 1}" if target < CELL else cells[0].id if cells else "c1"
    if source < CELL:
        return view.why_not(Move(f"t{source + 1}", into, amount)) is None
    kind = "cell" if source == CELL else "foundation"
    tops = [pile.id for pile in view.kind(kind) if pile.cards and pile.cards[-1] == FACE[amount]]
    return bool(tops) and view.why_not(Move(tops[0], into)) is None


@given(positions())
@settings(max_examples=20)
def test_a_step_has_an_effect_exactly_if_the_rules_allow_it(position):
    position = lifted(position)
    state = to_state(Interner(), position)
    for step in every_step(state):
        assert (effect(state, step) is not None) == is_legal(position, step), hex(step)


@given(st.lists(st.integers(1, 60)), st.lists(st.integers(1, 60)))
def test_a_key_set_behaves_like_a_set(kept, others):
    keys = KeySet(0)
    for n, key in enumerate(kept):
        assert keys.add(key) == (key not in kept[:n])
    assert all(keys.has(key) == (key in kept) for key in kept + others)


@given(positions())
def test_empty_columns_are_filled_and_a_row_is_dealt_as_the_rules_do_it(position):
    position = lifted(position)
    rows = rows_of(position)
    interner = Interner()
    full = fill_empty_columns(interner, to_state(interner, position))
    if full is None:
        assert sum(len(pile.cards) for pile in position.view.piles[8:-1]) == 0
    elif rows:
        state, steps = full
        end = played(position, [*steps, ROW])
        assert same(to_position(dealt(interner, state, rows[0]), rows[1:])) == same(end)


@given(positions())
def test_whole_runs_are_lifted_in_a_state_as_by_the_rules(position):
    interner = Interner()
    state = to_state(interner, position)
    still = lift_whole_runs(
        interner, state.columns.copy(), state.cells, state.foundations, state.rows
    )
    assert same(to_position(still, rows_of(position))) == same(lifted(position))


@given(positions())
def test_the_state_of_a_view_holds_no_card_that_the_view_does_not_show(position):
    view: View = position.view
    state = state_of_view(Interner(), view)
    for column, pile in zip(state.columns, view.piles[:8], strict=True):
        cards, bottom = [], column
        while bottom.rank:
            cards.append(FACE[bottom.card])
            bottom = bottom.under
        assert tuple(reversed(cards)) == pile.cards
        assert bottom.under is bottom
        assert (bottom.hidden, column.hidden) == (pile.hidden, pile.hidden)
    assert to_view(state).piles[:8] == view.piles[:8]


def test_a_column_with_an_unknown_top_is_scored_by_its_hidden_cards():
    two, one = Interner().column_with_unknown_top(2), Interner().column_with_unknown_top(1)
    assert two.score == w.UNSEEN + w.HIDDEN + w.HIDDEN_SQUARED + w.HIDDEN_COLUMN + w.BREAK
    assert one.score == w.UNSEEN + 6 * w.BASE_LACK
    assert (two.rank, two.run, two.height) == (0, 0, 0)
