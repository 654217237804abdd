"""The interface of a game: a `Variant` judges a `View`; a `Position` adds the hidden cards.

Legality, legal moves, won and stuck are decided from the view, a type without a field for a
face-down card, so that no answer can reveal one.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from service.errors import IllegalMoveError, PositionError
from service.games.cards import FACES, Card
from service.games.moves import Move
from service.games.piles import Layout, Pile, PileCards
from service.games.taking_back import taken_back

VerdictName = Literal["winnable", "unwinnable", "unknown"]
"""What is known about a position: that it can be won, that it cannot, or neither."""


class Refusal(NamedTuple):
    """Why the rules refuse a move: the rule code, a sentence for people, the piles concerned."""

    rule: str
    detail: str
    piles: tuple[str, ...] = ()


_WON = Refusal("game-over", "The game is won and takes no more moves.")


class Reveal(NamedTuple):
    """A card turned face up by a move, and the pile it lies on."""

    pile: str
    card: Card


class Variant(ABC):
    """One game: its table, its pack and its rules. `service.games.VARIANTS` has one instance each.

    `ruleset` is the name of the game and the edition of its rules, as in `binary-star/1`; `rules`
    is their text in Markdown. `actions` lists every move that some position allows, in an order
    that never changes.
    """

    name: str
    title: str
    ruleset: str
    rules: str
    layout: Layout
    pack: tuple[Card, ...]
    actions: tuple[Move, ...]

    @cached_property
    def action_index(self) -> dict[Move, int]:
        """The index of each action in `actions`."""
        return {move: index for index, move in enumerate(self.actions)}

    @cached_property
    def unshuffled(self) -> "View":
        """The view of a deal that nobody plays: how many cards each pile begins with."""
        return self.start(self.pack).view

    @abstractmethod
    def start(self, pack: Sequence[Card]) -> "Position":
        """The position after dealing `pack`, the shuffled pack of this game, in its order."""

    @abstractmethod
    def why_not(self, view: "View", move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal. The game is not won.

        This is the one judge of legality; all else derives from it.
        """

    @abstractmethod
    def legal_moves(self, view: "View") -> tuple[Move, ...]:
        """Every legal move that changes something; of equivalent targets, the first.

        The game is not won.
        """

    @abstractmethod
    def won(self, view: "View") -> bool:
        """Whether the game is won."""

    @abstractmethod
    def stuck(self, view: "View") -> bool:
        """Whether only undo leads on from here. The game is not won."""

    @abstractmethod
    def why_unreachable(self, position: "Position") -> str | None:
        """Why no game can reach `position`, in a sentence, or None if one may.

        Missing and surplus cards are such reasons.
        """

    def apply(self, position: "Position", move: Move) -> "Played":
        """`position` after the legal move `move`, and the cards that it turned face up."""
        return move_cards(position, move)

    def take_back(self, position: "Position", line: Sequence[Move]) -> "Position":
        """The position before the last move of `line`, which led from a deal to `position`.

        Whoever overrides `apply` overrides this too, except for dealing rows.
        """
        return taken_back(position, self.unshuffled, line)


