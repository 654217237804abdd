"""Writes that are told only when replicas have them: what a failover would lose is not told.

A replica that is attached and does not answer is waited for, and then the write is an error,
though it may last. One that the master has lost is not waited for: else a store that has just
lost a server would take no writes until that is mended. Those who want that, too, tell the servers
(`min-replicas-to-write`).
"""

from typing import Any

from redis.exceptions import ReadOnlyError, RedisError

from service.store.script import Word
from service.store.servers import Servers
from service.store.wire import Wire

WAIT = 50
"""Milliseconds that replicas are waited for at a time."""


class NotReplicatedError(RedisError):
    """What was written is not yet where it is to be."""


class Replicated:
    """Sends commands that write, and waits until so many replicas have what they wrote."""

    def __init__(self, wire: Wire, servers: Servers, count: int) -> None:
        """`count` is how many replicas a write waits for, where so many are attached."""
        self._wire = wire
        self._servers = servers
        self._count = count

    def __call__(self, *command: Word) -> Any:
        """The answer to `command`; `NotReplicatedError` if what it wrote is not replicated yet.

        Whoever waits is told of all that came before the last write of its own connection: a
        command that writes nothing waits for nothing.
        """
        server = self._servers.of(command)
        commands = (command, ("WAIT", self._count, WAIT), ("ROLE",))
        answer, reached, role = self._wire.ask(server, commands)
        if reached >= self._count:
            return answer
        # One that came back after a failover takes itself for the master, with no replicas.
        if reached >= _attached(role) and self._servers.is_still(server, command):
            return answer
        raise NotReplicatedError


def _attached(role: list[Any]) -> int:
    """How many replicas a master has, by its answer to ROLE."""
    kind, _, replicas, *_ = role
    if kind != b"master":
        raise ReadOnlyError("it has just been made a replica")
    return len(replicas)
