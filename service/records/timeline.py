"""What there is to tell a watcher: the game as it is, and the kept events that led to it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from service.records.events import Event, Kind
from service.records.game import Game

MessageKind = Kind | Literal["snapshot", "deleted"]
"""The kinds of messages: an event, or the game as it is, or that there is no such game any more."""


@dataclass(frozen=True, eq=False)
class Message:
    """One thing a watcher is told. Equal to itself alone: a thousand watchers share one.

    `event` is None in a snapshot and after a deletion. `game` is the game at `version`; None if
    more has happened since, for the past of a game is not kept, or if there is no game.
    """

    kind: MessageKind
    version: int
    at: int
    game: Game | None = None
    event: Event | None = None
    taken_back: bool = False
    """Whether an undo has taken its moves back since: then `event` no longer names them."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """A game and the kept events that led to it, oldest first, of one moment."""

    game: Game
    events: tuple[Event, ...]
    _told: dict[int | None, tuple[Message, ...]] = field(default_factory=dict, repr=False)

    def since(self, after: int | None) -> tuple[Message, ...]:
        """What to tell who has seen the game up to version `after`; None for nothing of it.

        Every event since, and the game with the last of them; or a snapshot alone, if `after` is
        None, if not all of the events are kept any more, or if the game is not so far.
        """
        oldest = self.game.version - len(self.events)
        if after is not None and not oldest <= after <= self.game.version:
            after = None
        if after not in self._told:
            self._told[after] = self._tell(after)
        return self._told[after]

    def deleted(self, at: int) -> Message:
        """The message that this game has been deleted, at the time `at` in milliseconds."""
        return Message("deleted", self.game.version, at)

    def _tell(self, after: int | None) -> tuple[Message, ...]:
        game = self.game
        if after is None:
            return (Message("snapshot", game.version, game.updated_at, game),)
        missed = self.events[len(self.events) - (game.version - after) :]
        standing = _standing(missed)
        told = [_message(event, standing) for event in missed]
        return (*told[:-1], *(replace(last, game=game) for last in told[-1:]))


def _message(event: Event, standing: set[int]) -> Message:
    """`event` as it may be told; where it has been taken back, without moves and cards.

    A card that a move had turned up lies face down again after the undo, and what was played
    from there on may tell it.
    """
    taken_back = bool(event.moves) and event.version not in standing
    if taken_back:
        event = event._replace(moves=(), reveals=())
    return Message(event.kind, event.version, event.at, event=event, taken_back=taken_back)


def _standing(events: Sequence[Event]) -> set[int]:
    """The versions of those `events` whose moves have all been played and not been taken back."""
    line: list[int] = []
    for event in events:
        if event.kind == "undone":
            del line[max(0, len(line) - event.steps) :]
        else:
            line += [event.version] * len(event.moves)
    played = Counter(line)
    return {event.version for event in events if played[event.version] == len(event.moves)}
