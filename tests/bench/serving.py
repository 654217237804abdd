"""Servers to measure, requests to them, and the CPU time that these take."""

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from operator import sub
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from tests.support.ports import free_port
from tests.support.processes import Processes, cpu, resident
from tests.support.servers import ROOT, python_of, until
from tests.support.started import start


class Usage(NamedTuple):
    """CPU seconds, or bytes of memory, by the part of a server that uses them."""

    workers: float
    store: float
    others: float

    @property
    def total(self) -> float:
        """Of all of them."""
        return sum(self)


def checkout(folder: str) -> Path:
    """The checkout in `folder`, for an option of a command line."""
    found = Path(folder).resolve()
    if not (found / "service").is_dir():
        raise argparse.ArgumentTypeError(f"{folder} is no checkout of the service")
    return found


@dataclass(frozen=True)
class Server:
    """A server on a port of loopback, and the id of its main process.

    `probe` is a path that it answers, from its store if it has one: what a new connection opens
    behind it is open then.
    """

    port: int
    main: int
    probe: str

    def cpu(self) -> Usage:
        """CPU seconds so far."""
        found = Processes(self.main)
        return Usage(cpu(*found.workers), cpu(*found.stores), cpu(*found.others))

    def memory(self) -> Usage:
        """Bytes in use."""
        found = Processes(self.main)
        parts = found.workers, found.stores, found.others
        return Usage(*(sum(map(resident, pids)) for pids in parts))


class Connection:
    """A connection to a server that is kept, with one request in flight."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def request(
        self, method: str, path: str, body: object = None, token: str = "", known: str = ""
    ) -> Any:
        """The JSON of the answer, or None if it is none; AssertionError if it is no success.

        `known` is the entity tag of what is there already.
        """
        data = b"" if body is None else orjson.dumps(body)
        condition = f"If-None-Match: {known}\r\n" if known else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n{condition}\r\n"
        )
        self._socket.sendall(head.encode() + data)
        response = HTTPResponse(self._socket)
        response.begin()
        content = response.read()
        assert response.status < 300 or response.status == 304, content
        return orjson.loads(content) if content.startswith(b"{") else None

    def close(self) -> None:
        """Hangs up."""
        self._socket.close()


Task = Callable[[Connection], object]
"""A request, or a few, over the connection it is given."""


def run(server: Server, tasks: Sequence[Task], connections: int = 1) -> Usage:
    """Does all `tasks`, shared out to so many connections; the CPU seconds that they took.

    Each connection is a new one over which one request has been answered already, and does its
    tasks one by one.
    """
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(connections))
        opened = [stack.enter_context(connected(server)) for _ in range(connections)]
        shares = [tasks[first::connections] for first in range(connections)]
        before = server.cpu()
        for _ in pool.map(_run_share, opened, shares):
            pass
        return Usage(*map(sub, server.cpu(), before))


def _run_share(connection: Connection, tasks: Sequence[Task]) -> None:
    for task in tasks:
        task(connection)


@contextmanager
def connected(server: Server) -> Iterator[Connection]:
    """A connection over which one request has been answered."""
    with closing(Connection(server.port)) as connection:
        connection.request("GET", server.probe)
        yield connection


def empty_route() -> AbstractContextManager[Server]:
    """The smallest Flask application on a plain gunicorn with threads."""
    port = free_port()
    gunicorn = f"gunicorn -k gthread -w 1 --threads 4 --no-control-socket -b 127.0.0.1:{port}"
    command = [sys.executable, "-m", *gunicorn.split(), "tests.bench.empty:app"]
    return _started(command, ROOT, port, "/", {})


def service(
    folder: Path = ROOT, workers: int = 1, **environ: str
) -> AbstractContextManager[Server]:
    """The service of the checkout in `folder`, as operators start it, with a store of its own.

    There are no rate limits; `environ` sets it up further.
    """
    port, command = free_port(), [python_of(folder), "-m", "service", "serve"]
    settings = {
        "PORT": str(port),
        "REDIS_URL": "",
        "ASTERISM_WORKERS": str(workers),
        "ASTERISM_LIMITS": "off",
    }
    return _started(command, folder, port, "/v1/stats", {**settings, **environ})


@contextmanager
def _started(
    command: Sequence[str], folder: Path, port: int, probe: str, environ: Mapping[str, str]
) -> Iterator[Server]:
    """Starts a server in `folder` and waits until it answers; stops it when the block ends."""
    with tempfile.TemporaryDirectory() as data:
        log = Path(data) / "log"
        with log.open("wb") as output:
            process = start(
                command,
                cwd=folder,
                env={**os.environ, **environ, "ASTERISM_DATA": data},
                stdout=output,
                stderr=output,
            )
        server = Server(port, process.pid, probe)

        def answers() -> bool:
            assert process.poll() is None, log.read_text()
            with suppress(OSError), connected(server):
                return True
            return False

        try:
            until(answers, 60)
            yield server
        finally:
            process.terminate()
            process.wait(20)
