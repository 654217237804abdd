"""The rules of Astrocyte, `astrocyte/1`, each by its number in RULES.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from typing_extensions import override

from service.games.base import (
    Played,
    Position,
    Refusal,
    Reveal,
    Variant,
    View,
    move_cards,
    position_of,
)
from service.games.cards import RANK, RANKS, SUITS, TWO_PACKS, Card
from service.games.moves import DEAL, Move
from service.games.piles import Group, Layout, Pile, PileCards, group

COLUMNS = 8
CELLS = 4
FOUNDATIONS = 8
DEALT_A_COLUMN = 8
ROWS = 5
WHOLE_RUN = 13

HIGHER: dict[Card, Card] = {
    Card(RANKS[rank - 1] + suit): Card(RANKS[rank] + suit)
    for suit in SUITS
    for rank in range(1, WHOLE_RUN)
}
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


def _actions() -> Iterator[Move]:
    """Every move that some position allows, in the order of the action table."""
    columns = [f"t{n}" for n in range(1, COLUMNS + 1)]
    cells = [f"c{n}" for n in range(1, CELLS + 1)]
    foundations = [f"f{n}" for n in range(1, FOUNDATIONS + 1)]
    yield DEAL
    for source in columns:
        for target in columns:
            if source != target:
                yield from (Move(source, target, count) for count in range(1, WHOLE_RUN + 1))
    yield from (Move(column, home, WHOLE_RUN) for column in columns for home in foundations)
    yield from (Move(column, cell) for column in columns for cell in cells)
    yield from (Move(cell, column) for cell in cells for column in columns)
    yield from (Move(home, column) for home in foundations for column in columns)
    yield from (Move(home, cell) for home in foundations for cell in cells)
    yield from (Move(one, other) for one in cells for other in cells if one != other)


class Astrocyte(Variant):
    """Astrocyte. Columns and stock hide cards; a view shows how many, never which."""

    name = "astrocyte"
    title = "Astrocyte"
    ruleset = "astrocyte/1"
    rules = files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")
    layout = Layout(
        (
            group("tableau", "column", "t", COLUMNS),
            group("cell", "cell", "c", CELLS),
            group("foundation", "foundation", "f", FOUNDATIONS),
            Group("stock", "stock", ("s",)),
        )
    )
    pack = TWO_PACKS
    actions = tuple(_actions())

    @override
    def start(self, pack: Sequence[Card]) -> Position:
        """Deals eight rounds, the last one face up; the rest is the stock (A2, A3)."""
        dealt = COLUMNS * DEALT_A_COLUMN
        columns = [tuple(pack[n:dealt:COLUMNS]) for n in range(COLUMNS)]
        piles = [PileCards(f"t{n}", c[:-1], c[-1:]) for n, c in enumerate(columns, start=1)]
        return position_of(self, [*piles, PileCards("s", tuple(pack[dealt:]), ())])

    @override
    def why_not(self, view: View, move: Move) -> Refusal | None:
        if move == DEAL:
            return self._why_no_deal(view)
        for id in move[:2]:
            if id not in self.layout.index:
                return Refusal("no-such-pile", f"Astrocyte has no pile {id}.", (id,))
        if "s" in move[:2]:
            return Refusal("not-available", "The stock only deals rows.", ("s",))
        if move.source == move.target:
            return Refusal("same-pile", "Cards move from one pile to another.", (move.source,))
        return self._why_not_from(view, move) or self._why_not_onto(view, move)

    def _why_no_deal(self, view: View) -> Refusal | None:
        """Why no row can be dealt now, or None (A13)."""
        if not view["s"].hidden:
            return Refusal("stock-empty", "The stock is empty: all five rows are dealt.", ("s",))
        empty = tuple(column.id for column in view.piles[:COLUMNS] if column.is_empty)
        if empty:
            return Refusal(
                "deal-blocked-by-empty-column",
                f"A row is dealt only while no column is empty; fill {', '.join(empty)} first.",
                empty,
            )
        return None

    def _why_not_from(self, view: View, move: Move) -> Refusal | None:
        """Why the cards cannot leave their pile, or None (A5, A7, A11)."""
        source, cards = view[move.source], view[move.source].cards
        if not cards:
            return Refusal("source-empty", f"{source.id} is empty.", (source.id,))
        if source.kind != "tableau":
            if move.count != 1:
                return Refusal(
                    "count-invalid", f"One card at a time leaves {source.id}.", (source.id,)
                )
            return None
        if move.count > len(cards):
            return Refusal(
                "not-available",
                f"Column {source.id} has {len(cards)} face-up cards, not {move.count}.",
                (source.id,),
            )
        taken = cards[-move.count :]
        if run_length(taken) == move.count:
            return None
        if all(RANK[lower] - RANK[upper] == 1 for lower, upper in pairwise(taken)):
            return Refusal("run-not-one-suit", "The cards of a run are of one suit.", (source.id,))
        return Refusal(
            "run-not-descending",
            "In a run each card is one rank lower than the card under it.",
            (source.id,),
        )

    def _why_not_onto(self, view: View, move: Move) -> Refusal | None:
        """Why the target does not accept the cards, or None (A4, A6 to A9, A11)."""
        source, target = view[move.source], view[move.target]
        if target.kind == "cell":
            if move.count != 1:
                return Refusal("count-invalid", "A cell takes one card.", (target.id,))
            if target.cards:
                return Refusal(
                    "target-occupied", f"Cell {target.id} already holds a card.", (target.id,)
                )
            return None
        if target.kind == "foundation":
            if source.kind == "cell":
                return Refusal(
                    "cell-to-foundation", "No card goes from a cell to a foundation.", (source.id,)
                )
            if move.count != WHOLE_RUN or source.kind != "tableau":
                return Refusal(
                    "foundation-needs-full-run",
                    "A foundation takes a whole run of a column, king to ace, at once.",
                    (source.id, target.id),
                )
            if target.cards:
                return Refusal(
                    "foundation-not-empty",
                    f"Foundation {target.id} takes a run only while it is empty.",
                    (target.id,),
                )
            return None
        highest = source.cards[-move.count]
        if target.cards and not fits(highest, target.cards[-1]):
            return Refusal(
                "rank-not-one-lower",
                f"{highest} is not one rank lower than {target.cards[-1]}, the top of {target.id}.",
                (source.id, target.id),
            )
        return None

    @override
    def legal_moves(self, view: View) -> tuple[Move, ...]:
        columns = view.piles[:COLUMNS]
        others = view.piles[COLUMNS:-1]
        cell = next((pile.id for pile in others if pile.kind == "cell" and not pile.cards), None)
        home = next((p.id for p in others if p.kind == "foundation" and not p.cards), None)
        empty = next((column.id for column in columns if not column.cards), None)
        tops = [(column.id, RANK[column.cards[-1]]) for column in columns if column.cards]
        found: list[Move] = []
        for id, _, hidden, cards in columns:
            if not cards:
                continue
            length, lowest = run_length(cards), RANK[cards[-1]]
            highest = lowest + length
            found += [
                Move(id, target, rank - lowest) for target, rank in tops if lowest < rank <= highest
            ]
            if empty:
                whole = not hidden and length == len(cards)
                found += [Move(id, empty, n) for n in range(1, length + (not whole))]
            if cell:
                found.append(Move(id, cell))
            if home and length == WHOLE_RUN:
                found.append(Move(id, home, WHOLE_RUN))
        for id, kind, _, cards in others:
            if not cards:
                continue
            rank = RANK[cards[-1]] + 1
            found += [Move(id, target) for target, top in tops if top == rank]
            if empty:
                found.append(Move(id, empty))
            if cell and kind == "foundation":
                found.append(Move(id, cell))
        if self._why_no_deal(view) is None:
            found.append(DEAL)
        return tuple(found)

    @override
    def won(self, view: View) -> bool:
        # A17
        return all(len(pile.cards) == WHOLE_RUN for pile in view.piles[COLUMNS + CELLS : -1])

    @override
    def stuck(self, view: View) -> bool:
        # A18
        return not view.legal_moves()

    @override
    def apply(self, position: Position, move: Move) -> Played:
        return _deal_a_row(position) if move == DEAL else move_cards(position, move)

    @override
    def why_unreachable(self, position: Position) -> str | None:
        view = position.view
        seen = Counter(card for pile in view.piles for card in pile.cards)
        if seen + Counter(card for cards in position.under for card in cards) != Counter(TWO_PACKS):
            return "The cards on the table are not two whole packs."
        return next(filter(None, map(_why_pile_unreachable, view.piles)), None)


def _deal_a_row(position: Position) -> Played:
    """`position` after one card from the stock has gone onto each column, left to right (A13)."""
    *piles, stock = position.view.piles
    row, left = position.under[-1][:COLUMNS], position.under[-1][COLUMNS:]
    columns = [
        column.with_cards((*column.cards, card))
        for column, card in zip(piles[:COLUMNS], row, strict=True)
    ]
    after = (*columns, *piles[COLUMNS:], Pile(stock.id, stock.kind, len(left), ()))
    reveals = tuple(Reveal(column.id, column.cards[-1]) for column in columns)
    view = View(position.variant, after)
    return Played(Position(view, (*position.under[:-1], left)), reveals)


def _why_pile_unreachable(pile: Pile) -> str | None:
    if pile.kind == "tableau":
        if pile.hidden and not pile.cards:
            return f"The top card of column {pile.id} lies face down."
        if pile.hidden >= DEALT_A_COLUMN:
            return f"Column {pile.id} hides more than {DEALT_A_COLUMN - 1} cards."
    elif pile.kind == "stock":
        if pile.cards or pile.hidden % COLUMNS or pile.hidden > ROWS * COLUMNS:
            return f"The stock holds at most {ROWS} whole rows of face-down cards."
    elif pile.hidden:
        return f"A card lies face down in {pile.id}."
    elif pile.kind == "cell":
        if len(pile.cards) > 1:
            return f"Cell {pile.id} holds more than one card."
    elif pile.cards and (
        RANK[pile.cards[0]] != WHOLE_RUN or run_length(pile.cards) < len(pile.cards)
    ):
        return f"Foundation {pile.id} does not hold a run from the king down."
    return None


ASTROCYTE = Astrocyte()
