"""The rules of Astrocyte, `astrocyte/1`, each by its number in RULES.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from typing_extensions import override

from service.games.astrocyte.legal_moves import legal_moves
from service.games.astrocyte.table import (
    CELLS,
    COLUMNS,
    DEALT_A_COLUMN,
    FOUNDATIONS,
    LAYOUT,
    ROWS,
    STOCK,
    WHOLE_RUN,
    fits,
    run_length,
)
from service.games.base import Variant, position_of
from service.games.cards import RANK, TWO_PACKS, Card
from service.games.moves import DEAL, Move
from service.games.piles import Pile, PileCards
from service.games.position import Played, Position, Refusal, Reveal, View, move_cards

_PLACE = LAYOUT.index


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
    layout = LAYOUT
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
        return _why_not(view, move)

    @override
    def legal_moves(self, view: View) -> tuple[Move, ...]:
        return legal_moves(view)

    @override
    def won(self, view: View) -> bool:
        # A17
        for cards in view.cards[COLUMNS + CELLS : STOCK]:  # noqa: SIM110  # quicker than a generator
            if len(cards) < WHOLE_RUN:
                return False
        return True

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


def _why_not(view: View, move: Move) -> Refusal | None:
    if move == DEAL:
        return _why_no_deal(view)
    source_id, target_id, _ = move
    source, target = _PLACE.get(source_id, -1), _PLACE.get(target_id, -1)
    if source < 0 or target < 0:
        id = source_id if source < 0 else target_id
        return Refusal("no-such-pile", f"Astrocyte has no pile {id}.", (id,))
    if STOCK in (source, target):
        return Refusal("not-available", "The stock only deals rows.", ("s",))
    if source == target:
        return Refusal("same-pile", "Cards move from one pile to another.", (source_id,))
    return _why_not_from(source, view.cards[source], move) or _why_not_onto(
        source, view.cards[source], target, view.cards[target], move
    )


def _why_no_deal(view: View) -> Refusal | None:
    """Why no row can be dealt now, or None (A13)."""
    if not view.face_down[STOCK]:
        return Refusal("stock-empty", "The stock is empty: all five rows are dealt.", ("s",))
    empty = tuple(column.id for column in view.piles[:COLUMNS] if column.is_empty)
    if empty:
        return Refusal(
            "deal-blocked-by-empty-column",
            f"A row is dealt only while no column is empty; fill {', '.join(empty)} first.",
            empty,
        )
    return None


def _why_not_from(source: int, cards: tuple[Card, ...], move: Move) -> Refusal | None:
    """Why the cards cannot leave their pile, or None (A5, A7, A11)."""
    id, _, count = move
    if not cards:
        return Refusal("source-empty", f"{id} is empty.", (id,))
    if source >= COLUMNS:
        if count != 1:
            return Refusal("count-invalid", f"One card at a time leaves {id}.", (id,))
        return None
    if count > len(cards):
        return Refusal(
            "not-available", f"Column {id} has {len(cards)} face-up cards, not {count}.", (id,)
        )
    if count == 1:
        return None
    taken = cards[-count:]
    if run_length(taken) == count:
        return None
    if all(RANK[lower] - RANK[upper] == 1 for lower, upper in pairwise(taken)):
        return Refusal("run-not-one-suit", "The cards of a run are of one suit.", (id,))
    return Refusal(
        "run-not-descending", "In a run each card is one rank lower than the card under it.", (id,)
    )


def _why_not_onto(
    source: int, cards: tuple[Card, ...], target: int, onto: tuple[Card, ...], move: Move
) -> Refusal | None:
    """Why the target does not accept the cards, or None (A4, A6 to A9, A11)."""
    source_id, id, count = move
    if target >= COLUMNS + CELLS:
        if COLUMNS <= source < COLUMNS + CELLS:
            return Refusal(
                "cell-to-foundation", "No card goes from a cell to a foundation.", (source_id,)
            )
        if count != WHOLE_RUN or source >= COLUMNS:
            return Refusal(
                "foundation-needs-full-run",
                "A foundation takes a whole run of a column, king to ace, at once.",
                (source_id, id),
            )
        if onto:
            return Refusal(
                "foundation-not-empty",
                f"Foundation {id} takes a run only while it is empty.",
                (id,),
            )
        return None
    if target >= COLUMNS:
        if count != 1:
            return Refusal("count-invalid", "A cell takes one card.", (id,))
        if onto:
            return Refusal("target-occupied", f"Cell {id} already holds a card.", (id,))
        return None
    if onto and not fits(cards[-count], onto[-1]):
        return Refusal(
            "rank-not-one-lower",
            f"{cards[-count]} is not one rank lower than {onto[-1]}, the top of {id}.",
            (source_id, id),
        )
    return None


def _deal_a_row(position: Position) -> Played:
    """`position` after one card from the stock has gone onto each column, left to right (A13)."""
    view, stock = position.view, position.under[STOCK]
    row, left = stock[:COLUMNS], stock[COLUMNS:]
    cards = list(view.cards)
    for column, card in enumerate(row):
        cards[column] += (card,)
    after = View(view.variant, None, tuple(cards), (*view.face_down[:STOCK], len(left)))
    reveals = map(Reveal, view.variant.layout.ids, row)
    return Played(Position(after, (*position.under[:STOCK], left)), tuple(reveals))


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
