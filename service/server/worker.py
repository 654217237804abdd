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

CLIENT_TIMEOUT = 10.0
"""How long a client may be idle while it sends a request or reads a response."""

_LARGEST_DRAIN = 16 * 2**20
"""Bytes of a refused request that are read and discarded, so that the response arrives."""


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """Serves each connection in a greenlet."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle: set[gevent.Greenlet] = set()

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Waits for a request until the keep-alive timeout, or until the worker stops."""
        waiting = gevent.getcurrent()
        self._idle.add(waiting)
        try:
            with suppress(gevent.GreenletExit), super().timeout_ctx():
                yield
        finally:
            self._idle.discard(waiting)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answers a request; closes the connection if the client is idle for too long."""
        _check_host_and_coding(req)
        if _content_length(req) > self.wsgi.config["BODY_LIMIT"]:
            # 413 at once; whether the body still comes is then unknown (RFC 9110, 10.1.1).
            req._expected_100_continue = False
            req.force_close()
        req.body.reader = _BodyReader(req.body.reader)
        sock.settimeout(CLIENT_TIMEOUT)
        try:
            return super().handle_request(listener_name, req, sock, addr)
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
        status = _Status()
        super().handle_error(req, status, addr, exc)
        with suppress(OSError):
            client.sendall(_problem(status.code, self.wsgi.config["PUBLIC_URL"]))
            close_graceful(client, max_drain=_LARGEST_DRAIN)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Starts a graceful shutdown: ends event streams and closes idle connections."""
        super().handle_exit(sig, frame)
        # Not in the signal handler: the code it interrupted may hold a lock.
        gevent.spawn(self._end_streams_and_idle)

    def _end_streams_and_idle(self) -> None:
        if hasattr(self, "wsgi"):  # else the worker is stopped while it starts
            services_of(self.wsgi).watch.close()
        gevent.killall(list(self._idle), block=False)


def _check_host_and_coding(req: Any) -> None:
    """Raises gunicorn's error for a request without `Host` or with an unknown transfer coding.

    gunicorn leaves both checks to the application (RFC 9112, 3.2 and 6.1).
    """
    if req.version >= (1, 1) and not any(name == "HOST" for name, _ in req.headers):
        raise InvalidHeader("HOST", req=req)
    for name, value in req.headers:  # a header may be repeated
        if name == "TRANSFER-ENCODING" and value.strip().lower() != "chunked":
            raise UnsupportedTransferCoding(value)


def _content_length(req: Any) -> int:
    """The length of the body that the request declares, which gunicorn has checked."""
    return next((int(value) for name, value in req.headers if name == "CONTENT-LENGTH"), 0)


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
    """A stand-in for a socket that records the status of gunicorn's response to an error."""

    code = 400

    def sendall(self, data: bytes) -> None:
        """Records 500 for an error of the service, and 400 for any error of the client."""
        self.code = 500 if data.split()[1] == b"500" else 400


def _problem(status: int, public_url: str | None) -> bytes:
    """A complete HTTP response with the problem document for `status`."""
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
