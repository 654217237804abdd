"""Results: what a game came to in the end, and the lists in which that counts."""

from typing import NamedTuple

from service.deals.deal import DailyDeal, Deal, PublicDeal
from service.records.game import Game


class Result(NamedTuple):
    """What a game came to. Nothing in it changes any more: equal games give equal results.

    `moves`, `undos` and `hints` count what the player asked for, moves that were taken back
    included; times are milliseconds since 1970 UTC. A `first_attempt` is the first game of its
    label at its deal. One that was played to its end on the day of a daily deal is `ranked`.
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
    """From when on it is told: at once, or when the day of its deal is over."""

    @property
    def sort_key(self) -> str:
        """Where it stands among the results of its deal, as a text that sorts.

        Ranked ones come first, then those that won, with few moves, in little time.
        """
        moves, milliseconds = min(self.moves, 10**8 - 1), min(self.milliseconds, 10**13 - 1)
        return f"{not self.ranked:d}{not self.won:d}{moves:08}{milliseconds:013}{self.game_id}"


PLACE = r"[01]{2}[0-9]{21}[a-z2-7]{26}"
"""The form of a place."""


def result_of(game: Game) -> Result:
    """What `game` came to; it is over."""
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
    """The names of the lists in which the result of `game` counts.

    A random deal has a single game, and no list of its own. A fork is practice and counts nowhere.
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
    """Whether more than one game can be of `deal`."""
    return isinstance(deal, PublicDeal | DailyDeal)


def of_games(variant: str, label: str | None = None) -> str:
    """The name of the list of what games of a variant came to, all or those with one label."""
    return f"variant:{variant}" if label is None else f"label:{variant}:{label}"


def of_deal(deal_id: str) -> str:
    """The name of the list of what games of one deal came to."""
    return f"deal:{deal_id}"
