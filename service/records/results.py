"""Results of begun games, and the lists that they are counted in."""

from typing import Literal, NamedTuple, get_args

from service.deals.deal import DailyDeal, Deal, PublicDeal
from service.records.game import Game

GameOutcome = Literal["won", "resigned", "stuck", "left", "open"]
"""What a begun game has come to. `left` is one that was deleted or has expired before its end."""

OUTCOMES: tuple[GameOutcome, ...] = get_args(GameOutcome)


class Result(NamedTuple):
    """The result of a begun game, as far as it was played at one of its versions.

    `moves`, `undos` and `hints` count requests, undone moves included. Times are milliseconds since
    1970 UTC. A `first_attempt` is the first game of its deal with its label; one at a daily deal is
    `ranked`, unless it ended when the day was over.
    """

    game_id: str
    version: int
    label: str | None
    status: GameOutcome
    """What the game had come to; never `left`, which follows from the time alone."""
    moves: int
    milliseconds: int
    undos: int
    hints: int
    first_attempt: bool
    ranked: bool
    updated_at: int
    published_at: int
    """When it becomes public: at once, or when the day of its daily deal is over."""
    kept_until: int
    """When the game has expired if it is at this version still; 0 for one that was deleted."""
    label_owned: bool = False
    """Whether the game was created by the owner of its label."""

    @property
    def has_ended(self) -> bool:
        """Whether the game was won or resigned, which stays so."""
        return self.status in ("won", "resigned")

    def is_gone(self, now: int) -> bool:
        """Whether the game has been deleted or has expired by `now`."""
        return self.kept_until <= now

    def outcome(self, now: int) -> GameOutcome:
        """What the game has come to by `now`."""
        return "left" if self.is_gone(now) and not self.has_ended else self.status

    @property
    def sort_key(self) -> str:
        """The rank among the results of a deal, as a text that sorts.

        Ranked results come first, then won ones, then those with fewer moves and less time. After
        all results come games that have not ended.
        """
        group = int(not self.ranked) if self.has_ended else 2
        moves, milliseconds = min(self.moves, 10**8 - 1), min(self.milliseconds, 10**13 - 1)
        return f"{group}{self.status != 'won':d}{moves:08}{milliseconds:013}{self.game_id}"


SORT_KEY_PATTERN = r"[01]{2}[0-9]{21}[a-z2-7]{26}"
"""Matches the `sort_key` of a game that has ended."""

UNENDED = "2"
"""What the `sort_key` of any other begins with."""


def result_of(game: Game, kept_until: int) -> Result:
    """The result of `game`, which is begun."""
    updated_at = game.updated_at
    opens_at = game.deal.opens_at if isinstance(game.deal, DailyDeal) else 0
    running: GameOutcome = "stuck" if game.is_stuck else "open"
    in_time = opens_at > 0 and (updated_at < opens_at or not game.is_over)
    return Result(
        game_id=game.id,
        version=game.version,
        label=game.label,
        status=running if game.status == "in_progress" else game.status,
        moves=game.counters.moves,
        milliseconds=updated_at - game.created_at,
        undos=game.counters.undos,
        hints=game.counters.hints,
        first_attempt=game.first_attempt,
        ranked=game.first_attempt and in_time,
        updated_at=updated_at,
        published_at=max(updated_at, opens_at),
        kept_until=kept_until,
        label_owned=game.label_owned,
    )


def changes_result(before: Game, after: Game, period: int) -> bool:
    """Whether a write that made `after` of `before` makes another result that statistics tell.

    That is a game that is over or stuck or no longer stuck, its first move, undo or hint, and, so
    that it is known when it has expired, its first write in a `period`, in milliseconds.
    """
    then, now = before.counters, after.counters
    return (
        after.is_over
        or after.is_stuck
        or (now.undos > then.undos and before.is_stuck)
        or any(count and not earlier for count, earlier in zip(now, then, strict=True))
        or after.updated_at // period > before.updated_at // period
    )


def result_lists(game: Game) -> tuple[str, ...]:
    """The names of the lists that the result of `game` is counted in.

    The deal of a single game has no list of its own. A game is counted from its first move on; one
    that was forked from a replay is practice and is counted nowhere.
    """
    if game.forked_at is not None or not game.is_begun:
        return ()
    names = [of_games(game.variant.name)]
    if game.label is not None:
        names.append(of_games(game.variant.name, game.label))
    if is_shared(game.deal):
        names.append(of_deal(game.deal.id))
    return tuple(names)


def is_shared(deal: Deal) -> bool:
    """Whether `deal` can have more than one game."""
    return isinstance(deal, PublicDeal | DailyDeal)


def of_games(variant: str, label: str | None = None) -> str:
    """The name of the list of the results of a variant, all or those with one label."""
    return f"variant:{variant}" if label is None else f"label:{variant}:{label}"


def of_deal(deal_id: str) -> str:
    """The name of the list of the results of one deal."""
    return f"deal:{deal_id}"
