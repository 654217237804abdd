"""The chance to win from an Astrocyte leaf, fitted to games played: what it looks at, and the sum.

What is looked at is seen by the player: nothing here can know a face-down card.
"""

from array import array
from math import tanh
from typing import Final

from service.solvers.astrocyte.constants import CELLS, KING, RANK_BITS, ROWS, WHOLE
from service.solvers.astrocyte.lookahead import Leaf
from service.solvers.astrocyte.state import Column, State

ROWS_LEFT: Final = 1
DEALS: Final = 2
"""Where a description tells how many rows are left, and whether one is dealt."""


class ColumnFeatures:
    """What a column adds to the description of a leaf."""

    __slots__ = ("lone", "longest", "ranks_lacking", "runs", "sums")

    def __init__(self, column: Column) -> None:
        runs, pairs, squares, fits, breaks, inversions = 0, 0, 0, 0, 0, 0
        kings, king_depth, lone, long, longer, whole = 0, 0, 0, 0, 0, 0
        self.longest: list[int] = [0, 0, 0, 0]
        """The longest run of each suit."""
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


def base_run(column: Column) -> int:
    """How many cards the lowest run of `column` has."""
    while column.run < column.height:
        for _ in range(column.run):
            column = column.under
    return column.run


class UnseenCards:
    """What the cards that are seen at the start of a search say about those that are not."""

    __slots__ = ("cards", "ranks", "suits", "unseen")

    def __init__(self, state: State) -> None:
        self.cards: list[int] = [2] * 64
        """How many of each card have not been seen."""
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
        """How many cards of each rank have not been seen."""
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
        """How complete suits are, by the ranks of which a card has been seen."""


def leaf_features(
    leaf: Leaf, seen: UnseenCards, traits: dict[Column, ColumnFeatures]
) -> list[float]:
    """The numbers that describe `leaf`; `traits` keeps what has been worked out of columns."""
    state = leaf.reached.state
    rows, cells = state.rows, state.cells
    dealt = ROWS - rows
    hidden, digging, clearing = [], [], []
    longest = [0, 0, 0, 0]
    sums = [0] * 18
    total = squares = covered = empty = tallest = turning = fits = suited = 0
    tops = set()
    for column in state.columns:
        known = traits.get(column)
        if known is None:
            known = traits[column] = ColumnFeatures(column)
        under = column.hidden
        hidden.append(under)
        total += under
        squares += under * under
        if under:
            covered += 1
            digging.append(known.runs)
        elif not column.height:
            empty += 1
        clearing.append(under + known.runs)
        tallest = max(tallest, under + column.height)
        for suit in range(4):
            longest[suit] = max(longest[suit], known.longest[suit])
        for n, number in enumerate(known.sums):
            sums[n] += number
        if column.dark:
            turning = under
        elif column.rank > 1 and column.card not in tops:
            tops.add(column.card)
            suited += seen.cards[column.card - 1]
    for rank in {card & RANK_BITS for card in tops}:
        fits += seen.ranks[rank - 1]
    distinct = len({card & RANK_BITS for card in tops})
    hidden.sort()
    digging = [*sorted(digging), 0, 0]
    clearing.sort()
    longest.sort()
    unseen = seen.unseen or 1
    kings, points = 0, 0
    for card in cells.cards:
        points += card & RANK_BITS
        kings += card & RANK_BITS == KING
    score = leaf.value / 1000
    return [
        score,
        rows,
        1.0 if leaf.deals else 0.0,
        state.foundations.whole,
        cells.count,
        kings,
        points,
        empty,
        total,
        squares,
        covered,
        len(state.columns) - covered - empty,
        *hidden,
        digging[0],
        digging[1],
        sum(digging),
        *clearing[:4],
        turning - 1 if turning else 0,
        1.0 if turning == 1 else 0.0,
        sums[0],
        sums[1] / 10,
        *sums[2:10],
        distinct,
        fits / unseen,
        suited / unseen,
        *longest,
        *sums[10:15],
        *seen.suits,
        tallest,
        seen.ranks[KING],
        seen.ranks[1],
        *sums[15:18],
        1.0 if cells.count == CELLS else 0.0,
        cells.count * cells.count,
        score * dealt / 5,
        total * dealt / 10,
        rows * rows,
    ]


class Net:
    """A fitted chance: a linear part, and hidden units of tanh, over features put to scale."""

    __slots__ = ("bias", "biases", "linear", "mean", "outputs", "scale", "scaled", "weights")

    def __init__(  # noqa: PLR0913, PLR0917  # the parts of one sum
        self,
        mean: list[float],
        scale: list[float],
        linear: list[float],
        bias: float,
        units: list[list[float]],
        biases: list[float],
        outputs: list[float],
    ) -> None:
        """`units` holds, for each hidden unit, a weight a feature."""
        self.mean: array[float] = array("d", mean)
        self.scale: array[float] = array("d", scale)
        self.linear: array[float] = array("d", linear)
        self.bias: float = bias
        self.weights: array[float] = array("d", [weight for unit in units for weight in unit])
        self.biases: array[float] = array("d", biases)
        self.outputs: array[float] = array("d", outputs)
        self.scaled: array[float] = array("d", mean)

    def logit(self, features: list[float]) -> float:
        """The logit of the chance to win."""
        scaled, linear, weights, total = self.scaled, self.linear, self.weights, self.bias
        count = len(features)
        for n in range(count):
            number: float = features[n]
            scaled[n] = (number - self.mean[n]) * self.scale[n]
            total += linear[n] * scaled[n]
        for unit in range(len(self.outputs)):
            inner = self.biases[unit]
            first = unit * count
            for n in range(count):
                inner += weights[first + n] * scaled[n]
            total += self.outputs[unit] * tanh(inner)
        return total
