"""What the service answers, as frozen structs; unknown members and enumeration values are no error.

Texts of enumerations, such as `status`, are plain `str`, so that new ones can be read. Cards are
texts such as `9H`, moves such as `t3f1`, piles have ids such as `t1`; the contract, `openapi.yaml`,
explains each member.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec


class Model(msgspec.Struct, frozen=True):
    """An object of the contract."""


class Deal(Model, frozen=True):
    """Where the cards of a game come from; `fairness` is public, sealed or daily."""

    id: str
    fairness: str
    number: str | None = None
    commitment: str | None = None


class Pile(Model, frozen=True):
    """A pile: the number of its face-down cards, and the face-up ones from bottom to top."""

    id: str
    kind: str
    hidden: int
    cards: tuple[str, ...]


class Can(Model, frozen=True):
    """What else is possible in a game."""

    undo: bool
    redo: bool
    deal: bool


class Counters(Model, frozen=True):
    """Moves played, moves undone, hints given, and revealed cards that an undo hid again."""

    moves: int
    undos: int
    hints: int
    reveals_undone: int


class Game(Model, frozen=True):
    """A game as its player sees it; `status` is in_progress, won or resigned."""

    id: str
    variant: str
    ruleset: str
    deal: Deal
    version: int
    ply: int
    status: str
    stuck: bool
    label: str | None
    forked_at: int | None
    piles: tuple[Pile, ...]
    legal_moves: tuple[str, ...]
    can: Can
    counters: Counters
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    label_owned: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; one that is stuck has not."""
        return self.status != "in_progress"


class CreatedGame(Model, frozen=True):
    """A new game, its play token, and the key of a label that is new; no other answer has them."""

    game: Game
    play_token: str
    label_key: str | None = None


class Reveal(Model, frozen=True):
    """A card that a move turned face up."""

    pile: str
    card: str


class Outcome(Model, frozen=True):
    """What a batch did: moves applied, cards turned, and why it stopped early: reveal or won."""

    applied: int
    reveals: tuple[Reveal, ...]
    stopped: str | None
    game: Game


class GameAnswer(Model, frozen=True):
    """The game after an undo, a redo or a resignation."""

    game: Game


class Hint(Model, frozen=True):
    """A good move and why; `line` has all moves of the way, if they were asked for."""

    move: str | None
    why: str
    verdict: str
    undo_steps: int | None
    line: tuple[str, ...] | None
    game: Game


class LegalMoves(Model, frozen=True):
    """What can be played at a version."""

    version: int
    legal_moves: tuple[str, ...]
    can: Can
    stuck: bool


class LineItem(Model, frozen=True):
    """A move that was played and not undone."""

    ply: int
    move: str
    reveals: tuple[Reveal, ...]


class Event(Model, frozen=True):
    """What a request did to a game, or the game as it stands (`snapshot`).

    `game` is None if more has happened since, and when the game has been deleted.
    """

    version: int
    kind: str
    at: datetime
    moves: tuple[str, ...]
    reveals: tuple[Reveal, ...]
    steps: int
    taken_back: bool
    game: Game | None

    @property
    def is_last(self) -> bool:
        """Whether no other event can follow."""
        return self.kind in ("resigned", "deleted") or (self.game is not None and self.game.is_over)


class TurnedCard(Model, frozen=True):
    """A card that the move at `ply` turned face up."""

    ply: int
    pile: str
    card: str


class Replay(Model, frozen=True, omit_defaults=True):
    """The record of a game. `deal` has its number or its seeds, as far as they are not secret.

    A replay of one's own needs `variant`, `deal` and `moves`.
    """

    variant: str
    deal: Mapping[str, str]
    moves: tuple[str, ...]
    format: str | None = None
    ruleset: str | None = None
    start: tuple[Pile, ...] | None = None
    reveals: tuple[TurnedCard, ...] | None = None
    status: str | None = None


class ReplayFault(Model, frozen=True):
    """The first error of a replay."""

    code: str
    ply: int
    move: str | None
    rule: str | None
    piles: tuple[str, ...]
    detail: str


class Ruling(Model, frozen=True):
    """How far a replay is right; `derived` says whether its cards follow from its deal."""

    right: bool
    derived: bool
    ply: int
    status: str
    stuck: bool
    fault: ReplayFault | None


class KnownPile(Model, frozen=True):
    """A pile with all cards known, the face-down ones `under` the others."""

    id: str
    under: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


class JudgedPosition(Model, frozen=True):
    """A position with all cards known, after the moves that were played in it."""

    variant: str
    ruleset: str
    piles: tuple[KnownPile, ...]
    reveals: tuple[Reveal, ...]
    status: str
    stuck: bool
    legal_moves: tuple[str, ...]


class VariantSummary(Model, frozen=True):
    """A variant in the list of all."""

    name: str
    title: str
    ruleset: str
    url: str


class LayoutGroup(Model, frozen=True):
    """Piles of one kind, and what the variant calls them."""

    kind: str
    label: str
    piles: tuple[str, ...]


class Variant(VariantSummary, frozen=True):
    """A variant: its rules in Markdown, its layout, and every action by index."""

    rules: str
    layout: tuple[LayoutGroup, ...]
    notation: Mapping[str, str]
    limits: Mapping[str, Any]
    actions: tuple[str, ...]
