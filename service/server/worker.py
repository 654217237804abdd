"""gunicorn's gevent worker, with bounds for clients and problems for what it cannot serve."""

import gc
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RD
from types import FrameType
from typing import Any

import gevent
from gevent.local import local
from gevent.socket import cancel_wait_ex
from gunicorn.http import wsgi
from gunicorn.http.errors import InvalidHeader, ParseException, UnsupportedTransferCoding
from gunicorn.util import close_graceful
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.test import run_wsgi_app

from service.api.error_handlers import problem_response
from service.api.headers import with_standard_headers
from service.api.problems import FRAMEWORK
from service.api.services import services_of
from service.config import METRICS_FOLDER
from service.server.response import Response

CLIENT_TIMEOUT = 10.0
"""How long a client may be idle while it sends a request or reads a response."""

REFUSALS = 64
"""Connections beyond the limit that are open while they are refused."""

WARNING_SECONDS = 60.0
"""How long a warning of refused connections is not repeated."""

_OBJECTS_A_COLLECTION = 20_000
"""How many more objects there are before garbage is collected; few of them are ever in cycles."""

_LARGEST_DRAIN = 16 * 2**20
"""Bytes of a refused request that are read and discarded, so that the response arrives."""


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Serves each connection in a greenlet."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # As plain attributes, which gunicorn reads thirty times a request.
        self.cfg.__dict__.update({name: one.get() for name, one in self.cfg.settings.items()})
        self._limit = self.worker_connections
        self.worker_connections += REFUSALS
        self._connections = 0
        self._warned_at = -WARNING_SECONDS
        self._current = local()
        self._idle: dict[Any, None] = {}
        """Connections that wait for a request, the longest first."""

    def run(self) -> None:
        """Serves; what the application is made of is never garbage."""
        wsgi.Response = Response  # for which gunicorn has no setting
        gc.collect()
        gc.freeze()
        gc.set_threshold(_OBJECTS_A_COLLECTION)
        try:
            super().run()
        finally:
            gc.unfreeze()  # so that all ends in order

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serves a connection; beyond the limit the longest idle one is closed, or else this one.

        gunicorn would let it wait, without an answer, until another is closed.
        """
        self._connections += 1
        self._current.client = client
        try:
            if self._connections > self._limit and not self._idle:
                self._warn_that_connections_are_refused()
                self._refuse(client, 503, "The service cannot hold more connections just now.")
                return
            if self._connections > self._limit:
                self._close_longest_idle()
            super().handle(listener, client, addr)
        finally:
            self._connections -= 1

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Waits for a request until the keep-alive timeout, or until the worker stops."""
        client = self._current.client
        self._idle[client] = None
        try:
            with suppress(cancel_wait_ex), super().timeout_ctx():
                yield
        finally:
            self._idle.pop(client, None)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answers a request; closes the connection if the client is idle for too long."""
        if _checked_length(req) > self.wsgi.config["BODY_LIMIT"]:
            # 413 at once; whether the body still comes is then unknown (RFC 9110, 10.1.1).
            req._expected_100_continue = False
            req.force_close()
        req.body.reader = _BodyReader(req.body.reader)
        sock.settimeout(CLIENT_TIMEOUT)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            raise StopIteration from None  # closes the connection
        except StopIteration:
            # If the client is still sending, closing at once would lose the response.
            close_graceful(sock, max_drain=_LARGEST_DRAIN)
            raise
        finally:
            sock.settimeout(None)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers a malformed request with a problem document."""
        super().handle_error(req, None, addr, exc)  # without a client it only logs
        status = 400 if isinstance(exc, ParseException) else 500
        self._refuse(client, status, FRAMEWORK[status].explanation)

    def _refuse(self, client: Any, status: int, detail: str) -> None:
        _count(FRAMEWORK[status].code)
        with suppress(OSError):
            address = client.getsockname()
            port = str(address[1]) if isinstance(address, tuple) else ""  # a unix socket has none
            client.sendall(_problem(status, detail, self.wsgi.config["PUBLIC_URL"], port))
            close_graceful(client, max_drain=_LARGEST_DRAIN)

    def _warn_that_connections_are_refused(self) -> None:
        if time.monotonic() - self._warned_at > WARNING_SECONDS:
            self._warned_at = time.monotonic()
            self.log.warning("Connections are refused: this worker holds %d.", self._limit)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Starts a graceful shutdown: ends event streams and closes idle connections."""
        super().handle_exit(sig, frame)
        # Not in the signal handler: the code it interrupted may hold a lock.
        gevent.spawn(self._end_streams_and_idle)

    def _end_streams_and_idle(self) -> None:
        if hasattr(self, "wsgi"):  # else the worker is stopped while it starts
            services_of(self.wsgi).watch.close()
        while self._idle:
            self._close_longest_idle()

    def _close_longest_idle(self) -> None:
        """Ends the longest wait for a request, unless one is just arriving."""
        client = next(iter(self._idle))
        del self._idle[client]
        with suppress(OSError):
            client.shutdown(SHUT_RD)  # raises `cancel_wait_ex` where it waits


def _checked_length(req: Any) -> int:
    """The length of the body that the request declares, which gunicorn has checked.

    Raises gunicorn's error for a request without `Host` or with an unknown transfer coding: both
    are left to the application (RFC 9112, 3.2 and 6.1).
    """
    length, has_host = 0, req.version < (1, 1)
    for name, value in req.headers:
        if name == "HOST":
            has_host = True
        elif name == "CONTENT-LENGTH":
            length = int(value)
        elif name == "TRANSFER-ENCODING" and value.strip().lower() != "chunked":  # maybe repeated
            raise UnsupportedTransferCoding(value)
    if not has_host:
        raise InvalidHeader("HOST", req=req)
    return length


class _BodyReader:
    """Reads a request body, and raises `OSError` for malformed chunks, as WSGI servers do."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def read(self, size: int) -> bytes:
        """Up to `size` bytes."""
        try:
            data: bytes = self._reader.read(size)
        except ParseException as error:
            raise OSError(str(error)) from error
        return data


def _count(code: str) -> None:
    """Counts a problem whose request does not reach the application, and so no observer."""
    if METRICS_FOLDER in os.environ:
        from service.telemetry.metrics import PROBLEMS  # noqa: PLC0415 - see its docstring

        PROBLEMS.labels(code).inc()


def _problem(status: int, detail: str, public_url: str | None, port: str) -> bytes:
    """A complete HTTP response with the problem document for `status`.

    Its URLs have `public_url`, or else this host and `port`.
    """
    problem = FRAMEWORK[status]

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request_id = environ["asterism.request_id"]
        base_url = public_url or f"http://{environ['HTTP_HOST']}"
        response = problem_response(problem, detail, base_url, request_id)
        response.headers["Connection"] = "close"
        if status == 503:
            response.headers["Retry-After"] = "1"
        return response(environ, start_response)

    environ = {"REQUEST_METHOD": "GET", "SERVER_PORT": port}
    body, _, headers = run_wsgi_app(with_standard_headers(application, public_url), environ)
    return f"HTTP/1.1 {status} {problem.title}\r\n{headers}".encode("latin-1") + b"".join(body)
