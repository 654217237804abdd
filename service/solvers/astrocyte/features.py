"""The features of an Astrocyte leaf from which the chance to win is estimated.

All are computed from cards that the player has seen.
"""

from typing import Final

from service.solvers.astrocyte.constants import CELLS, KING, RANK_BITS, ROWS, WHOLE
from service.solvers.astrocyte.lookahead import Leaf
from service.solvers.astrocyte.state import Cells, Column, State

# fmt: off
FEATURES: Final = (
    # _pile_features
    "evaluation", "rows_left", "deals", "whole_foundations",
    "used_cells", "kings_in_cells", "ranks_in_cells",
    # _hidden_features
    "empty_columns", "hidden", "hidden_squared", "columns_with_hidden", "columns_without_hidden",
    "hidden_1", "hidden_2", "hidden_3", "hidden_4", "hidden_5", "hidden_6", "hidden_7", "hidden_8",
    "runs_over_hidden_1", "runs_over_hidden_2", "runs_over_hidden",
    "to_clear_1", "to_clear_2", "to_clear_3", "to_clear_4",
    "left_under_turn", "turns_last",
    # ColumnFeatures.sums[:10]
    "suited_pairs", "run_lengths_squared", "fits", "breaks", "inversions",
    "open_king_bases", "open_king_base_runs", "buried_kings", "cards_under_buried_kings",
    "hidden_under_king_bases",
    # _top_features
    "distinct_tops", "unseen_fits", "unseen_suited_fits",
    # ColumnFeatures.longest, merged
    "longest_run_1", "longest_run_2", "longest_run_3", "longest_run_4",
    # ColumnFeatures.sums[10:15]
    "runs_of_5", "runs_of_8", "runs_of_10", "runs", "open_runs",
    # UnseenCards.suits
    "seen_ranks_squared", "most_seen_ranks", "suits_seen",
    # leaf_features
    "tallest_column", "unseen_kings", "unseen_aces",
    # ColumnFeatures.sums[15:]
    "open_bases_below_king", "single_cards", "cards_over_hidden",
    # _interactions
    "no_free_cell", "used_cells_squared", "evaluation_by_rows_dealt", "hidden_by_rows_dealt",
    "rows_left_squared",
)
# fmt: on
"""The names of the features, in their order; `model.json` is fitted to exactly this order."""


class ColumnFeatures:
    """The features of one column."""

    __slots__ = ("longest", "runs", "sums")

    def __init__(self, column: Column) -> None:
        runs, pairs, squares, fits, breaks, inversions = 0, 0, 0, 0, 0, 0
        kings, king_depth, lone, long, longer, whole = 0, 0, 0, 0, 0, 0
        self.longest: list[int] = [0, 0, 0, 0]
        """Length of the longest run of each suit."""
        top = column
        while top.rank:
            run = top
            for _ in range(top.run - 1):
                run = run.under
            length, under = top.run, run.under
            runs += 1
            pairs += length - 1
            squares += length * length if length > 1 else 0
            lone += length == 1
            long += length >= 5
            longer += length >= 8
            whole += length >= 10
            suit = top.card >> 4
            self.longest[suit] = max(self.longest[suit], length)
            if run.height == 1:
                break
            if under.rank - run.rank == 1:
                fits += 1
            else:
                breaks += 1
                inversions += max(0, run.rank - under.lowest)
                if run.rank == KING:
                    kings += 1
                    king_depth += run.hidden + run.height - 1
            top = under
        base = column
        for _ in range(column.height - 1):
            base = base.under
        open_base = not column.hidden and column.height > 0
        king = base.rank == KING
        self.runs: int = runs
        """Number of runs."""
        self.sums: list[int] = [
            pairs,
            squares,
            fits,
            breaks,
            inversions,
            1 if open_base and king else 0,
            base_run(column) if open_base and king else 0,
            kings,
            king_depth,
            column.hidden if king and column.hidden else 0,
            long,
            longer,
            whole,
            runs,
            0 if column.hidden else runs,
            KING - base.rank if open_base else 0,
            lone,
            column.height if column.hidden else 0,
        ]
        """Features that add up over columns, in the order of `FEATURES`."""


def base_run(column: Column) -> int:
    """Length of the lowest run of `column`."""
    while column.run < column.height:
        for _ in range(column.run):
            column = column.under
    return column.run


