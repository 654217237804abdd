"""Piles of cards, and the layout of a table: its piles, their kinds and their order."""

from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

from service.games.cards import Card

PILE_PATTERN = r"^([tfc][1-9][0-9]?|s)$"
"""Matches the id of a pile of any game."""

Kind = Literal["tableau", "foundation", "cell", "stock"]

KIND_OF: dict[str, Kind] = {"t": "tableau", "f": "foundation", "c": "cell", "s": "stock"}
"""The kind of a pile by the letter that its id begins with."""


class Pile(NamedTuple):
    """What a player sees of one pile: the number of face-down cards, and the face-up cards on them.

    `cards` runs from the bottom to the top. No field can hold a face-down card.
    """

    id: str
    kind: Kind
    hidden: int
    cards: tuple[Card, ...]

    @property
    def is_empty(self) -> bool:
        """Whether no card lies here, face up or face down."""
        return not self.cards and not self.hidden

    def with_cards(self, cards: tuple[Card, ...]) -> "Pile":
        """The same pile with other face-up cards."""
        return Pile(self.id, self.kind, self.hidden, cards)


new_pile = partial(tuple.__new__, Pile)
"""A pile from the tuple of its fields, in two thirds of the time that `Pile` takes."""


class PileCards(NamedTuple):
    """Every card of one pile: the face-down cards `under` the face-up `cards`, bottom to top.

    Those of a stock stand in the order in which they will be dealt.
    """

    id: str
    under: tuple[Card, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Piles of one kind; `label` is the game's word for one of them, such as fan or column."""

    kind: Kind
    label: str
    ids: tuple[str, ...]


def group(kind: Kind, label: str, letter: str, count: int) -> Group:
    """A group of `count` piles, numbered from 1 after `letter`."""
    return Group(kind, label, tuple(f"{letter}{place}" for place in range(1, count + 1)))


@dataclass(frozen=True)
class Layout:
    """The piles of a table in their fixed order, group by group."""

    groups: tuple[Group, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)
    """The place of each pile id in `ids`."""
    kinds: tuple[Kind, ...] = field(init=False, repr=False, compare=False)
    ids: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids = tuple(id for group in self.groups for id in group.ids)
        object.__setattr__(self, "ids", ids)
        object.__setattr__(self, "index", {id: place for place, id in enumerate(ids)})
        object.__setattr__(self, "kinds", tuple(g.kind for g in self.groups for _ in g.ids))
