"""Results of finished games, and the lists that they are counted in."""

from typing import NamedTuple

from service.deals.deal import DailyDeal, Deal, PublicDeal
from service.records.game import Game


class Result(NamedTuple):
    """The result of a finished game, which never changes.

    `moves`, `undos` and `hints` count requests, undone moves included. Times are milliseconds since
    1970 UTC. A `first_attempt` is the first game of its deal with its label; one that also ended on
    the day of its daily deal is `ranked`.
    """

    game_id: str
    label: str | None
    won: bool
    moves: int
    milliseconds: int
    undos: int
    hints: int
    first_attempt: bool
    ranked: bool
    ended_at: int
    published_at: int
    """When it becomes public: at once, or when the day of its daily deal is over."""

    @property
    def sort_key(self) -> str:
        """The rank among the results of a deal, as a text that sorts.

        Ranked results come first, then won ones, then those with fewer moves and less time.
        """
        moves, milliseconds = min(self.moves, 10**8 - 1), min(self.milliseconds, 10**13 - 1)
        return f"{not self.ranked:d}{not self.won:d}{moves:08}{milliseconds:013}{self.game_id}"


SORT_KEY_PATTERN = r"[01]{2}[0-9]{21}[a-z2-7]{26}"
"""Matches a `sort_key`."""


def result_of(game: Game) -> Result:
    """The result of `game`, which is over."""
    deal, ended_at = game.deal, game.updated_at
    opens_at = deal.opens_at if isinstance(deal, DailyDeal) else 0
    return Result(
        game_id=game.id,
        label=game.label,
        won=game.status == "won",
        moves=game.counters.moves,
        milliseconds=ended_at - game.created_at,
        undos=game.counters.undos,
        hints=game.counters.hints,
        first_attempt=game.first_attempt,
        ranked=game.first_attempt and ended_at < opens_at,
        ended_at=ended_at,
        published_at=max(ended_at, opens_at),
    )


def result_lists(game: Game) -> tuple[str, ...]:
    """The names of the lists that the result of `game` is counted in.

    The deal of a single game has no list of its own. A game forked from a replay is practice and
    is counted nowhere.
    """
    if game.forked_at is not None:
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
