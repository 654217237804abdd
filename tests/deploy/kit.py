"""The service as deploy/ starts it, on loopback: its files and commands, without its containers.

A process takes the place of each container of compose.yaml, with its command, environment and
secrets. Only paths and ports differ.
"""

import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

from service.server.embedded_store import server_binary
from tests.deploy.files import DEPLOY, NGINX, ROOT, build_steps, compose, filled_in
from tests.support.ports import free_port
from tests.support.servers import until
from tests.support.started import Stoppable, start

Environ = dict[str, str]


def found(command: str) -> str:
    """The path of a command of Debian's; tests fail without it, they are never skipped."""
    path = shutil.which(command, path=f"{os.environ['PATH']}:/usr/sbin")
    assert path, f"{command} is not installed: make test installs it, see tests/need.sh"
    return path


def installed(folder: Path) -> None:
    """Makes what the first stage of the Dockerfile makes, by its own steps, in `folder`.

    The compiler is the machine's, and a virtual environment stands for the image of Python.
    """
    base, source, made = folder / "base", folder / "source", folder / "asterism"
    uv = str(ROOT / ".tools" / "bin" / "uv")
    subprocess.run([uv, "venv", "-q", "--seed", str(base)], check=True)
    environ = {**os.environ, "PIP_QUIET": "1", "PATH": f"{base / 'bin'}:{os.environ['PATH']}"}
    at = folder
    for name, text in build_steps():
        if name == "WORKDIR":
            at = source if text == "/source" else folder
        elif name == "COPY":
            *paths, target = text.split()
            for path in paths:
                _copy(ROOT / path, source / target)
        elif name == "RUN" and "apt-get" not in text:
            here = text.replace("/opt/asterism", str(made)).replace("/wheels", f"{folder}/wheels")
            subprocess.run(["sh", "-euc", here], cwd=at, env=environ, check=True, timeout=1800)


def _copy(path: Path, target: Path) -> None:
    """A file goes into a folder, a folder's content as well."""
    if path.is_dir():
        left_out = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(path, target, dirs_exist_ok=True, ignore=left_out)
    else:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


class Deployment(Stoppable):
    """nginx, the service and Valkey, each as compose.yaml has it."""

    def __init__(
        self, folder: Path, asterism: Path, store: str | None = None, **environ: str
    ) -> None:
        """`asterism` is the installation; `environ` differs from what compose.yaml sets.

        `store` is the address of one that is there already, with LOGIN in it; without it the
        deployment brings its own.
        """
        self.folder = folder
        self.port, self._service, self._store = free_port(), free_port(), free_port()
        self.metrics = free_port()
        self._environ = environ
        self._binaries = {"valkey-server": server_binary(), "nginx": found("nginx")}
        self._path = f"{asterism / 'bin'}:{os.environ['PATH']}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("data", "tmp"):
            (folder / name).mkdir()
        shutil.copytree(DEPLOY, folder / "deploy", ignore=shutil.ignore_patterns("secrets"))
        self._containers = ["service", "nginx"]
        if store is None:
            store = f"redis://LOGIN@127.0.0.1:{self._store}/0"
            self._containers.insert(0, "valkey")
        subprocess.run(["sh", str(folder / "deploy" / "secrets.sh"), store], check=True)

    @property
    def url(self) -> str:
        """Where clients reach it."""
        return f"http://127.0.0.1:{self.port}"

    def secret(self, name: str) -> str:
        """A secret that was made for it."""
        return (self.folder / "deploy" / "secrets" / name).read_text().strip()

    def log(self, name: str) -> Path:
        """What a container has written."""
        return self.folder / f"{name}.log"

    def start(self, *names: str) -> None:
        """Starts these containers, or all in the order in which they depend on each other."""
        for name in names or self._containers:
            self._start(name)
            until(lambda name=name: self._is_healthy(name), 60)

    def stop(self, *names: str) -> None:
        """Stops these containers, or all, as Docker does; AssertionError if one must be killed."""
        for name in names or reversed(self.processes.copy()):
            process = self.processes.pop(name)
            # The image of nginx asks for another signal: it ends when its answers have ended.
            process.send_signal(3 if name == "nginx" else 15)
            process.wait(20)

    def run(self, name: str, *command: str) -> subprocess.CompletedProcess[str]:
        """What a command says that is run in a container, as `docker compose exec` does it."""
        environ, _ = self._container(name)
        where = self.folder / "tmp"
        return subprocess.run(
            command, env=environ, cwd=where, capture_output=True, text=True, timeout=60, check=False
        )

    def _container(self, name: str) -> tuple[Environ, list[str]]:
        """The environment and the command of a container, at the places they have here."""
        container = compose(ASTERISM_PUBLIC_URL=self.url, ASTERISM_PROXIES="1")["services"][name]
        given = container.get("environment", {})
        environ = {name: self.here(value) for name, value in given.items()} | self._environ
        environ |= {"PATH": self._path, "HOST": "127.0.0.1", "PORT": str(self._service)}
        environ |= dict.fromkeys(("HOME", "TMPDIR"), str(self.folder / "tmp"))
        return environ, [self.here(word) for word in container.get("command", self._command())]

    def _start(self, name: str) -> None:
        environ, command = self._container(name)
        command[0] = self._binaries.get(command[0], command[0])
        if name == "valkey":
            command += ["--bind", "127.0.0.1", "--port", str(self._store)]
        if name == "nginx":
            place = f"127.0.0.1:{self.port}"
            environ["ASTERISM_LISTEN"] = environ["ASTERISM_LISTEN"].replace("8080", place)
            text = filled_in(self.here(NGINX.read_text()), environ)
            # All processes of a container have one user; started by root, nginx would take another.
            text = f"user root;\n{text}" if os.geteuid() == 0 else text
            (self.folder / "tmp" / "nginx.conf").write_text(text, encoding="utf-8")
        with self.log(name).open("ab") as log:
            self.processes[name] = start(
                command, env=environ, cwd=self.folder / "tmp", stdout=log, stderr=log
            )

    def _command(self) -> list[str]:
        """The command of the image."""
        found = re.search(r"^CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
        assert found
        return json.loads(found[1])

    def here(self, text: str) -> str:
        """What a container calls so, where it lies on this machine."""
        here = {
            "/etc/nginx/tls": self.folder / "tls",
            "/etc/valkey": self.folder / "deploy" / "valkey",
            "/run/secrets": self.folder / "deploy" / "secrets",
            "/data": self.folder / "data",
            "/tmp": self.folder / "tmp",
            "service:8000": f"127.0.0.1:{self._service}",
            "0.0.0.0:9464": f"127.0.0.1:{self.metrics}",
        }
        there = re.compile("|".join(rf"(?<![\w/]){place}(?!\w)" for place in here))
        return there.sub(lambda found: str(here[found[0]]), text)

    def _is_healthy(self, name: str) -> bool:
        assert self.processes[name].poll() is None, self.log(name).read_text()
        ports = {"valkey": self._store, "service": self._service, "nginx": self.port}
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", ports[name])) == 0
