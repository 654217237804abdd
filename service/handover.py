"""How a watcher's connection passes from the process that took it to the one that tells events.

Clients know one address. Whoever answers there reads the head of a request, and where it is about
events, hands the open connection on with it, over a Unix socket (SCM_RIGHTS, see unix(7)). So a
watcher costs the processes that play one short request, and nothing afterwards.
"""

import os
import re
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_EVENTS = re.compile("/v1/games/[^/]+/events")
_BODY_LIMIT = 64 * 1024
_TIMEOUT = 1.0
_NOT_PASSED = ("HTTP_CONNECTION", "HTTP_TRANSFER_ENCODING", "HTTP_EXPECT")


def handing_over(application: Wsgi, path: str) -> Wsgi:
    """`application`, less the requests for events: those go to whoever listens at `path`.

    Where nobody listens there, `application` answers them, too. Needs a gunicorn that gives each
    request a thread: it puts the connection into the environment, and gives it up without an
    answer at a `StopIteration`.
    """

    def hand_over(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not _is_for_events(environ):
            return application(environ, start_response)
        environ["wsgi.input"].read(_BODY_LIMIT)
        connection = environ["gunicorn.socket"]
        try:
            _send(path, _head(environ), connection)
        except OSError:
            return application(environ, start_response)
        _let_go(connection)
        raise StopIteration

    return hand_over


def received(message: socket.socket) -> tuple[bytes, int]:
    """The head of a request and its connection, as a file descriptor, from one who hands it over.

    Raises `ConnectionError` if that breaks off before both are there.
    """
    head, taken = b"", list[int]()
    while not taken:
        data, taken, _, _ = socket.recv_fds(message, 65536, 1)
        if not data:
            raise ConnectionError("no connection was handed over")
        head += data
    return head, taken[0]


def _is_for_events(environ: dict[str, Any]) -> bool:
    return (
        environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and _EVENTS.fullmatch(environ["PATH_INFO"]) is not None
        and environ["SERVER_PROTOCOL"].startswith("HTTP/1")
        and not isinstance(environ["gunicorn.socket"], ssl.SSLSocket)
    )


def _head(environ: dict[str, Any]) -> bytes:
    """The head of the request as a client would write it, for a body that has been read."""
    lines = [f"{environ['REQUEST_METHOD']} {environ['RAW_URI']} {environ['SERVER_PROTOCOL']}"]
    for name, value in environ.items():
        if name.startswith("HTTP_") and name not in _NOT_PASSED:
            lines.append(f"{name[5:].replace('_', '-')}: {value}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _send(path: str, head: bytes, connection: socket.socket) -> None:
    """Hands `connection` over with the last byte of `head`: wholly, or OSError and not at all."""
    with socket.socket(socket.AF_UNIX) as receiver:
        receiver.settimeout(_TIMEOUT)
        receiver.connect(path)
        receiver.sendall(head[:-1])
        socket.send_fds(receiver, [head[-1:]], [connection.fileno()])


def _let_go(connection: socket.socket) -> None:
    """Puts a dead socket in the place of the connection.

    gunicorn shuts down what it closes, which would end the connection for its new owner, too.
    """
    dead, other = socket.socketpair()
    with dead, other:
        os.dup2(dead.fileno(), connection.fileno(), inheritable=False)
