"""What it takes to start: commands, a worker, and `make run`; and the memory of a worker.

Run by `python -m tests.bench.start`; `--cold` also times `make run` in a new checkout, which
installs everything. CPU times are those of a whole process, the least of several runs, with its
modules compiled to bytecode before, as after a first start, and without.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from signal import SIGTERM

from tests.bench.games import Game, random_line
from tests.bench.serving import ROOT, Server, connected, run, service
from tests.support.ports import free_port
from tests.support.processes import Processes
from tests.support.servers import until
from tests.support.started import start

RUNS = 9
WSGI = "import service.wsgi"
CODES: Mapping[str, Sequence[str]] = {
    "asterism --help": ("-m", "service", "--help"),
    "asterism bot --help": ("-m", "service", "bot", "--help"),
    "asterism serve --help": ("-m", "service", "serve", "--help"),
    WSGI: ("-c", WSGI),
    "python": ("-c", ""),
}
_NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}
HEAVIEST = 8
"""Packages that are named among what a worker imports."""


def report(cold: bool = False) -> None:
    """Prints CPU seconds, then memory, then seconds until the service answers."""
    print(f"{'CPU seconds, least of ' + str(RUNS):<34}{'compiled':>10}{'not yet':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name, words in CODES.items():
            kept = _environ(PYTHONPYCACHEPREFIX=folder)
            _cpu(words, kept)
            warm = min(_cpu(words, kept) for _ in range(RUNS))
            bare = min(
                _cpu(words, _environ(PYTHONPYCACHEPREFIX=f"{folder}/none", **_NO_BYTECODE))
                for _ in range(3)
            )
            print(f"{name:<34}{warm:>10.3f}{bare:>10.3f}")
        print(f"\nOf {WSGI}, milliseconds by package: {_packages(kept)}")
    print()
    _report_memory()
    print()
    _report_make_run(cold)


def _environ(**more: str) -> dict[str, str]:
    """This environment, with what a worker needs, and bytecode written as usual."""
    given = {name: value for name, value in os.environ.items() if name not in _NO_BYTECODE}
    needed = {"REDIS_URL": "redis://127.0.0.1:1", "ASTERISM_SERVER_KEY": "bench" * 8}
    return {**given, **needed, **more}


def _cpu(words: Sequence[str], environ: Mapping[str, str]) -> float:
    """CPU seconds of a Python that is called with `words`."""
    process = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, env=environ, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return usage.ru_utime + usage.ru_stime


def _packages(environ: Mapping[str, str]) -> str:
    """The packages that take longest to import, and how long; what they import not counted."""
    code = [sys.executable, "-X", "importtime", "-c", WSGI]
    done = subprocess.run(code, cwd=ROOT, env=environ, stderr=subprocess.PIPE, check=True)
    took = Counter[str]()
    for line in done.stderr.decode().splitlines()[1:]:
        micros, _, module = line.removeprefix("import time:").split("|")
        took[module.strip().partition(".")[0]] += int(micros)
    return ", ".join(f"{name} {spent / 1000:.0f}" for name, spent in took.most_common(HEAVIEST))


def _report_memory() -> None:
    """Prints a line for a worker that has just started, and one for a worker that has worked."""
    print(f"{'MiB a worker':<34}{'resident':>10}{'its share':>10}{'its own':>10}")
    with service(workers=2, ASTERISM_SEARCHES="8") as server:
        _print_memory("just started", Processes(server.main).workers)
        games = [Game(name, 1, random_line(name, 40)) for name in ("astrocyte", "binary-star") * 50]
        for action in (Game.begin, Game.move, Game.undo, Game.hint):
            run(server, [partial(action, game) for game in games], 8)
        _print_memory("after 100 games, 100 hints", Processes(server.main).workers)


_PARTS = ("Rss:", "Pss:", "Private_Dirty:")
"""The kernel's words: in memory; of that, with pages shared out to their users; its own alone."""


def _print_memory(when: str, workers: Sequence[int]) -> None:
    sizes = [_memory(pid) for pid in workers]
    most = (max(size[part] for size in sizes) / 1024 for part in _PARTS)
    print(f"{when:<34}" + "".join(f"{size:>10.1f}" for size in most))


def _memory(pid: int) -> dict[str, int]:
    """KiB of a process by kind."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {words[0]: int(words[1]) for words in map(str.split, lines)}


def _report_make_run(cold: bool) -> None:
    print(f"{'Seconds until make run answers':<34}{'passed':>10}{'CPU':>10}")
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT)
            copy = ["xargs", "-0", "cp", "--parents", "-t", folder]
            subprocess.run(copy, input=listed, cwd=ROOT, check=True)
            _print_make_run("in a new checkout", Path(folder))
            _print_make_run("in the same again", Path(folder))
    _print_make_run("here", ROOT)


def _print_make_run(where: str, folder: Path) -> None:
    passed, used = _make_run(folder)
    print(f"{where:<34}{passed:>10.2f}{used:>10.2f}")


def _make_run(folder: Path) -> tuple[float, float]:
    """Seconds until `make run` in `folder` answers, and CPU seconds of all of it to its end."""
    port, began = free_port(), time.perf_counter()
    with tempfile.TemporaryDirectory() as data:
        settings = {"PORT": str(port), "ASTERISM_DATA": data, "REDIS_URL": ""}
        process = start(
            ["make", "-s", "run"],
            cwd=folder,
            env={**_environ(), "ASTERISM_SERVER_KEY": "", **settings},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            until(partial(_answers, process, Server(port, process.pid, "/v1/stats")), 600)
            passed = time.perf_counter() - began
        finally:
            os.killpg(process.pid, SIGTERM)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
    return passed, usage.ru_utime + usage.ru_stime


def _answers(process: "subprocess.Popen[bytes]", server: Server) -> bool:
    assert process.poll() is None, "make run has ended"
    with suppress(OSError), connected(server):
        return True
    return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What it takes to start.")
    parser.add_argument("--cold", action="store_true", help="also install in a new checkout")
    report(parser.parse_args().cold)
