"""The interface of a game: a `Variant` judges a `View`; a `Position` adds the hidden cards.

Legality, legal moves, won and stuck are decided from the view, a type without a field for a
face-down card, so that no answer can reveal one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from service.errors import PositionError
from service.games.cards import FACES, Card
from service.games.moves import Move
from service.games.piles import Layout, PileCards
from service.games.position import Played, Position, Refusal, Reveal, View, move_cards
from service.games.taking_back import taken_back

__all__ = [
    "Played",
    "Position",
    "Refusal",
    "Reveal",
    "Variant",
    "VerdictName",
    "View",
    "move_cards",
    "position_of",
    "position_of_open_view",
    "reachable_position",
    "with_stand_ins",
]

VerdictName = Literal["winnable", "unwinnable", "unknown"]
"""What is known about a position: that it can be won, that it cannot, or neither."""


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
    def unshuffled(self) -> View:
        """The view of a deal that nobody plays: how many cards each pile begins with."""
        return self.start(self.pack).view

    @abstractmethod
    def start(self, pack: Sequence[Card]) -> Position:
        """The position after dealing `pack`, the shuffled pack of this game, in its order."""

    @abstractmethod
    def why_not(self, view: View, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal. The game is not won.

        This is the one judge of legality; all else derives from it.
        """

    @abstractmethod
    def legal_moves(self, view: View) -> tuple[Move, ...]:
        """Every legal move that changes something; of equivalent targets, the first.

        The game is not won.
        """

    @abstractmethod
    def won(self, view: View) -> bool:
        """Whether the game is won."""

    @abstractmethod
    def stuck(self, view: View) -> bool:
        """Whether only undo leads on from here. The game is not won."""

    @abstractmethod
    def why_unreachable(self, position: Position) -> str | None:
        """Why no game can reach `position`, in a sentence, or None if one may.

        Missing and surplus cards are such reasons.
        """

    def apply(self, position: Position, move: Move) -> Played:
        """`position` after the legal move `move`, and the cards that it turned face up."""
        return move_cards(position, move)

    def take_back(
        self, position: Position, line: Sequence[Move], start: View | None = None
    ) -> Position:
        """The position before the last move of `line`, which led to `position`.

        It led there from `start`, by default from a deal. Whoever overrides `apply` overrides this
        too, except for dealing rows.
        """
        return taken_back(position, start or self.unshuffled, line)


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
    under = tuple([pile.under for pile in known])
    cards = tuple([pile.cards for pile in known])
    return Position(View(variant, None, cards, tuple(map(len, under))), under)


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
    return Position(view, tuple([(FACES[0],) * count for count in view.face_down]))
