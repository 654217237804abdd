"""Runs commands on the server that has their key: timed, retried, and replicated where asked."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from redis import Redis
from redis.commands.core import Script
from redis.exceptions import NoScriptError, ReadOnlyError, RedisError, ResponseError

from service.store.nodes import Nodes
from service.store.request_context import timed
from service.store.retry import with_retries

WAIT_MILLISECONDS = 50
"""How long one try of a write waits for replicas."""

Command = Callable[[Redis], Any]
"""What is run on a server, by its client."""

Keys = Sequence[str]
Argument = str | bytes | int


class Executor:
    """Runs commands for all threads of a process.

    Every method may raise `StoreUnavailableError` and `GameUnreadableError`.
    """

    def __init__(self, nodes: Nodes, replicas: int = 0) -> None:
        """A write waits for so many `replicas`, as far as they are connected."""
        self._nodes = nodes
        self.replicas = replicas

    def run(self, operation: str, key: str, command: Command) -> Any:
        """The result of `command` on the server of `key`; observers know it as `operation`."""
        return timed(operation, with_retries, self._run_once, key, command)

    def read(self, operation: str, script: Script, keys: Keys, *args: Argument) -> Any:
        """The result of a script that reads, or whose writes may get lost."""
        return self.run(operation, keys[0], partial(_evaluated, script, keys, args))

    def write(self, operation: str, script: Script, keys: Keys, *args: Argument) -> Any:
        """The same for a script that writes: no failover loses what it has answered.

        A connected replica that does not acknowledge in time is an error, though the write may
        persist. One that the master has lost is not waited for: otherwise a store that has just
        lost a server would take no writes until that is repaired. To stop writes instead, set
        `min-replicas-to-write` on the servers.
        """
        if not self.replicas:
            return self.read(operation, script, keys, *args)
        command = partial(self._replicated, keys[0], lambda node: script(keys, args, node))
        return self.run(operation, keys[0], command)

    def _run_once(self, key: str, command: Command) -> Any:
        return self._nodes.run_on(self._nodes.master_of(key), command)

    def _replicated(self, key: str, command: Command, node: Redis) -> Any:
        """The result of `command`; an error, to be retried, while what it wrote is not replicated.

        WAIT waits for the last write of its own connection and for all that came before: after a
        command that wrote nothing it waits for nothing.
        """
        with node.pipeline(transaction=False) as pipeline:
            command(pipeline)
            pipeline.wait(self.replicas, WAIT_MILLISECONDS)
            pipeline.role()
            answers = pipeline.execute(raise_on_error=False)  # its own error would quote the game
        for answer in answers:
            if isinstance(answer, RedisError):
                raise answer
        result, acknowledged, role = answers
        # A master deposed by a failover still takes itself for the master, with no replicas.
        if acknowledged >= self.replicas or (
            acknowledged >= _connected_replicas(role) and self._is_still_master(node, key)
        ):
            return result
        raise ResponseError("NOREPLICAS have acknowledged the write")

    def _is_still_master(self, node: Redis, key: str) -> bool:
        """Whether others confirm that `node` has `key`."""
        self._nodes.refresh(node)
        return self._nodes.master_of(key) is node


def _evaluated(script: Script, keys: Keys, args: Sequence[Argument], node: Redis) -> Any:
    """The result of a script on `node`, which is sent only if it is not there yet."""
    try:
        return node.execute_command("EVALSHA", script.sha, len(keys), *keys, *args)
    except NoScriptError:
        return script(keys, args, node)


def _connected_replicas(role: list[Any]) -> int:
    """How many replicas a master has, by its answer to ROLE."""
    kind, _, replicas, *_ = role
    if kind != b"master":
        raise ReadOnlyError("it has just been made a replica")
    return len(replicas)
