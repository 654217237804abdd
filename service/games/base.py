"""What a game promises: a `Variant` judges a `View`; a `Position` adds the hidden cards to one.

Legality, legal moves, won and stuck are asked of the view, a type without a field for a hidden
card: whatever is answered from it cannot tell what lies face down.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from service.errors import IllegalMoveError
from service.games.cards import Card
from service.games.moves import Move
from service.games.piles import Layout, Pile

VerdictName = Literal["winnable", "unwinnable", "unknown"]
"""What may be known of a position: that it can be won, that it cannot, or neither."""


class Refusal(NamedTuple):
    """Why the rules refuse a move: the rule code, a sentence for people, the piles it concerns."""

    rule: str
    detail: str
    piles: tuple[str, ...] = ()


_WON = Refusal("game-over", "The game is won: nothing more is played in it.")


class Reveal(NamedTuple):
    """A card turned face up by a move, and the pile it lies on."""

    pile: str
    card: Card


class Variant(ABC):
    """One game: its table, its pack and its rules. Each game has one instance, in the catalogue.

    `ruleset` names the rules a game was begun under, as in `binary-star/1`; `rules` is their text
    in Markdown; `actions` lists every move some position of the game allows, in a fixed order.
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
        """The place of each action in `actions`."""
        return {move: place for place, move in enumerate(self.actions)}

    @abstractmethod
    def start(self, pack: Sequence[Card]) -> "Position":
        """The position after dealing `pack`, a shuffled pack of this game, in its order."""

    @abstractmethod
    def why_not(self, view: "View", move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None: the one judge. The game is not won yet."""

    @abstractmethod
    def legal_moves(self, view: "View") -> tuple[Move, ...]:
        """Every legal move that changes a game that goes on; of targets alike, the first."""

    @abstractmethod
    def won(self, view: "View") -> bool:
        """Whether the game is won."""

    @abstractmethod
    def stuck(self, view: "View") -> bool:
        """Whether a game that is not won can go on by undo alone."""

    @abstractmethod
    def why_unreachable(self, position: "Position") -> str | None:
        """Why no game can reach `position`, in a sentence, or None; lost cards included."""

    def apply(self, position: "Position", move: Move) -> "Played":
        """`position` after a legal `move`, and the cards it turned face up."""
        return move_cards(position, move)


@dataclass(frozen=True)
class View:
    """What the player of a game sees: the piles of the table in layout order.

    A view never changes, so what has been asked of it once is remembered.
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
        """The cards that lie face down, in the order of the pack, which tells not where each is."""
        left = Counter(self.variant.pack)
        left.subtract(card for pile in self.piles for card in pile.cards)
        return tuple(left.elements())

    def why_not(self, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal."""
        return _WON if self.won else self.variant.why_not(self, move)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move that changes the game; none once it is won."""
        return self._legal_moves

    @cached_property
    def _legal_moves(self) -> tuple[Move, ...]:
        return () if self.won else self.variant.legal_moves(self)

    @cached_property
    def won(self) -> bool:
        """Whether the game is won."""
        return self.variant.won(self)

    @property
    def stuck(self) -> bool:
        """Whether only undo leads on; never so in a won game."""
        return not self.won and self.variant.stuck(self)


@dataclass(frozen=True, slots=True)
class Position:
    """A position, every card known. `under[i]` are the face-down cards of pile i, bottom to top.

    Those of the stock stand in the order in which they will be dealt.
    """

    view: View
    under: tuple[tuple[Card, ...], ...]

    @property
    def variant(self) -> Variant:
        """The game this is a position of."""
        return self.view.variant

    def why_not(self, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal."""
        return self.view.why_not(move)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move that changes the game; none once it is won."""
        return self.view.legal_moves()

    def play(self, move: Move) -> "Played":
        """This position after `move`, and the cards it turned; `IllegalMoveError` if refused."""
        refusal = self.why_not(move)
        if refusal is not None:
            raise IllegalMoveError(str(move), refusal.rule, refusal.detail, refusal.piles)
        return self.variant.apply(self, move)

    def after(self, move: Move) -> "Position":
        """This position after `move`; `IllegalMoveError` if the rules refuse it."""
        return self.play(move).position


def position_of_open_view(view: View) -> Position:
    """The position that `view` shows; `ValueError` if a card lies face down in it."""
    if view.hidden:
        raise ValueError("A view with face-down cards does not show the position.")
    return Position(view, ((),) * len(view.piles))


class Played(NamedTuple):
    """A position that a move led to, and the cards the move turned face up."""

    position: Position
    reveals: tuple[Reveal, ...]


def move_cards(position: Position, move: Move) -> Played:
    """`position` after `move.count` top cards have changed piles.

    A face-down card that comes to lie on top is turned up within the same move (A12).
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
