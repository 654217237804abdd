"""boardgame.io, installed by npm into `build/peers`, and games on it."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.bench.peers.measured import Played
from tests.bench.serving import ROOT
from tests.support.ports import free_port
from tests.support.processes import cpu
from tests.support.started import start

FOLDER = ROOT / "build" / "peers"
_SOURCES = Path(__file__).parent


def install() -> None:
    """Installs what `package.json` says, once. Raises `SystemExit` without Node.js and npm."""
    if not (shutil.which("node") and shutil.which("npm")):
        raise SystemExit("boardgame.io needs node and npm: sh tests/need.sh installs them.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    package = _SOURCES / "package.json"
    copied = FOLDER / "package.json"
    if copied.exists() and copied.read_text() == package.read_text():
        return
    print("Installing boardgame.io into build/peers ...", flush=True)
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--no-package-lock"]
    shutil.copy(package, copied)
    if subprocess.run(command, cwd=FOLDER, check=False).returncode:
        copied.unlink()
        raise SystemExit("npm could not install boardgame.io: is there a registry to reach?")


@contextmanager
def boardgame(
    piles: dict[str, Sequence[str]],
    line: Sequence[Sequence[str]],
    connections: int,
    workers: int,
    folder: Path,
) -> Iterator[Callable[[], Played]]:
    """So many servers, one a process, and a player a connection; `folder` takes what they read."""
    for name in ("server.js", "driver.js"):
        shutil.copy(_SOURCES / name, FOLDER)
    (folder / "start.json").write_text(json.dumps(piles))
    (folder / "line.json").write_text(json.dumps(line))
    with ExitStack() as stack:
        servers, ports = [], [str(free_port()) for _ in range(workers)]
        for port in ports:
            command = ["node", "server.js", port, str(folder / "start.json")]
            server = start(command, cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            stack.callback(_stop, server)
            servers.append(server)
        for server in servers:
            if b"ready" not in server.stdout.readline():
                raise SystemExit("A server of boardgame.io did not start.")
        driver = start(
            ["node", "driver.js", str(folder / "line.json"), str(connections), *ports],
            cwd=FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        stack.callback(_stop, driver)

        def used() -> float:
            return cpu(*(server.pid for server in servers))

        def play() -> Played:
            before = used()
            driver.stdin.write(b"\n")
            driver.stdin.flush()
            answer = driver.stdout.readline()
            if not answer:
                raise SystemExit("The players of boardgame.io have stopped.")
            return Played(**json.loads(answer), seconds=used() - before)

        yield play


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait(20)
