"""A hash set of 64-bit keys, fast when compiled."""

from array import array


class KeySet:
    """A set of ints above 0, with open addressing and at most half of the slots in use."""

    __slots__ = ("_count", "_slots")

    def __init__(self, capacity: int) -> None:
        """Holds about `capacity` keys before it grows."""
        size = 8
        while size < 2 * capacity:
            size *= 2
        self._slots: array[int] = array("q", [0]) * size
        self._count: int = 0

    def has(self, key: int) -> bool:
        """Whether `key` is in the set."""
        return self._slots[self._slot_of(key)] != 0

    def add(self, key: int) -> bool:
        """Adds `key`; False if it was there already."""
        slot = self._slot_of(key)
        if self._slots[slot]:
            return False
        self._slots[slot] = key
        self._count += 1
        if 2 * self._count >= len(self._slots):
            self._grow()
        return True

    def _slot_of(self, key: int) -> int:
        """The slot of `key`, or the free one where it belongs."""
        last = len(self._slots) - 1
        slot = key & last
        while self._slots[slot] and self._slots[slot] != key:
            slot = slot + 1 & last
        return slot

    def _grow(self) -> None:
        kept = self._slots
        self._slots = array("q", [0]) * (2 * len(kept))
        self._count = 0
        for n in range(len(kept)):
            if kept[n]:
                self.add(kept[n])
