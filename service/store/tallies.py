"""What the games of owned labels came to, day by day, in Redis: all of a variant in one slot."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from service.records.leaderboards import Attempt, Tally
from service.store import lua
from service.store.keys import tally_keys

if TYPE_CHECKING:  # gunicorn's master imports this module, and must not load redis-py
    from service.store.executor import Executor

MOST_LABELS = 10_000
"""How many labels a day of a variant counts: the first."""

_VERSION_BYTES = 10


class TallyStore:
    """Stores for each day a hash of sums by label, and a hash of what each game adds to them.

    Days are counted since 1970 UTC. Every method may raise `StoreUnavailableError`.
    """

    def __init__(self, executor: "Executor", remembered: int) -> None:
        """`remembered` is how long a day is kept after its latest entry, in milliseconds."""
        self._executor = executor
        self._remembered = remembered

    def count(self, attempt: Attempt) -> None:
        """Counts `attempt` in the tally of its label; replaces only one of an earlier version."""
        variant, day, label, game_id, version, tally = attempt
        digits = "".join(map(str, tally))
        kept = MOST_LABELS, self._remembered
        args = game_id, label, f"{version:0{_VERSION_BYTES}}", digits, *kept
        self._executor.read("count", lua.COUNT, tally_keys(variant, day), *args)

    def revisions(self, variant: str, days: Sequence[int]) -> list[Hashable]:
        """For each day what differs whenever its tallies do; None for one without any."""
        keys = [tally_keys(variant, day).revision for day in days]
        found: list[Hashable] = self._executor.read("tally_revisions", lua.READ, keys)
        return found

    def tallies(self, variant: str, day: int) -> Mapping[str, Tally]:
        """The tallies of a day, by label."""
        key = tally_keys(variant, day).sums
        found = self._executor.run("tallies", key, lambda node: node.hgetall(key))
        return {label.decode(): Tally(*map(int, sums.split())) for label, sums in found.items()}
