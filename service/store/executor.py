"""Runs commands on the server that has their key: timed, retried, and replicated where asked."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from redis import Redis
from redis.exceptions import ReadOnlyError, RedisError

from service.errors import StoreUnavailableError
from service.store import request_context
from service.store.nodes import Nodes
from service.store.request_context import StoreCall
from service.store.retry import NotReplicatedError, with_retries

T = TypeVar("T")

WAIT_MILLISECONDS = 50
"""How long one try of a write waits for replicas."""


class Executor:
    """Runs commands for all threads of a process.

    A command is a function that is given the client to run on. Every method may raise
    `StoreUnavailableError` and `GameUnreadableError`.
    """

    def __init__(self, nodes: Nodes, replicas: int = 0) -> None:
        """`replicas` is how many of them a write waits for, where so many are attached."""
        self._nodes = nodes
        self.replicas = replicas

    def run(self, operation: str, key: str, command: Callable[[Redis], Any]) -> Any:
        """What `command` gives on the server that has `key`; `operation` names it to observers."""

        def run_once() -> Any:
            return self._nodes.run(self._nodes.of(key), command)

        return timed(operation, lambda: with_retries(run_once))

    def write(self, operation: str, key: str, command: Callable[[Redis], Any]) -> Any:
        """The same, of a command that writes: what is answered, a failover does not lose.

        A replica that is attached and does not answer is waited for, and then that is an error,
        though the write may last. One that the master has lost is not waited for: otherwise a
        store that has just lost a server would take no writes until that is repaired. Who wants
        that sets `min-replicas-to-write` on the servers.
        """
        if not self.replicas:
            return self.run(operation, key, command)
        return self.run(operation, key, lambda node: self._replicated(node, key, command))

    def _replicated(self, node: Redis, key: str, command: Callable[[Redis], Any]) -> Any:
        """The answer to `command`; `NotReplicatedError` if what it wrote is not replicated yet.

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
        answer, reached, role = answers
        # One that came back after a failover still takes itself for the master, with no replicas.
        if reached >= self.replicas or (
            reached >= _attached(role) and self._nodes.is_still_master(node, key)
        ):
            return answer
        raise NotReplicatedError


def timed(operation: str, run: Callable[[], T]) -> T:
    """What `run` gives, its time noted for the request at hand, if that is observed."""
    notes = request_context.request_context()
    if notes is None:
        return run()
    began, failed = time.perf_counter(), False
    try:
        return run()
    except StoreUnavailableError:
        failed = True
        raise
    finally:
        seconds = time.perf_counter() - began
        notes.calls.append(StoreCall(operation, began - notes.began, seconds, failed))


def _attached(role: list[Any]) -> int:
    """How many replicas a master has, by its answer to ROLE."""
    kind, _, replicas, *_ = role
    if kind != b"master":
        raise ReadOnlyError("it has just been made a replica")
    return len(replicas)
