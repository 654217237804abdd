"""The table of Astrocyte: how many piles and cards it has, and what a run is."""

from collections.abc import Sequence
from itertools import pairwise

from service.games.cards import FACES, RANK, Card
from service.games.piles import Group, Layout, group

COLUMNS = 8
CELLS = 4
FOUNDATIONS = 8
STOCK = COLUMNS + CELLS + FOUNDATIONS
"""The place of the stock on the table, after all other piles."""

DEALT_A_COLUMN = 8
ROWS = 5
WHOLE_RUN = 13

LAYOUT = Layout(
    (
        group("tableau", "column", "t", COLUMNS),
        group("cell", "cell", "c", CELLS),
        group("foundation", "foundation", "f", FOUNDATIONS),
        Group("stock", "stock", ("s",)),
    )
)

HIGHER: dict[Card, Card] = dict(pair for pair in pairwise(FACES) if pair[0][1] == pair[1][1])
"""The card of the same suit one rank higher; a king has none."""


def run_length(cards: Sequence[Card]) -> int:
    """How many top cards of `cards` form a run: one suit, each a rank lower than the one below."""
    if not cards:
        return 0
    length = 1
    for place in range(len(cards) - 1, 0, -1):
        if HIGHER.get(cards[place]) != cards[place - 1]:
            break
        length += 1
    return length


def fits(card: Card, onto: Card) -> bool:
    """Whether `card` goes onto `onto`: exactly one rank lower, any suit, nothing on an ace (A4)."""
    return RANK[onto] - RANK[card] == 1
