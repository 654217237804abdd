"""The packed states of Astrocyte, held against the rules at every step."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from service.games import VARIANTS
from service.games.base import Position, View
from service.games.cards import RANK
from service.games.moves import DEAL, Move
from service.solvers.astrocyte import weights as w
from service.solvers.astrocyte.beam import NO_NOISE, Expansion, Node, noise
from service.solvers.astrocyte.constants import CELL, COLUMNS, FOUNDATION, ROW
from service.solvers.astrocyte.conversion import (
    FACE,
    moves_of,
    rows_of,
    shown,
    state_of_view,
    to_state,
    unpack,
)
from service.solvers.astrocyte.deferral import effect
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.key_set import KeySet
from service.solvers.astrocyte.move_generation import (
    Candidates,
    after,
    dealt,
    expand,
    expand_rare,
    fill_empty_columns,
    lift_whole_runs,
)
from service.solvers.astrocyte.state import State
from tests.walks import WON_GAMES, choices, start, wandered

ASTROCYTE = VARIANTS["astrocyte"]
GAMES = WON_GAMES["astrocyte"]


def lifted(position: Position) -> Position:
    """`position` after every whole run on top has gone to a foundation, as in every packed step."""
    for move in moves_of(position, []):
        position = position.after(move)
    return position


def played(position: Position, steps: list[int]) -> Position:
    for move in moves_of(position, steps):
        position = position.after(move)
    return position


@st.composite
def positions(draw) -> Position:
    """A position from any part of a game: early from a deal, or late, from a game that was won."""
    if draw(st.booleans()):
        first = start(ASTROCYTE, draw(st.integers(1, 1000)))
    else:
        first = draw(st.sampled_from(draw(st.sampled_from(GAMES)).walk.positions))
    return wandered(first, draw(choices(60))).end


# Worth and key, reckoned again from the piles


def column_worth(hidden: int, cards: list[str]) -> int:
    """What a column is worth, face-up card by face-up card."""
    if not cards:
        return 0
    ranks = [RANK[card] for card in cards]
    worth, king_at_the_base = 0, not hidden and ranks[0] == 13
    if hidden:
        worth += w.HIDDEN * hidden + w.HIDDEN_SQUARED * hidden**2 + w.HIDDEN_COLUMN + w.BREAK
        worth += w.BURIED_KING * hidden * (ranks[0] == 13)
    else:
        worth += w.BASE_KING if ranks[0] == 13 else w.BASE_LACK * (13 - ranks[0])
    runs, sequence = [1], 1
    for place in range(1, len(cards)):
        card, below = cards[place], cards[place - 1]
        if ranks[place - 1] - ranks[place] == 1:
            sequence += 1
            if card[1] == below[1]:
                runs[-1] += 1
                worth += w.SUITED + w.KING_RUN * (king_at_the_base and len(runs) == 1)
                continue
            worth += w.FITTING
        else:
            worth += w.BREAK + w.SEQUENCE * sequence
            worth += w.INVERTED * max(0, ranks[place] - min(ranks[:place]))
            worth += w.BURIED_KING * (hidden + place) * (ranks[place] == 13)
            sequence = 1
        runs.append(1)
    worth += sum(w.RUN_SQUARED * length**2 for length in runs if length > 1)
    return worth + w.DIGGING * len(runs) * bool(hidden)


def value(position: Position) -> int:
    """How good a position looks, from its piles alone."""
    view = position.view
    columns, stock = view.kind("tableau"), view["s"].hidden // 8
    cells = [pile.cards[0] for pile in view.kind("cell") if pile.cards]
    empty = sum(column.is_empty for column in columns)
    tops = {RANK[column.cards[-1]] for column in columns if column.cards} - {1}
    worth = sum(column_worth(column.hidden, list(column.cards)) for column in columns)
    worth += w.HIDDEN_LATE * (5 - stock) * sum(column.hidden for column in columns)
    worth += w.FIRST_EMPTY * (empty > 0) + w.MORE_EMPTY * max(0, empty - 1)
    worth += w.DISTINCT_TOP * len(tops) + w.ROW_LEFT * stock
    worth += w.USED_CELL * len(cells) + w.USED_CELLS_SQUARED * len(cells) ** 2
    worth += w.CELL_LATE * (5 - stock) * len(cells)
    worth += w.CELL_KING * sum(card[0] == "K" for card in cells)
    for pile in view.kind("foundation"):
        if len(pile.cards) == 13:
            worth += w.WHOLE_RUN_OFF
        elif pile.cards:
            worth += w.BROKEN_RUN + w.BROKEN_CARD * len(pile.cards)
    return worth


def same(position: Position):
    """What makes two positions one and the same to a search that knows the places of columns."""
    view = position.view
    others = Counter(pile[1:] for pile in view.piles[8:])
    return view.piles[:8], others, position.under[:8], position.under[-1]


def every_child(table: Interner, state: State) -> list[tuple[int, int]]:
    """The value of each state a step on, and the step; the keys are those of the states."""
    found = Candidates(KeySet(0), NO_NOISE)
    expand(table, state, found)
    expand_rare(table, state, found)
    steps = [*found.steps, *found.dark_steps]
    keys = {after(table, state, step).key for step in steps}
    assert len(keys) == len(steps) <= found.judged
    assert all(found.fresh.has(key) or found.known.has(key) for key in keys)
    return list(zip([*found.values, *found.dark_values], steps, strict=True))


@given(positions())
def test_a_position_packed_and_unpacked_is_the_same(position):
    table = Interner()
    state = to_state(table, position)
    assert same(unpack(state, rows_of(position))) == same(position)


@given(positions())
def test_a_packed_state_is_worth_what_its_piles_are_worth(position):
    assert to_state(Interner(), position).value == value(position)


@given(positions())
def test_every_step_is_legal_and_leads_where_the_rules_lead(position):
    """Its value and its key, found from what it changes, are those of the state built anew."""
    position = lifted(position)
    table = Interner()
    state = to_state(table, position)
    for worth, step in every_child(table, state):
        moves = moves_of(position, [step])
        assert moves[0] in position.legal_moves()
        end = played(position, [step])
        there = after(table, state, step)
        assert same(unpack(there, rows_of(end))) == same(end)
        assert (worth, there.key) == (value(end), to_state(Interner(), end).key)


@given(positions())
def test_every_legal_move_but_a_deal_is_among_the_steps(position):
    position = lifted(position)
    table = Interner()
    state = to_state(table, position)
    reached = {state.key} | {after(table, state, step).key for _, step in every_child(table, state)}
    for move in position.legal_moves():
        if move != DEAL:
            assert to_state(Interner(), lifted(position.after(move))).key in reached, move


def every_step(state: State) -> Iterator[int]:
    """Every step that a state can be asked for, sensible or not, the deal left out."""
    for target in range(CELL + 1):
        for source in range(COLUMNS):
            for count in range(1, 14 if target < CELL else 2):
                if source != target:
                    yield source << 12 | target << 8 | count
        for card in FACE:
            if target < CELL:
                yield CELL << 12 | target << 8 | card
            yield FOUNDATION << 12 | target << 8 | card


def rightly(position: Position, number: int) -> bool:
    """Whether the rules allow what a step stands for, a whole column to an empty one included."""
    source, target, amount = number >> 12, number >> 8 & 15, number & 255
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
def test_a_step_does_something_where_the_rules_allow_it(position):
    position = lifted(position)
    state = to_state(Interner(), position)
    for number in every_step(state):
        assert (effect(state, number) is not None) == rightly(position, number), hex(number)


@given(st.lists(st.integers(1, 60)), st.lists(st.integers(1, 60)))
def test_keys_are_a_set(kept, others):
    keys = KeySet(0)
    for n, key in enumerate(kept):
        assert keys.add(key) == (key not in kept[:n])
    assert all(keys.has(key) == (key in kept) for key in kept + others)


@given(positions(), st.integers(-3000, 3000))
def test_steps_are_left_out_by_their_value_alone(position, more):
    table = Interner()
    state = to_state(table, lifted(position))
    every = Candidates(KeySet(0), NO_NOISE)
    expand(table, state, every)
    few = Candidates(KeySet(0), NO_NOISE)
    few.least = state.value + more
    expand(table, state, few)
    wanted = [pair for pair in zip(every.values, every.steps, strict=True) if pair[0] > few.least]
    assert list(zip(few.values, few.steps, strict=True)) == wanted
    assert few.judged == every.judged


@given(positions(), st.integers(1, 12), st.integers(0, 3))
def test_a_level_of_a_beam_holds_the_best_states_a_step_on(position, width, salt):
    table = Interner()
    state = to_state(table, lifted(position))
    misjudged = noise(200, salt) if salt else NO_NOISE
    known, opened_before = KeySet(0), [state.key]
    known.add(state.key)
    beam = [Node(state, None, 0)]
    for _ in range(3):
        every = Candidates(KeySet(0), misjudged)
        for key in opened_before:
            every.known.add(key)
        for reached in beam:
            expand(table, reached.state, every)
        if len(every.steps) < width:
            for reached in beam:
                expand_rare(table, reached.state, every)
        opened = Expansion(table, beam, known, misjudged)
        opened.run(width, 1_000_000)
        beam = opened.best(width)
        values = [reached.state.value + misjudged.of(reached.state.key) for reached in beam]
        assert values == sorted(every.values, reverse=True)[:width]
        for reached in beam:
            assert reached.before is not None
            assert after(table, reached.before.state, reached.step).key == reached.state.key
            opened_before.append(reached.state.key)
        if not beam:
            break


@given(positions())
def test_empty_columns_are_filled_and_a_row_is_dealt_as_the_rules_do_it(position):
    position = lifted(position)
    rows = rows_of(position)
    table = Interner()
    full = fill_empty_columns(table, to_state(table, position))
    if full is None:
        assert sum(len(pile.cards) for pile in position.view.piles[8:-1]) == 0
    elif rows:
        state, steps = full
        end = played(position, [*steps, ROW])
        assert same(unpack(dealt(table, state, rows[0]), rows[1:])) == same(end)


@given(positions())
def test_a_state_settles_by_lifting_whole_runs(position):
    table = Interner()
    state = to_state(table, position)
    still = lift_whole_runs(table, state.columns.copy(), state.cells, state.foundations, state.rows)
    assert same(unpack(still, rows_of(position))) == same(lifted(position))


# What a view packs to


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
    assert shown(state).piles[:8] == view.piles[:8]


@given(positions())
def test_a_view_offers_the_steps_of_its_position(position):
    position = lifted(position)
    table, blind = Interner(), Interner()
    state, seen = to_state(table, position), state_of_view(blind, position.view)
    assert seen.value == state.value
    known = {step for _, step in every_child(table, state)}
    offered = {step for _, step in every_child(blind, seen)}
    assert offered <= known
    keys = {after(table, state, step).key for step in offered}
    assert len(keys) == len(offered)


def test_a_dark_column_is_worth_the_turn_of_a_card_nobody_knows():
    two, one = Interner().dark(2), Interner().dark(1)
    assert two.worth == w.UNSEEN + w.HIDDEN + w.HIDDEN_SQUARED + w.HIDDEN_COLUMN + w.BREAK
    assert one.worth == w.UNSEEN + 6 * w.BASE_LACK
    assert (two.rank, two.run, two.height) == (0, 0, 0)
