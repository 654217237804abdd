"""One connection to a Redis or Valkey server, with no retry of its own."""

from collections.abc import Sequence
from typing import Any

from hiredis import pack_command
from redis import ConnectionPool
from redis.backoff import NoBackoff
from redis.connection import (
    AbstractConnection,
    Connection,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.exceptions import ResponseError
from redis.retry import Retry

from service.store.address import Login, Server
from service.store.script import Command, Word


def connect(server: Server, login: Login, timeout: float) -> AbstractConnection:
    """A connection that opens with its first command; `timeout` is for one answer, in seconds."""
    kind, options = _options(server, login)
    return kind(**options, socket_timeout=timeout, socket_connect_timeout=timeout)


def pool(server: Server, login: Login, timeout: float) -> ConnectionPool:
    """Connections for a client of redis-py, which may wait; `timeout` is for connecting."""
    kind, options = _options(server, login)
    return ConnectionPool(kind, **options, socket_timeout=None, socket_connect_timeout=timeout)


def exchange(connection: AbstractConnection, commands: Sequence[Command]) -> list[Any]:
    """The answers to `commands`, sent in one go.

    Raises `ResponseError` when all have come and one of them is an error: the connection is as
    good as before. After `ConnectionError` and `TimeoutError` it is of no use.
    """
    packed = [pack_command(command) for command in commands]  # type: ignore[arg-type]  # its stub is wrong
    connection.send_packed_command(packed)  # type: ignore[no-untyped-call]
    answers, refusal = [], None
    for _ in commands:
        try:
            answers.append(connection.read_response(disconnect_on_error=True))
        except ResponseError as error:
            refusal = refusal or error
    if refusal is not None:
        raise refusal
    return answers


def ask_once(server: Server, login: Login, timeout: float, *command: Word) -> Any:
    """The answer to one command, over a connection of its own."""
    connection = connect(server, login, timeout)
    try:
        return exchange(connection, (command,))[0]
    finally:
        connection.disconnect()  # type: ignore[no-untyped-call]


def _options(server: Server, login: Login) -> tuple[type[AbstractConnection], dict[str, Any]]:
    options: dict[str, Any] = {
        "username": login.username,
        "password": login.password,
        "db": login.db,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
    }
    if server.host.startswith("/"):
        return UnixDomainSocketConnection, {**options, "path": server.host}
    options |= {"host": server.host, "port": server.port}
    if login.tls is None:
        return Connection, options
    return SSLConnection, {**options, **login.tls}
