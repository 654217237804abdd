"""The processes of a running service by what they do, and what each takes: CPU time and memory."""

from pathlib import Path

_SOCKET = b"unixsocket:"
"""What stands before its socket in the title of a store."""


class Processes:
    """The processes that one `asterism serve` has started; the sweep, which soon ends, left out."""

    def __init__(self, main: int) -> None:
        self.main = main
        words = {pid: _words(pid) for pid in _children(main)}
        self.streams = _with_children(_called(words, b"streams"))
        self.metrics = _with_children(_called(words, b"metrics"))
        self.workers = [pid for pid in words if words[pid] == _words(main)]
        (self.store,) = (pid for pid in words if _SOCKET in words[pid])

    @property
    def named(self) -> dict[str, int]:
        """Every process under a name of its own."""
        return {
            "master": self.main,
            **_numbered("worker", self.workers),
            "store": self.store,
            **_numbered("streams", self.streams),
            **_numbered("metrics", self.metrics),
        }

    @property
    def store_url(self) -> str:
        """Where the store that came with the service listens, as its title tells."""
        return "unix://" + _words(self.store).partition(_SOCKET)[2].strip(b"\0 ").decode()


def cpu(*pids: int) -> float:
    """CPU seconds of some processes, from the kernel's scheduler statistics."""
    return sum(
        int(task.read_text().split()[0]) / 1e9
        for pid in pids
        for task in Path(f"/proc/{pid}/task").glob("*/schedstat")
    )


def resident(pid: int) -> int:
    """Bytes of memory that a process has in use; OSError if it has gone."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def _numbered(name: str, pids: list[int]) -> dict[str, int]:
    return {f"{name} {number}": pid for number, pid in enumerate(pids, 1)}


def _called(words: dict[int, bytes], command: bytes) -> list[int]:
    """Those that were started by a command of `asterism`."""
    return [pid for pid in words if b"\0%b\0" % command in words[pid]]


def _with_children(pids: list[int]) -> list[int]:
    return [one for pid in pids for one in (pid, *_children(pid))]


def _children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _words(pid: int) -> bytes:
    """What a process was called with; nothing if it has gone, as the sweep soon has."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
