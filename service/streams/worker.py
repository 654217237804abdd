"""gunicorn's gevent worker for connections that are handed over: a greenlet a watcher."""

from types import FrameType
from typing import Any

import gevent
from gevent import socket
from gunicorn.workers.ggevent import GeventWorker

from service.handover import received

_SECONDS_TO_RECEIVE = 5.0


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Answers the requests that are handed over at the Unix socket it listens on."""

    def handle(self, listener: Any, client: socket.socket, addr: object) -> None:
        """Takes one connection over, and answers the request whose head came with it."""
        try:
            with client:
                client.settimeout(_SECONDS_TO_RECEIVE)
                connection = _Resumed(*received(client))
        except OSError:
            return  # who was to hand it over has gone
        try:
            peer = connection.getpeername()
        except OSError:
            connection.close()  # the watcher has gone
            return
        leaving = gevent.spawn(_end_with, connection, gevent.getcurrent())
        try:
            super().handle(listener, connection, peer)
        finally:
            leaving.kill()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begins to stop: the streams end, so that their watchers come back to whoever is next."""
        super().handle_exit(sig, frame)
        if not hasattr(self, "wsgi"):
            return  # it is told to stop before it has begun
        # Not in the signal handler: it may have interrupted whoever holds a lock.
        gevent.spawn(self.wsgi.extensions["asterism.watch"].close)


class _Resumed(socket.socket):  # type: ignore[misc]  # nor has gevent
    """A connection of which the first bytes have been read by somebody else."""

    def __init__(self, head: bytes, fileno: int) -> None:
        super().__init__(fileno=fileno)
        self._head = head

    def recv(self, *args: Any) -> bytes:
        """The bytes that were read before, then what follows them."""
        head, self._head = self._head, b""
        return head or super().recv(*args)

    def is_hung_up(self) -> bool:
        """Waits until the other end sends something or hangs up, and says whether it hung up."""
        socket.wait_read(self.fileno())
        return not super().recv(1, socket.MSG_PEEK)


def _end_with(connection: _Resumed, answering: gevent.Greenlet) -> None:
    """Ends an answer when its watcher hangs up: else that shows only when there is news to send."""
    try:
        if not connection.is_hung_up():
            return
    except ConnectionError:
        pass  # so it has
    except OSError:
        return  # the answer has ended, and closed the connection
    answering.kill(block=False)
