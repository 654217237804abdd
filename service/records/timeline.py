"""Messages for watchers, made from the current game and its stored events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from service.records.events import Event, Kind
from service.records.game import Game

MessageKind = Kind | Literal["snapshot", "deleted"]
"""The kinds of messages: an event, the current game, or its deletion."""


@dataclass(frozen=True, eq=False)
class Message:
    """One message for watchers, compared by identity since all watchers share it.

    `event` is None in a snapshot and after a deletion. `game` is the game at `version`; None for an
    earlier version, whose state is not stored, and after a deletion.
    """

    kind: MessageKind
    version: int
    at: int
    game: Game | None = None
    event: Event | None = None
    taken_back: bool = False
    """Whether its moves have been undone since; then `event` does not contain them."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """A consistent snapshot of a game and its stored events, oldest first."""

    game: Game
    events: tuple[Event, ...]
    _cache: dict[int | None, tuple[Message, ...]] = field(default_factory=dict, repr=False)

    def since(self, after: int | None) -> tuple[Message, ...]:
        """The messages for a watcher who has seen the game up to version `after`.

        These are all events since, with the game in the last one; or a single snapshot if `after`
        is None, older than the stored events, or newer than the game.
        """
        oldest = self.game.version - len(self.events)
        if after is not None and not oldest <= after <= self.game.version:
            after = None
        if after not in self._cache:
            self._cache[after] = self._messages(after)
        return self._cache[after]

    def deleted(self, at: int) -> Message:
        """The message that the game was deleted, at the time `at` in milliseconds."""
        return Message("deleted", self.game.version, at)

    def _messages(self, after: int | None) -> tuple[Message, ...]:
        game = self.game
        if after is None:
            return (Message("snapshot", game.version, game.updated_at, game),)
        missed = self.events[len(self.events) - (game.version - after) :]
        in_line = _versions_in_line(missed)
        messages = [_message(event, in_line) for event in missed]
        return (*messages[:-1], *(replace(last, game=game) for last in messages[-1:]))


def _message(event: Event, in_line: set[int]) -> Message:
    """The message about `event`, without moves and cards if it has been undone since.

    The cards that an undone move had turned are face down again.
    """
    taken_back = bool(event.moves) and event.version not in in_line
    if taken_back:
        event = event._replace(moves=(), reveals=())
    return Message(event.kind, event.version, event.at, event=event, taken_back=taken_back)


def _versions_in_line(events: Sequence[Event]) -> set[int]:
    """The versions of the `events` whose moves are all still in the line of play."""
    line: list[int] = []
    for event in events:
        if event.kind == "undone":
            del line[max(0, len(line) - event.steps) :]
        else:
            line += [event.version] * len(event.moves)
    played = Counter(line)
    return {event.version for event in events if played[event.version] == len(event.moves)}
