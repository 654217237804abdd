"""gunicorn's gevent worker, with timeouts for slow clients and problems for malformed requests."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import gevent
from gunicorn.http.errors import InvalidHeader, ParseException, UnsupportedTransferCoding
from gunicorn.util import close_graceful
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.test import run_wsgi_app

from service.api.error_handlers import problem_response
from service.api.headers import with_standard_headers
from service.api.problems import FRAMEWORK
from service.api.services import services_of

SECONDS = 10.0
"""How long a client may neither send what its request still lacks nor read its answer."""

_LARGEST_DRAIN = 16 * 2**20
"""Bytes of a refused request that are read and dropped, so that its answer arrives."""


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Serves each connection in a greenlet."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle: set[gevent.Greenlet] = set()

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Waits for a request: not beyond the keep-alive time, nor beyond the worker's life."""
        waiting = gevent.getcurrent()
        self._idle.add(waiting)
        try:
            with suppress(gevent.GreenletExit), super().timeout_ctx():
                yield
        finally:
            self._idle.discard(waiting)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answers a request, unless its client stops sending or reading."""
        _require_host_and_known_coding(req)
        req.body.reader = _BodyReader(req.body.reader)
        sock.settimeout(SECONDS)
        try:
            return super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            raise StopIteration from None  # closes the connection
        except StopIteration:
            # The client may still be sending: closed at once, it would lose the answer.
            close_graceful(sock, max_drain=_LARGEST_DRAIN)
            raise
        finally:
            sock.settimeout(None)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answers what is no HTTP request with a problem document."""
        status = _Status()
        super().handle_error(req, status, addr, exc)
        with suppress(OSError):
            client.sendall(_problem(status.code, self.wsgi.config["PUBLIC_URL"]))
            close_graceful(client, max_drain=_LARGEST_DRAIN)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begins a graceful shutdown: streams end, and idle connections are closed."""
        super().handle_exit(sig, frame)
        # Not in the signal handler, which may have interrupted whoever holds a lock.
        gevent.spawn(self._let_go)

    def _let_go(self) -> None:
        if hasattr(self, "wsgi"):  # else the worker is told to stop before it has begun
            services_of(self.wsgi).watch.close()
        gevent.killall(list(self._idle), block=False)


def _require_host_and_known_coding(req: Any) -> None:
    """Raises gunicorn's error for a request without `Host`, or with a coding that nobody undoes.

    gunicorn leaves both to the application (RFC 9112, 3.2 and 6.1).
    """
    headers = dict(req.headers)
    if req.version >= (1, 1) and "HOST" not in headers:
        raise InvalidHeader("HOST", req=req)
    coding = headers.get("TRANSFER-ENCODING", "chunked")
    if coding.strip().lower() != "chunked":
        raise UnsupportedTransferCoding(coding)


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


class _Status:
    """Stands in for a socket to learn the status that gunicorn would answer an error with."""

    code = 400

    def sendall(self, data: bytes) -> None:
        """Takes 500 for a fault of the service, and 400 for whatever the client did."""
        self.code = 500 if data.split()[1] == b"500" else 400


def _problem(status: int, public_url: str | None) -> bytes:
    """A whole HTTP response with the problem document for `status`."""
    problem = FRAMEWORK[status]

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request_id = environ["asterism.request_id"]
        base_url = public_url or "http://localhost"
        response = problem_response(problem, problem.explanation, base_url, request_id)
        response.headers["Connection"] = "close"
        return response(environ, start_response)

    body, _, headers = run_wsgi_app(
        with_standard_headers(application, public_url), {"REQUEST_METHOD": "GET"}
    )
    return f"HTTP/1.1 {status} {problem.title}\r\n{headers}".encode("latin-1") + b"".join(body)
