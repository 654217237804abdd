"""What all have sent and been answered, and everything that was not as promised."""

import threading
from collections import Counter, defaultdict


class Tally:
    """Seconds of answers by kind of request and status, and what else is counted; safe to use from
    many threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.answers: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
        self.put_off: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.faults: list[str] = []

    def answered(self, kind: str, status: int, seconds: float) -> None:
        """Notes an answer, and the seconds since its request was due."""
        with self._lock:
            self.answers[kind, status].append(seconds)

    def put_off_by(self, code: str) -> None:
        """Counts a request that is to be sent again later, as the contract says."""
        with self._lock:
            self.put_off[code] += 1

    def ended(self, how: str) -> None:
        """Counts a game that its player is done with."""
        with self._lock:
            self.finished[how] += 1

    def fault(self, what: str) -> None:
        """Notes what was not as promised."""
        with self._lock:
            self.faults.append(what)
