"""The processes of a running service by what they do, and what each takes: CPU time and memory."""

import ctypes
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LIBC = ctypes.CDLL(None)

_SOCKET = b"unixsocket:"
"""What stands before its socket in the title of a store."""


class Processes:
    """The processes that descend from one master, `main`.

    `workers` are the forks of the master; `stores` are the store that came with it and then its
    fork, if it rewrites its file just now. `streams` and `metrics` are empty where the workers do
    that themselves. `others` are all but workers and stores, with the master.
    """

    def __init__(self, main: int) -> None:
        self.main = main
        found = {pid: _words(pid) for pid in _descendants(main)}
        words = {pid: line for pid, line in found.items() if line}  # one that has ended has none
        self.workers = [pid for pid in words if words[pid] == _words(main)]
        self.stores = [pid for pid in words if _SOCKET in words[pid]]
        self.streams = [pid for pid in words if b"\0streams\0" in words[pid]]
        self.metrics = [pid for pid in words if b"\0metrics\0" in words[pid]]
        self.others = [main, *words.keys() - {*self.workers, *self.stores}]

    @property
    def named(self) -> dict[str, int]:
        """Every process under a name of its own; the sweep, which soon ends, left out."""
        return {
            "master": self.main,
            **_numbered("worker", self.workers),
            **_numbered("store", self.stores),
            **_numbered("streams", self.streams),
            **_numbered("metrics", self.metrics),
        }

    @property
    def store_url(self) -> str:
        """Where the store that came with the service listens, as its title tells."""
        return "unix://" + _words(self.stores[0]).partition(_SOCKET)[2].strip(b"\0 ").decode()


def cpu(*pids: int) -> float:
    """CPU seconds of some processes so far; nothing of those that have gone.

    A process's own clock counts threads that have ended too, as those of gevent's pool soon do;
    the statistics of its threads do not.
    """
    return sum(map(_cpu, pids))


def resident(pid: int) -> int:
    """Bytes of memory that a process has in use; OSError if it has gone."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def _cpu(pid: int) -> float:
    clock = ctypes.c_int()
    if _LIBC.clock_getcpuclockid(pid, ctypes.byref(clock)):
        return 0.0
    return time.clock_gettime(clock.value)


def _numbered(name: str, pids: list[int]) -> dict[str, int]:
    return {f"{name} {number}": pid for number, pid in enumerate(pids, 1)}


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):  # one that has gone, as the sweep soon has, has no children
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in map(int, task.read_text().split()):
                yield child
                yield from _descendants(child)


def _words(pid: int) -> bytes:
    """What a process was called with; nothing if it has gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
