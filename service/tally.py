"""Who has asked how often of late: a table in memory, shared by processes that are forked."""

import mmap
import threading
import time
from collections.abc import Callable

A_MINUTE = 60.0

_MOST = A_MINUTE + 1e-6
"""The largest debt, with room for what sums of fractions are off by."""

_WAYS = 4
_SETS = 1 << 15
_SLOTS = _WAYS * _SETS


class Tally:
    """Counts requests by whose they are; made before a fork, it counts for all processes.

    After the generic cell rate algorithm (ITU-T I.371), one moment is kept for each name: when
    all that was taken will have been given back. The table has a fixed size, so that no flood of
    names makes it grow. A name that has no place yet takes that of whoever owes least among four;
    what is forgotten so, mostly a debt that was paid, is to that one's benefit. Processes wait
    for nobody: of two requests that reach two of them in the same microsecond, one may not count.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds, the same in every process that shares this."""
        self._now = clock
        memory = memoryview(mmap.mmap(-1, 2 * 8 * _SLOTS))  # pages that nobody uses cost nothing
        self._tags = memory[: 8 * _SLOTS].cast("q")
        self._clear_at = memory[8 * _SLOTS :].cast("d")
        self._lock = threading.Lock()

    def take(self, name: str, quota: int) -> tuple[float, bool]:
        """One request of `quota` a minute for `name`: the debt after it, and whether it was given.

        The debt is in seconds: how long it takes until the whole quota is there again. What is
        not given adds nothing to it.
        """
        with self._lock:
            slot, now = self._slot(name), self._now()
            debt = self._clear_at[slot] - now
            if not 0.0 <= debt <= _MOST:  # it is paid, or two processes have written at once
                debt = 0.0
            after = debt + A_MINUTE / quota
            if after > _MOST:
                return debt, False
            self._clear_at[slot] = now + after
            return after, True

    def _slot(self, name: str) -> int:
        # Python's hash of a text is keyed by a secret of the process and those forked from it:
        # nobody outside can choose names that meet in one place.
        tag = hash(name)
        places = range(tag % _SETS * _WAYS, (tag % _SETS + 1) * _WAYS)
        for slot in places:
            if self._tags[slot] == tag:
                return slot
        slot = min(places, key=self._clear_at.__getitem__)
        self._tags[slot], self._clear_at[slot] = tag, 0.0
        return slot


SHARED = Tally()
"""The tally of this process, and of those that are forked from it after it was imported."""
