"""gunicorn's threaded worker for those who play: a thread is for requests that are there whole."""

import json
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from socket import SHUT_WR, socket
from typing import Any

from gunicorn.http import get_parser
from gunicorn.workers.gthread import TConn, ThreadWorker

from service.api.envelope import enveloped
from service.api.problems import FRAMEWORK, MEDIA_TYPE
from service.incoming import MOST, Incoming

SECONDS = 10.0
"""How long a request may take to come, from its first byte to its last."""

_LINGER = 2.0
_AT_ONCE = 65536
_GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
_NOTHING_MORE = ()


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Holds no thread for a client who sends slowly, nor for one who does not hang up.

    gunicorn reads a request in the thread that is to answer it, for as long as the client likes,
    and closes connections in the loop that all of them wait for. Here that loop collects requests
    piece by piece, and looks after connections that end. A thread finds in memory what it reads.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._leaving: deque[_Connection] = deque()

    def accept(self, listener: Any) -> None:
        """Takes a new connection, which waits for its first byte like one that has been kept."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # another worker has it, or it has gone
        self.nr_conns += 1
        conn = _Connection(self.cfg, client, address, listener.getsockname())
        conn.set_timeout()
        self.keepalived_conns.append(conn)
        self.poller.register(client, EVENT_READ, partial(self.on_client_socket_readable, conn))

    def enqueue_req(self, conn: "_Connection") -> None:
        """Gives a connection that something has come on a thread, or waits for all of it."""
        conn.sock.setblocking(False)
        conn.begin()
        conn.timeout = time.monotonic() + SECONDS
        if conn.has_come():
            self._answer(conn)
            return
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: "_Connection", client: socket) -> None:
        """Takes what has come, and gives the connection a thread when that is all."""
        if conn.has_come():
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self._answer(conn)

    def finish_request(self, conn: "_Connection", fs: "Future[bool]") -> None:
        """Keeps the connection for the next request, or lets it go."""
        try:
            kept = not fs.cancelled() and fs.result()
        except Exception:  # gunicorn has logged it
            kept = False
        if kept and not conn.incoming.is_cut:
            super().finish_request(conn, fs)
        else:
            self._let_go(conn)

    def murder_pending(self) -> None:
        """Closes connections whose request, or whose end, has been waited for long enough."""
        super().murder_pending()
        now = time.monotonic()
        while self._leaving and self._leaving[0].timeout <= now:
            self._close(self._leaving[0])

    def handle_error(self, req: Any, client: socket, addr: Any, exc: Exception) -> None:
        """Tells a client that has sent no request so, in the form of all other problems."""
        told = _Told()
        super().handle_error(req, told, addr, exc)
        client.sendall(_refusal(told.status, self.wsgi.config["PUBLIC_URL"]))

    def _answer(self, conn: "_Connection") -> None:
        if conn.incoming.data:
            super().enqueue_req(conn)
        else:  # the client has hung up
            self.nr_conns -= 1
            conn.close()

    def _let_go(self, conn: "_Connection") -> None:
        """Says the last word, and waits in the loop, not in its way, for the client to hang up.

        Closed at once, a connection on which something still comes would lose the answer on it.
        """
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(SHUT_WR)
            conn.timeout = time.monotonic() + _LINGER
            self.poller.register(conn.sock, EVENT_READ, partial(self._drain, conn))
        except (OSError, ValueError):
            self.nr_conns -= 1
            conn.close()
        else:
            self._leaving.append(conn)

    def _drain(self, conn: "_Connection", client: socket) -> None:
        """Takes what still comes, and no notice of it."""
        try:
            data = client.recv(_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        conn.drained += len(data)
        if not data or conn.drained > MOST:
            self._close(conn)

    def _close(self, conn: "_Connection") -> None:
        self._leaving.remove(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()


class _Connection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """A connection whose requests are parsed from memory: the parser never waits for more."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.parser = get_parser(self.cfg, _NOTHING_MORE, self.client)
        self.initialized = True
        self.incoming = Incoming()
        self.drained = 0

    def begin(self) -> None:
        """Begins a request, with what has come ahead of it."""
        self.incoming = Incoming(self.parser.unreader.take_buffered())
        self._told_to_go_on = False

    def has_come(self) -> bool:
        """Takes what there is; whether a thread can go on with it: all of it, or the end."""
        ready = self.incoming.is_ready()
        if not ready:
            try:
                data = self.sock.recv(_AT_ONCE)
            except BlockingIOError:
                return False
            except OSError:
                data = b""
            self.incoming.data += data
            ready = not data or self.incoming.is_ready()
        if ready:
            self.parser.unreader.unread(bytes(self.incoming.data))
        elif self.incoming.awaits_word and not self._told_to_go_on:
            self._told_to_go_on = True
            with suppress(OSError):
                self.sock.send(_GO_ON)
        return ready


class _Told:
    """In the place of a socket: what gunicorn would tell a client of its fault."""

    status = 400

    def gettimeout(self) -> float:
        """It waits for nobody."""
        return 0.0

    def sendall(self, data: bytes) -> None:
        """Takes the status, and whether it is the client's fault."""
        self.status = 500 if int(data.split()[1]) == 500 else 400


def _refusal(status: int, public_url: str | None) -> bytes:
    """An answer, byte for byte, to what is no request."""
    problem, head = FRAMEWORK[status], [b""]

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = {
            "type": f"{public_url or 'http://localhost'}/problems/{problem.code}",
            "title": problem.title,
            "status": status,
            "detail": problem.explanation,
            "code": problem.code,
            "request_id": environ["asterism.request_id"],
        }
        data = json.dumps(body).encode()
        length = ("Content-Length", str(len(data)))
        start_response("", [("Content-Type", MEDIA_TYPE), length, ("Connection", "close")])
        return [data]

    def start_response(_: str, headers: list[tuple[str, str]]) -> None:
        lines = [f"HTTP/1.1 {status} {problem.title}", *(f"{n}: {v}" for n, v in headers), "", ""]
        head[0] = "\r\n".join(lines).encode("latin-1")

    body = b"".join(enveloped(application, public_url)({}, start_response))
    return head[0] + body