@dataclass(frozen=True)
class View:
    """What the player sees: the piles of the table in layout order.

    A view is immutable, so its legal moves and whether it is won or stuck are computed once.
    """

    variant: Variant
    piles: tuple[Pile, ...]

    def __getitem__(self, id: str) -> Pile:
        return self.piles[self.variant.layout.index[id]]

    def kind(self, kind: str) -> tuple[Pile, ...]:
        """The piles of one kind, in order."""
        return tuple(pile for pile in self.piles if pile.kind == kind)

    @property
    def hidden(self) -> int:
        """How many cards lie face down, the stock included."""
        return sum(pile.hidden for pile in self.piles)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The face-down cards in the order of the unshuffled pack, which says not where each is."""
        left = Counter(self.variant.pack)
        left.subtract(card for pile in self.piles for card in pile.cards)
        return tuple(left.elements())

    def why_not(self, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal."""
        return _WON if self.won else self.variant.why_not(self, move)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move that changes something, none in a won game; see `Variant`."""
        return self._legal_moves

    @cached_property
    def _legal_moves(self) -> tuple[Move, ...]:
        return () if self.won else self.variant.legal_moves(self)

    @cached_property
    def won(self) -> bool:
        """Whether the game is won."""
        return self.variant.won(self)

    @cached_property
    def stuck(self) -> bool:
        """Whether only undo leads on; a won game is not stuck."""
        return not self.won and self.variant.stuck(self)


@dataclass(frozen=True, slots=True)
class Position:
    """A position, every card known. `under[i]` are the face-down cards of pile i, bottom to top.

    Those of a stock stand in the order in which they will be dealt.
    """

    view: View
    under: tuple[tuple[Card, ...], ...]

    @property
    def variant(self) -> Variant:
        """The game whose position this is."""
        return self.view.variant

    def why_not(self, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal."""
        return self.view.why_not(move)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move that changes something, none in a won game; see `Variant`."""
        return self.view.legal_moves()

    def play(self, move: Move) -> "Played":
        """This position after `move`, and the cards it turned. Raises `IllegalMoveError`."""
        refusal = self.why_not(move)
        if refusal is not None:
            raise IllegalMoveError(str(move), refusal.rule, refusal.detail, refusal.piles)
        return self.variant.apply(self, move)

    def after(self, move: Move) -> "Position":
        """This position after `move`. Raises `IllegalMoveError`."""
        return self.play(move).position


def position_of(variant: Variant, piles: Iterable[PileCards]) -> Position:
    """The position with these piles; the piles left out are empty.

    Raises `PositionError` for a pile that `variant` does not have, and for one given twice.
    """
    layout = variant.layout
    given: dict[str, PileCards] = {}
    for pile in piles:
        if pile.id not in layout.index:
            raise PositionError(f"{variant.title} has no pile {pile.id}.")
        if pile.id in given:
            raise PositionError(f"Pile {pile.id} is given twice.")
        given[pile.id] = pile
    known = [given.get(id) or PileCards(id, (), ()) for id in layout.ids]
    seen = tuple(
        Pile(id, kind, len(under), cards)
        for (id, under, cards), kind in zip(known, layout.kinds, strict=True)
    )
    return Position(View(variant, seen), tuple(pile.under for pile in known))


def reachable_position(variant: Variant, piles: Iterable[PileCards]) -> Position:
    """The same; raises `PositionError` also for a position that no game can reach."""
    position = position_of(variant, piles)
    why = variant.why_unreachable(position)
    if why is not None:
        raise PositionError(why)
    return position


def position_of_open_view(view: View) -> Position:
    """The position that `view` shows. Raises `ValueError` if a card lies face down."""
    if view.hidden:
        raise ValueError("A view with face-down cards does not determine the position.")
    return Position(view, ((),) * len(view.piles))


def with_stand_ins(view: View) -> Position:
    """A position that `view` shows, to play moves that turn no card.

    Aces stand in for the face-down cards: in Astrocyte, no card goes onto an ace.
    """
    return Position(view, tuple((FACES[0],) * pile.hidden for pile in view.piles))


class Played(NamedTuple):
    """The position after a move, and the cards that the move turned face up."""

    position: Position
    reveals: tuple[Reveal, ...]


def move_cards(position: Position, move: Move) -> Played:
    """`position` after `move.count` top cards have moved from pile to pile.

    A face-down card that becomes the top is turned up within the same move (A12).
    """
    view = position.view
    layout = view.variant.layout
    source, target = layout.index[move.source], layout.index[move.target]
    piles = list(view.piles)
    left, taken = piles[source], piles[source].cards[-move.count :]
    kept = left.cards[: -move.count]
    under, reveals = position.under, tuple[Reveal, ...]()
    if not kept and left.hidden:
        *deeper, turned = under[source]
        under = (*under[:source], tuple(deeper), *under[source + 1 :])
        piles[source] = Pile(left.id, left.kind, left.hidden - 1, (turned,))
        reveals = (Reveal(left.id, turned),)
    else:
        piles[source] = left.with_cards(kept)
    piles[target] = piles[target].with_cards(piles[target].cards + taken)
    return Played(Position(View(view.variant, tuple(piles)), under), reveals)
