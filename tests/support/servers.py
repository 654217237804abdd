"""Real servers for tests: Redis, Valkey, and the service behind gunicorn; loopback only."""

import http.client
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.server.embedded_store import server_binary
from tests.support.ports import free_port
from tests.support.started import Stoppable, start

SERVER_KEY = "a key for tests, and for tests alone"

ROOT = Path(__file__).parents[2]
"""This checkout."""


def python_of(checkout: Path) -> str:
    """The Python that runs a checkout: that of its environment, or else this one."""
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def redis_7() -> str:
    """The path of Debian's Redis; tests fail without it, they are never skipped."""
    path = shutil.which("redis-server")
    assert path, "redis-server is not installed: make test installs it, see tests/need.sh"
    return path


def valkey_9() -> str:
    """The path of the Valkey that comes with the service."""
    return server_binary()


class StoreServer(Stoppable):
    """A Redis or Valkey server on a port of loopback, its append-only file in `folder`."""

    replicas = 0

    def __init__(self, binary: str, folder: Path, *options: str) -> None:
        self._binary, self.folder, self._options = binary, folder, options
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Starts the server, with what an earlier one has left in the folder."""
        self.process = start(self._command(), stdout=subprocess.DEVNULL)
        until(self._serves)

    def _command(self) -> list[str]:
        return [
            *(self._binary, "--bind", "127.0.0.1", "--port", str(self.port)),
            *("--dir", str(self.folder), "--appendonly", "yes", "--save", ""),
            *self._options,
        ]

    def client(self) -> Redis:
        """A plain client, for looking at what is stored."""
        return Redis.from_url(self.url)

    def stop(self) -> None:
        """Stops the server as an operator would."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait(15)

    def kill(self) -> None:
        """Ends the server without a word."""
        self.process.kill()
        self.process.wait(15)

    def pause(self) -> None:
        """Lets the server hang: it keeps its connections and answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets the server go on."""
        self.process.send_signal(signal.SIGCONT)

    def _serves(self) -> bool:
        assert self.process.poll() is None, "the store server ended as it began"
        try:
            with Redis.from_url(self.url) as client:
                return bool(client.ping())
        except RedisError:
            return False


class Service(Stoppable):
    """The service as operators start it, on a port of loopback."""

    def __init__(
        self,
        redis_url: str,
        log: Path,
        module: str = "service",
        checkout: Path = ROOT,
        **environ: str,
    ) -> None:
        """`module` is the program that serves, if it is not the service itself."""
        self._module, self._checkout = module, checkout
        self._environ = {
            **os.environ,
            "REDIS_URL": redis_url,
            "ASTERISM_SERVER_KEY": SERVER_KEY,
            **environ,
        }
        self.log = log
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Starts gunicorn and waits until it answers."""
        with self.log.open("ab") as log:
            self.process = start(
                [python_of(self._checkout), "-m", self._module, "serve"],
                cwd=self._checkout,
                env={**self._environ, "PORT": str(self.port)},
                stdout=log,
                stderr=log,
            )
        try:
            until(self._has_started, 60)  # on a machine that others use too, it takes its time
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stops the service as an operator would; what it is working on is answered."""
        self.process.terminate()
        self.process.wait(20)

    def children(self) -> list[int]:
        """The ids of the processes that the service has started."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text().split()]

    def workers(self) -> list[int]:
        """The ids of those that answer: forked, so that they go by the name of the first."""
        name = _name(self.process.pid)
        return [pid for pid in self.children() if _name(pid) == name]

    def _has_started(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return self.answers("/livez")

    def answers(self, path: str) -> bool:
        """Whether it answers a GET of `path` with 200."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()


@contextmanager
def serving(folder: Path, **environ: str) -> Iterator[Service]:
    """The service on a Valkey of its own until the block ends; what they keep is in `folder`."""
    store = StoreServer(valkey_9(), folder)
    try:
        service = Service(store.url, folder / "log", **environ)
        try:
            yield service
        finally:
            service.stop()
    finally:
        store.stop()


def _name(pid: int) -> bytes:
    """What a process was called with; nothing if it has gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Waits until `holds`, looking again and again; AssertionError when time is over."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)
