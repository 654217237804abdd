"""What the games of owned labels came to, day by day, in Redis: all of a variant in one slot."""

from collections.abc import Hashable, Mapping, Sequence

from typing_extensions import override

from service.records.leaderboards import Attempt, Tally
from service.store import lua
from service.store.base import TallyStore
from service.store.executor import Executor
from service.store.keys import tally_keys

MOST_LABELS = 10_000
"""How many labels a day of a variant counts: the first."""

_VERSION_BYTES = 10


class RedisTallyStore(TallyStore):
    """Stores for each day a hash of sums by label, and a hash of what each game adds to them."""

    def __init__(self, executor: Executor, remembered: int) -> None:
        """`remembered` is how long a day is kept after its latest entry, in milliseconds."""
        self._executor = executor
        self._remembered = remembered

    @override
    def count(self, attempt: Attempt) -> None:
        variant, day, label, game_id, version, tally = attempt
        digits = "".join(map(str, tally))
        kept = MOST_LABELS, self._remembered
        args = game_id, label, f"{version:0{_VERSION_BYTES}}", digits, *kept
        self._executor.read("count", lua.COUNT, tally_keys(variant, day), *args)

    @override
    def revisions(self, variant: str, days: Sequence[int]) -> list[Hashable]:
        keys = [tally_keys(variant, day).revision for day in days]
        found: list[Hashable] = self._executor.read("tally_revisions", lua.READ, keys)
        return found

    @override
    def tallies(self, variant: str, day: int) -> Mapping[str, Tally]:
        key = tally_keys(variant, day).sums
        found = self._executor.run("tallies", key, lambda node: node.hgetall(key))
        return {label.decode(): Tally(*map(int, sums.split())) for label, sums in found.items()}
