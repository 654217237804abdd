"""How much one address, or the holder of one play token, may ask for in a minute."""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from service.tally import A_MINUTE, Tally

DEFAULT_LIMITS: Mapping[str, int] = {
    "creation": 1_200,
    "moves": 60_000,
    "hints": 1_200,
    "referee": 600,
    "streams": 6_000,
    "reads": 60_000,
    "game-moves": 6_000,
    "game-hints": 600,
}
"""Requests a minute, by what they ask for. Those of a game are counted by its play token, all
others by address."""

OF_A_GAME = "game-"


class Use(NamedTuple):
    """What a limit comes to after a request.

    `left` requests can follow at once, `reset` is in how many seconds all of `quota` can, and
    `wait`, 0 unless the request was refused, in how many the next one.
    """

    limit: str
    quota: int
    left: int
    reset: int
    wait: int


class Limits:
    """The limits of a service; those that are not named do not hold."""

    def __init__(self, quotas: Mapping[str, int], tally: Tally) -> None:
        """`quotas` are requests a minute."""
        self._quotas = quotas
        self._tally = tally

    def hold(self, limit: str) -> bool:
        """Whether there is a limit of this name."""
        return limit in self._quotas

    def take(self, limit: str, who: str) -> Use:
        """Counts one request of `who`, unless it is one too many."""
        quota = self._quotas[limit]
        debt, given = self._tally.take(f"{limit} {who}", quota)
        step = A_MINUTE / quota
        wait = 0 if given else max(1, ceil(debt + step - A_MINUTE))
        return Use(limit, quota, int((A_MINUTE - debt) / step + 1e-6), ceil(debt), wait)
