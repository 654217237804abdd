"""How commands reach a Redis or Valkey server: over few connections, with no retry of its own."""

import threading
from collections.abc import Callable
from typing import Any

from hiredis import pack_command
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.connection import ConnectionInterface
from redis.retry import Retry

Word = str | bytes | int | float | memoryview
"""What a command is made of; redis-py and hiredis take no less."""

Send = Callable[..., Any]
"""Sends one command, given word by word, and gives its answer; raises redis-py's errors."""


class _Wire:
    """Sends commands to one server over one connection, for one thread at a time.

    A pool would hand connections out and back and a client would wrap every command in a retry;
    here neither is wanted, and without them a command costs a quarter of the CPU time. A
    connection that fails is dropped, and the next command makes a new one.
    """

    def __init__(self, url: str, timeout: float) -> None:
        """`url` is redis://, rediss:// or unix://; `timeout` is for one answer, in seconds."""
        self._pool = ConnectionPool.from_url(
            url,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self._connection: ConnectionInterface | None = None

    def __call__(self, *command: Word) -> Any:
        """The server's answer to `command`."""
        connection = self._connection
        if connection is None:
            connection = self._pool.make_connection()
        self._connection = None  # until the answer is here whole, nobody else may use it
        try:
            packed: bytes = pack_command(command)  # type: ignore[arg-type]  # its stub is wrong
            connection.send_packed_command([packed])  # type: ignore[no-untyped-call]
            answer = connection.read_response(disconnect_on_error=True)
        except BaseException:
            connection.disconnect()  # type: ignore[no-untyped-call]
            raise
        self._connection = connection
        return answer


class Wire(_Wire, threading.local):
    """Sends commands to one server, each thread over a connection of its own."""


class SharedWire(_Wire):
    """Sends commands to one server, all threads over one connection, one after the other."""

    def __init__(self, url: str, timeout: float) -> None:
        super().__init__(url, timeout)
        self._free = threading.Lock()

    def __call__(self, *command: Word) -> Any:
        """The server's answer to `command`."""
        with self._free:
            return super().__call__(*command)
