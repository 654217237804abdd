"""A set of keys that a search has met: few operations, and quick ones once compiled."""

from array import array


class KeySet:
    """Keys above 0, each once, in a table that is twice as large as what it holds or larger."""

    __slots__ = ("_count", "_slots")

    def __init__(self, room: int) -> None:
        """Holds `room` keys, and more, before it has to grow."""
        size = 8
        while size < 2 * room:
            size *= 2
        self._slots: array[int] = array("q", [0]) * size
        self._count: int = 0

    def has(self, key: int) -> bool:
        """Whether `key` is one of them."""
        return self._slots[self._place(key)] != 0

    def add(self, key: int) -> bool:
        """Adds `key`; False if it was there."""
        place = self._place(key)
        if self._slots[place]:
            return False
        self._slots[place] = key
        self._count += 1
        if 2 * self._count >= len(self._slots):
            self._grow()
        return True

    def _place(self, key: int) -> int:
        """Where `key` is, or where it would go."""
        last = len(self._slots) - 1
        place = key & last
        while self._slots[place] and self._slots[place] != key:
            place = place + 1 & last
        return place

    def _grow(self) -> None:
        kept = self._slots
        self._slots = array("q", [0]) * (2 * len(kept))
        self._count = 0
        for n in range(len(kept)):
            if kept[n]:
                self.add(kept[n])
