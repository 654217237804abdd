"""How commands reach the servers of the store: over few connections, with no retry of its own."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from redis.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ConnectionError,
    MovedError,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
)

from service.store.address import Server, StoreAddress
from service.store.cluster import Cluster
from service.store.connection import connect, exchange
from service.store.script import Command, Word
from service.store.sentinels import SentinelGroup
from service.store.servers import OneServer, Servers

Send = Callable[..., Any]
"""Sends one command, given word by word, and gives its answer; raises redis-py's errors."""

_SERVERS: dict[str, Callable[[StoreAddress], Servers]] = {
    "server": OneServer,
    "cluster": Cluster,
    "sentinel": SentinelGroup,
}


def servers_at(address: StoreAddress) -> Servers:
    """The servers of the store at `address`."""
    return _SERVERS[address.kind](address)


class Wire:
    """Sends commands to the servers they are for, over one connection each, one after the other.

    A pool would hand connections out and back and a client would wrap every command in a retry;
    here neither is wanted, and without them a command costs a quarter of the CPU time. A
    connection that fails is dropped, and the next command makes a new one.
    """

    def __init__(self, servers: Servers, timeout: float) -> None:
        """`timeout` is for one answer, in seconds."""
        self._servers = servers
        self._timeout = timeout
        self._connections: dict[Server, AbstractConnection] = {}

    def __call__(self, *command: Word) -> Any:
        """The answer to `command` of the server that it is for."""
        return self.ask(self._servers.of(command), (command,))[0]

    def shards(self) -> list[Send]:
        """A way to each server that keeps games of its own."""
        return [partial(self._ask_one, server) for server in self._servers.all()]

    def _ask_one(self, server: Server, *command: Word) -> Any:
        return self.ask(server, (command,))[0]

    def ask(self, server: Server, commands: Sequence[Command]) -> list[Any]:
        """The answers of `server`, or of the one that it names; takes note of what it says."""
        try:
            return self._exchange(server, commands)
        except MovedError as error:
            self._servers.moved(error.slot_id, _named(error, server))
            raise
        except AskError as error:
            asking = [word for command in commands for word in (("ASKING",), command)]
            return self._exchange(_named(error, server), asking)[1::2]
        except (ConnectionError, TimeoutError, ReadOnlyError, ClusterDownError):
            self._servers.failed(server)
            raise

    def _exchange(self, server: Server, commands: Sequence[Command]) -> list[Any]:
        # Until the answers are here whole, nobody else may use the connection.
        connection = self._connections.pop(server, None)
        if connection is None:
            connection = connect(server, self._servers.login, self._timeout)
        try:
            answers = exchange(connection, commands)
        except ResponseError:
            self._connections[server] = connection
            raise
        except BaseException:
            connection.disconnect()  # type: ignore[no-untyped-call]
            raise
        self._connections[server] = connection
        return answers


class OwnWire(Wire, threading.local):
    """Sends commands, each thread over connections of its own."""


class SharedWire(Wire):
    """Sends commands, all threads over one connection to a server, one after the other."""

    def __init__(self, servers: Servers, timeout: float) -> None:
        super().__init__(servers, timeout)
        self._free: dict[Server, threading.Lock] = {}

    def _exchange(self, server: Server, commands: Sequence[Command]) -> list[Any]:
        with self._free.setdefault(server, threading.Lock()):
            return super()._exchange(server, commands)


def _named(error: AskError, server: Server) -> Server:
    """The server that `server` names; where it tells no host, that is its own."""
    return Server(error.host or server.host, error.port)
