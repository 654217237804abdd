"""Astrocyte positions for tests of the search: drawn at random, evaluated and compared by piles."""

from collections import Counter

from hypothesis import strategies as st

from service.games import VARIANTS
from service.games.base import Position, View
from service.games.cards import RANK, Card
from service.games.piles import Pile
from service.solvers.astrocyte import weights as w
from service.solvers.astrocyte.constants import CELLS, COLUMNS, RANK_BITS
from service.solvers.astrocyte.conversion import FACE, lift_all, moves_of
from service.solvers.astrocyte.state import Column, State
from tests.support.walks import WON_GAMES, choices, start, wandered

ASTROCYTE = VARIANTS["astrocyte"]
GAMES = WON_GAMES["astrocyte"]


def lifted(position: Position) -> Position:
    """`position` after lifting every whole run on top, as every step of a search does."""
    return lift_all(position)[0]


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


def column_score(hidden: int, cards: list[str]) -> int:
    """The score of a column, computed card by card."""
    if not cards:
        return 0
    ranks = [RANK[card] for card in cards]
    score, king_at_the_base = 0, not hidden and ranks[0] == 13
    if hidden:
        score += w.HIDDEN * hidden + w.HIDDEN_SQUARED * hidden**2 + w.HIDDEN_COLUMN + w.BREAK
        score += w.BURIED_KING * hidden * (ranks[0] == 13)
    else:
        score += w.BASE_KING if ranks[0] == 13 else w.BASE_LACK * (13 - ranks[0])
    runs, sequence = [1], 1
    for place in range(1, len(cards)):
        card, below = cards[place], cards[place - 1]
        if ranks[place - 1] - ranks[place] == 1:
            sequence += 1
            if card[1] == below[1]:
                runs[-1] += 1
                score += w.SUITED + w.KING_RUN * (king_at_the_base and len(runs) == 1)
                continue
            score += w.FITTING
        else:
            score += w.BREAK + w.SEQUENCE * sequence
            score += w.INVERTED * max(0, ranks[place] - min(ranks[:place]))
            score += w.BURIED_KING * (hidden + place) * (ranks[place] == 13)
            sequence = 1
        runs.append(1)
    score += sum(w.RUN_SQUARED * length**2 for length in runs if length > 1)
    return score + w.DIGGING * len(runs) * bool(hidden)


def value(position: Position) -> int:
    """The evaluation of a position, computed from its piles."""
    view = position.view
    columns, stock = view.kind("tableau"), view["s"].hidden // 8
    cells = [pile.cards[0] for pile in view.kind("cell") if pile.cards]
    empty = sum(column.is_empty for column in columns)
    tops = {RANK[column.cards[-1]] for column in columns if column.cards} - {1}
    score = sum(column_score(column.hidden, list(column.cards)) for column in columns)
    score += w.HIDDEN_LATE * (5 - stock) * sum(column.hidden for column in columns)
    score += w.FIRST_EMPTY * (empty > 0) + w.MORE_EMPTY * max(0, empty - 1)
    score += w.DISTINCT_TOP * len(tops) + w.ROW_LEFT * stock
    score += w.USED_CELL * len(cells) + w.USED_CELLS_SQUARED * len(cells) ** 2
    score += w.CELL_LATE * (5 - stock) * len(cells)
    score += w.CELL_KING * sum(card[0] == "K" for card in cells)
    for pile in view.kind("foundation"):
        if len(pile.cards) == 13:
            score += w.WHOLE_RUN_OFF
        elif pile.cards:
            score += w.BROKEN_RUN + w.BROKEN_CARD * len(pile.cards)
    return score


def same(position: Position):
    """A key of positions that are equal up to the order of cells and foundations."""
    view = position.view
    others = Counter(pile[1:] for pile in view.piles[8:])
    return view.piles[:8], others, position.under[:8], position.under[-1]


def to_view(state: State) -> View:
    """The view of `state`, with used cells and foundations first, in the order of their cards."""
    piles = []
    for id, column in zip(ASTROCYTE.layout.ids, state.columns, strict=False):
        piles.append(Pile(id, "tableau", column.hidden, _cards(column, column.height)))
    cells = [(FACE[code],) for code in state.cells.cards]
    runs = [
        tuple(FACE[code] for code in range((top | RANK_BITS) - 2, top - 1, -1))
        for top in state.foundations.tops
    ]
    for n in range(CELLS):
        piles.append(Pile(f"c{n + 1}", "cell", 0, cells[n] if n < len(cells) else ()))
    for n in range(COLUMNS):
        piles.append(Pile(f"f{n + 1}", "foundation", 0, runs[n] if n < len(runs) else ()))
    piles.append(Pile("s", "stock", state.rows * COLUMNS, ()))
    return View(ASTROCYTE, tuple(piles))


def to_position(state: State, rows: list[list[int]]) -> Position:
    """The position of `state`, with `rows` in its stock; see `to_view`."""
    under = []
    for column in state.columns:
        covered = column
        while covered.height and covered.hidden == column.hidden:
            covered = covered.under
        under.append(_cards(covered, column.hidden))
    nothing: tuple[tuple[Card, ...], ...] = ((),) * (CELLS + COLUMNS)
    stock = tuple(FACE[code] for row in rows for code in row)
    return Position(to_view(state), (*under, *nothing, stock))


def _cards(column: Column, count: int) -> tuple[Card, ...]:
    """The `count` top cards of `column`, bottom to top, face-up or face-down."""
    cards = []
    for _ in range(count):
        cards.append(FACE[column.card])
        column = column.under
    return tuple(reversed(cards))
