"""The memory of processes over time, and which of them do not stay as large as they are."""

from collections.abc import Mapping, Sequence
from statistics import median

MB = 1_000_000
MOST = 8 * MB
"""Bytes by which a process may grow in the second half of a run. What the games themselves take in
the store is a part of that.
"""

Sample = Mapping[str, int]
"""Bytes in use, by process."""


def growth(samples: Sequence[Sample], name: str) -> int:
    """Bytes by which a process is larger at the end than in the middle.

    Both are medians over a tenth of all samples: what a search takes for a moment is no growth.
    """
    sizes = [sample[name] for sample in samples[len(samples) // 2 :]]
    tenth = max(1, len(samples) // 10)
    return int(median(sizes[-tenth:]) - median(sizes[:tenth]))


def grown(samples: Sequence[Sample]) -> list[str]:
    """A sentence about each process that has grown by more than it may."""
    return [
        f"{name} has grown by {growth(samples, name) / MB:.1f} MB in the second half"
        for name in samples[0]
        if growth(samples, name) > MOST
    ]