class UnseenCards:
    """The cards that are unseen at the start of a search."""

    __slots__ = ("cards", "ranks", "suits", "unseen")

    def __init__(self, state: State) -> None:
        self.cards: list[int] = [2] * 64
        """Number of unseen copies, by card."""
        distinct = [0, 0, 0, 0]
        for top in state.foundations.tops:
            for rank in range(top & RANK_BITS, WHOLE + 1):
                self.cards[(top & ~RANK_BITS) | rank] -= 1
        for card in state.cells.cards:
            self.cards[card] -= 1
        for column in state.columns:
            seen = column
            for _ in range(column.height):
                self.cards[seen.card] -= 1
                seen = seen.under
        self.ranks: list[int] = [0] * (KING + 1)
        """Number of unseen cards, by rank."""
        for suit in range(4):
            for rank in range(1, KING + 1):
                left = self.cards[suit << 4 | rank]
                self.ranks[rank] += left
                distinct[suit] += left < 2
        self.unseen: int = sum(self.ranks)
        self.suits: list[float] = [
            sum([ranks * ranks for ranks in distinct]) / 10,
            max(distinct),
            distinct.count(KING),
        ]
        """Features of the suits, by the ranks of which a card has been seen."""


def leaf_features(
    leaf: Leaf, seen: UnseenCards, cache: dict[Column, ColumnFeatures]
) -> list[float]:
    """The features of `leaf`, in the order of `FEATURES`; `cache` keeps those of columns."""
    state = leaf.node.state
    known, tallest, hidden = [], 0, 0
    longest, sums = [0, 0, 0, 0], [0] * 18
    for column in state.columns:
        features = cache.get(column)
        if features is None:
            features = cache[column] = ColumnFeatures(column)
        known.append(features)
        hidden += column.hidden
        tallest = max(tallest, column.hidden + column.height)
        for suit in range(4):
            longest[suit] = max(longest[suit], features.longest[suit])
        for n, number in enumerate(features.sums):
            sums[n] += number
    longest.sort()
    return [
        *_pile_features(leaf, state),
        *_hidden_features(state, known),
        sums[0],
        sums[1] / 10,
        *sums[2:10],
        *_top_features(state, seen),
        *longest,
        *sums[10:15],
        *seen.suits,
        tallest,
        seen.ranks[KING],
        seen.ranks[1],
        *sums[15:],
        *_interactions(leaf.value, state.rows, state.cells, hidden),
    ]


def _pile_features(leaf: Leaf, state: State) -> list[float]:
    """Features of the stock, the foundations and the cells."""
    kings, ranks = 0, 0
    for card in state.cells.cards:
        ranks += card & RANK_BITS
        kings += card & RANK_BITS == KING
    return [
        leaf.value / 1000,
        state.rows,
        1.0 if leaf.deals else 0.0,
        state.foundations.whole,
        state.cells.count,
        kings,
        ranks,
    ]


def _hidden_features(state: State, known: list[ColumnFeatures]) -> list[float]:
    """Features of the face-down cards, and of what lies over them; `known` is of each column."""
    hidden, runs_over_hidden, to_clear = [], [], []
    total = squares = covered = empty = turning = 0
    for n, column in enumerate(state.columns):
        count, runs = column.hidden, known[n].runs
        hidden.append(count)
        total += count
        squares += count * count
        if count:
            covered += 1
            runs_over_hidden.append(runs)
        elif not column.height:
            empty += 1
        to_clear.append(count + runs)
        if column.unknown_top:
            turning = count
    hidden.sort()
    runs_over_hidden = [*sorted(runs_over_hidden), 0, 0]
    to_clear.sort()
    return [
        empty,
        total,
        squares,
        covered,
        len(state.columns) - covered - empty,
        *hidden,
        runs_over_hidden[0],
        runs_over_hidden[1],
        sum(runs_over_hidden),
        *to_clear[:4],
        turning - 1 if turning else 0,
        1.0 if turning == 1 else 0.0,
    ]


def _top_features(state: State, seen: UnseenCards) -> list[float]:
    """Features of the column tops: distinct ranks, and the share of unseen cards that fit them."""
    tops = {column.card for column in state.columns if column.rank > 1}
    ranks = {card & RANK_BITS for card in tops}
    unseen = seen.unseen or 1
    fits = sum([seen.ranks[rank - 1] for rank in ranks])
    suited = sum([seen.cards[card - 1] for card in tops])
    return [len(ranks), fits / unseen, suited / unseen]


def _interactions(value: int, rows: int, cells: Cells, hidden: int) -> list[float]:
    """Products and thresholds of other features."""
    dealt = ROWS - rows
    return [
        1.0 if cells.count == CELLS else 0.0,
        cells.count * cells.count,
        value / 1000 * dealt / 5,
        hidden * dealt / 10,
        rows * rows,
    ]
