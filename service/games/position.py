"""Views and positions: what a player sees of a table, and the table with the hidden cards.

A view has no field for a face-down card, so nothing that is decided from it can reveal one.
"""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from service.errors import IllegalMoveError
from service.games.cards import Card
from service.games.moves import Move
from service.games.piles import Pile, new_pile

if TYPE_CHECKING:
    from service.games.base import Variant

T = TypeVar("T")


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


class View:
    """What the player sees: the piles of the table in layout order.

    `cards[i]` are the face-up cards of pile i, bottom to top, and `face_down[i]` is how many cards
    lie face down in it. A view is immutable, so all else is computed once. A view of `cards` and
    `face_down` is made in a fifth of the time of one of `piles`.
    """

    __slots__ = ("_legal_moves", "_piles", "_stuck", "_won", "cards", "face_down", "variant")

    def __init__(
        self,
        variant: "Variant",
        piles: tuple[Pile, ...] | None = None,
        cards: tuple[tuple[Card, ...], ...] = (),
        face_down: tuple[int, ...] = (),
    ) -> None:
        if piles is not None:
            face_down = tuple([pile.hidden for pile in piles])
            cards = tuple([pile.cards for pile in piles])
        self.variant: Final = variant
        self.cards: Final = cards
        self.face_down: Final = face_down
        self._piles = piles
        self._legal_moves: tuple[Move, ...] | None = None
        self._won: bool | None = None
        self._stuck: bool | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return (
            self.cards == other.cards
            and self.face_down == other.face_down
            and self.variant == other.variant
        )

    def __hash__(self) -> int:
        return hash((self.cards, self.face_down))

    def __repr__(self) -> str:
        return f"View({self.variant.name}, {self.piles})"

    def __getitem__(self, id: str) -> Pile:
        return self.piles[self.variant.layout.index[id]]

    @property
    def piles(self) -> tuple[Pile, ...]:
        """The piles in layout order."""
        if self._piles is None:
            layout = self.variant.layout
            fields = zip(layout.ids, layout.kinds, self.face_down, self.cards, strict=True)
            self._piles = tuple([new_pile(pile) for pile in fields])
        return self._piles

    def kind(self, kind: str) -> tuple[Pile, ...]:
        """The piles of one kind, in order."""
        return tuple([pile for pile in self.piles if pile.kind == kind])

    @property
    def hidden(self) -> int:
        """How many cards lie face down, the stock included."""
        return sum(self.face_down)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The face-down cards in the order of the unshuffled pack, which says not where each is."""
        left = Counter(self.variant.pack)
        for cards in self.cards:
            left.subtract(cards)
        return tuple(left.elements())

    def why_not(self, move: Move) -> Refusal | None:
        """Why the rules refuse `move`, or None if it is legal."""
        return _WON if self.won else self.variant.why_not(self, move)

    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move that changes something, none in a won game; see `Variant`."""
        if self._legal_moves is None:
            self._legal_moves = () if self.won else self.variant.legal_moves(self)
        return self._legal_moves

    @property
    def won(self) -> bool:
        """Whether the game is won."""
        if self._won is None:
            self._won = self.variant.won(self)
        return self._won

    @property
    def stuck(self) -> bool:
        """Whether only undo leads on; a won game is not stuck."""
        if self._stuck is None:
            self._stuck = not self.won and self.variant.stuck(self)
        return self._stuck


class Position:
    """A position, every card known. `under[i]` are the face-down cards of pile i, bottom to top.

    Those of a stock stand in the order in which they will be dealt. A position is immutable.
    """

    __slots__ = ("under", "view")

    def __init__(self, view: View, under: tuple[tuple[Card, ...], ...]) -> None:
        self.view: Final = view
        self.under: Final = under

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.view == other.view and self.under == other.under

    def __hash__(self) -> int:
        return hash((self.view, self.under))

    def __repr__(self) -> str:
        return f"Position({self.view}, {self.under})"

    @property
    def variant(self) -> "Variant":
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
        view = self.view
        refusal = view.why_not(move)
        if refusal is not None:
            raise IllegalMoveError(str(move), refusal.rule, refusal.detail, refusal.piles)
        return view.variant.apply(self, move)

    def after(self, move: Move) -> "Position":
        """This position after `move`. Raises `IllegalMoveError`."""
        return self.play(move).position


class Played(NamedTuple):
    """The position after a move, and the cards that the move turned face up."""

    position: Position
    reveals: tuple[Reveal, ...]


new_played = partial(tuple.__new__, Played)
"""A `Played` from the tuple of its fields, in half the time that `Played` takes."""


def move_cards(position: Position, move: Move) -> Played:
    """`position` after `move.count` top cards have moved from pile to pile.

    A face-down card that becomes the top is turned up within the same move (A12).
    """
    view, under = position.view, position.under
    variant, face_down = view.variant, view.face_down
    index = variant.layout.index
    source_id, target_id, count = move
    source, target = index[source_id], index[target_id]
    cards = list(view.cards)
    left = cards[source]
    cards[target] += left[-count:]
    cards[source] = kept = left[:-count]
    reveals: tuple[Reveal, ...] = ()
    if not kept and face_down[source]:
        *deeper, turned = under[source]
        cards[source] = (turned,)
        under = _with(under, source, tuple(deeper))
        face_down = _with(face_down, source, len(deeper))
        reveals = (Reveal(source_id, turned),)
    after = Position(View(variant, None, tuple(cards), face_down), under)
    return new_played((after, reveals))


def _with(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """`items` with another one in this place."""
    return (*items[:place], item, *items[place + 1 :])
