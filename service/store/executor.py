"""Runs commands on the server that has their key: timed, retried, and replicated where asked."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.commands.core import Script
from redis.exceptions import NoScriptError, ReadOnlyError, RedisError, ResponseError

from service.store import lua
from service.store.keys import CHANNELS, game_keys
from service.store.nodes import Nodes
from service.store.request_context import timed
from service.store.retry import retry_for, with_retries

PING_TIMEOUT = 0.2
"""Seconds for an answer to a ping, and after which a ping is not retried."""

KEYS_PER_SCAN = 1000
"""About how many keys a server looks at for one page of keys."""

WAIT_MILLISECONDS = 50
"""How long one try of a write waits for replicas."""

Command = Callable[[Redis], Any]
"""What is run on a server, by its client."""

Keys = Sequence[str]
Argument = str | bytes | int

Call = tuple[Keys, Sequence[Argument]]
"""The keys of a script, all in one cluster slot, and its arguments."""

_REGISTRY = Redis()
"""Never connects: every call of a script names the client to run on."""


@cache
def registered(script: str) -> Script:
    """The script with this text, which redis-py loads into servers that lack it."""
    return _REGISTRY.register_script(script)


class Executor:
    """Runs commands for all threads of a process.

    Every method may raise `StoreUnavailableError` and `GameUnreadableError`.
    """

    def __init__(self, nodes: Nodes, probe: Nodes, replicas: int = 0) -> None:
        """`nodes` serve commands, `probe` serves health checks.

        A write waits for so many `replicas`, as far as they are connected.
        """
        self._nodes = nodes
        self._probe = probe
        self.replicas = replicas

    def run(self, operation: str, key: str, command: Command) -> Any:
        """The result of `command` on the server of `key`; observers know it as `operation`."""
        return timed(operation, with_retries, self._run_once, key, command)

    def read(self, operation: str, script: str, keys: Keys, *args: Argument) -> Any:
        """The result of a script that reads, or whose writes may get lost."""
        return self.run(operation, keys[0], partial(_evaluated, registered(script), keys, args))

    def read_each(self, operation: str, script: str, calls: Sequence[Call]) -> None:
        """Runs a script with each of `calls`, those of one server in one round trip."""
        timed(operation, with_retries, self._run_each, registered(script), calls)

    def write(self, operation: str, script: str, keys: Keys, *args: Argument) -> Any:
        """The same for a script that writes: no failover loses what it has answered.

        A connected replica that does not acknowledge in time is an error, though the write may
        persist. One that the master has lost is not waited for: otherwise a store that has just
        lost a server would take no writes until that is repaired. To stop writes instead, set
        `min-replicas-to-write` on the servers.
        """
        if not self.replicas:
            return self.read(operation, script, keys, *args)
        run = registered(script)
        command = partial(self._replicated, keys[0], lambda node: run(keys, args, node))
        return self.run(operation, keys[0], command)

    def keys(self, pattern: str) -> Iterator[bytes]:
        """The keys that `pattern` matches, on every master; some may come twice."""
        for node in with_retries(self._nodes.masters):
            cursor = 0
            while True:
                page: Any = with_retries(node.scan, cursor, pattern, KEYS_PER_SCAN)
                cursor, found = page
                yield from found
                if cursor == 0:
                    break

    def ping(self) -> None:
        """Returns if a master answers, and allows all that the service needs."""
        timed("ping", retry_for, PING_TIMEOUT, self._ping)

    def _ping(self) -> None:
        node = random.choice(self._probe.masters())  # noqa: S311 - any of them will do
        self._probe.run_on(node, partial(check_rights, replicas=self.replicas))

    def _run_once(self, key: str, command: Command) -> Any:
        return self._nodes.run_on(self._nodes.master_of(key), command)

    def _run_each(self, script: Script, calls: Sequence[Call]) -> None:
        by_node = defaultdict[Redis, list[Call]](list)
        for keys, args in calls:
            by_node[self._nodes.master_of(keys[0])].append((keys, args))
        for node, its_calls in by_node.items():
            self._nodes.run_on(node, partial(_evaluate_each, script, its_calls))

    def _replicated(self, key: str, command: Command, node: Redis) -> Any:
        """The result of `command`; an error, to be retried, while what it wrote is not replicated.

        WAIT waits for the last write of its own connection and for all that came before: after a
        command that wrote nothing it waits for nothing.
        """
        with node.pipeline(transaction=False) as pipeline:
            command(pipeline)
            pipeline.wait(self.replicas, WAIT_MILLISECONDS)
            pipeline.role()
            result, acknowledged, role = _executed(pipeline)
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


def _evaluate_each(script: Script, calls: Sequence[Call], node: Redis) -> None:
    """The same for several calls, which are sent together."""
    try:
        with node.pipeline(transaction=False) as pipeline:
            for keys, args in calls:
                pipeline.execute_command("EVALSHA", script.sha, len(keys), *keys, *args)
            _executed(pipeline)
    except NoScriptError:
        for keys, args in calls:
            script(keys, args, node)


def _executed(pipeline: Pipeline) -> list[Any]:
    """The answers to what `pipeline` sends; raises the first that is an error."""
    answers = pipeline.execute(raise_on_error=False)  # its own error would quote the commands
    for answer in answers:
        if isinstance(answer, RedisError):
            raise answer
    return answers


def _connected_replicas(role: list[Any]) -> int:
    """How many replicas a master has, by its answer to ROLE."""
    kind, _, replicas, *_ = role
    if kind != b"master":
        raise ReadOnlyError("it has just been made a replica")
    return len(replicas)


def check_rights(node: Redis, replicas: int = 0) -> None:
    """Raises `NoPermissionError` unless the user of `node` may do all that the service needs.

    That is to run scripts, commands on its keys, and to publish and subscribe; and to wait for
    `replicas`, if writes do. Nothing is written, so that a full store passes.
    """
    keys, waiting = game_keys("rights"), ("WAIT", "ROLE") if replicas else ()
    registered(lua.RIGHTS)((), (keys.game, keys.events, CHANNELS, *waiting), node)
