"""Writes that are told only when replicas have them: what a failover would lose is not told.

A replica that is attached and does not answer is waited for, and then the write is an error,
though it may last. One that the master has lost is not waited for: else a store that has just
lost a server would take no writes until that is mended. Those who want that, too, tell the servers
(`min-replicas-to-write`).
"""

from typing import Any

from redis.exceptions import ReadOnlyError, RedisError

from service.store.connection import Word
from service.store.servers import Servers, key_of
from service.store.wire import Wire

WAIT = 50
TRIES = 8
"""Milliseconds that replicas are waited for at a time, and how often."""


class NotReplicatedError(RedisError):
    """What was written is not yet where it was to be."""


class Replicated:
    """Sends commands that write, and waits until so many replicas have what they wrote."""

    def __init__(self, wire: Wire, servers: Servers, count: int) -> None:
        """`count` is how many replicas a write waits for, where so many are attached."""
        self._wire = wire
        self._servers = servers
        self._count = count

    def __call__(self, *command: Word) -> Any:
        """The answer to `command`, when what it wrote, or had found written, is replicated.

        Whoever waits is told of all that came before its own last write. So there is one, with
        every command: one that finds that an earlier try was carried out writes nothing.
        """
        server = self._servers.of(command)
        mark = f"{key_of(command)}:mark"
        waiting = (
            ("SET", mark, "", "PX", 1000),
            ("DEL", mark),
            ("WAIT", self._count, WAIT),
            ("ROLE",),
        )
        answer, *_, reached, role = self._wire.ask(server, (command, *waiting))
        for _ in range(TRIES):
            if reached >= self._count:
                return answer
            # One that came back after a failover takes itself for the master, with no replicas.
            if reached >= _attached(role) and self._servers.is_still(server, command):
                return answer
            *_, reached, role = self._wire.ask(server, waiting)
        raise NotReplicatedError


def _attached(role: list[Any]) -> int:
    """How many replicas a master has, by its answer to ROLE."""
    kind, _, replicas, *_ = role
    if kind != b"master":
        raise ReadOnlyError("it has just been made a replica")
    return len(replicas)
