"""What a request costs in counts, which are the same on any machine: round trips and calls.

Run by `python -m tests.bench.counts`; with `--write` its figures become those that tests compare.
Calls are those of Python and of C functions by one request through the application, warmed up, on
a store in memory whose own work is left out.
"""

import argparse
import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import fakeredis
import orjson
from flask import Flask
from typing_extensions import override
from werkzeug.test import EnvironBuilder

from service.api.app import create_app
from service.config import Settings
from service.games import VARIANTS
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.watcher_slots import DEFAULT_WATCHER_LIMITS
from service.play.watching import WatchHub
from service.store.nodes import SingleNode
from service.store.redis import store_on

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "tests" / "fixtures" / "counts.json"
"""What requests cost when this was last written: round trips, and calls by version of Python."""

PYTHON = "{}.{}".format(*sys.version_info)
MARGIN = 0.05
"""By how much the calls of a request may grow before somebody has to look at it."""

WARM_UPS = 3
PLY = 5

Functions = Mapping[str, Mapping[str, int]]
"""Calls by room of the service or package beside it, and in it by function.

A call of C counts for the function that makes it.
"""


class Cost(NamedTuple):
    """What one request costs."""

    round_trips: int
    functions: Functions

    @property
    def calls(self) -> int:
        """All calls."""
        return sum(sum(each.values()) for each in self.functions.values())

    @property
    def rooms(self) -> dict[str, int]:
        """Calls by room, most first."""
        sums = {name: sum(each.values()) for name, each in self.functions.items()}
        return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


class _Counts:
    """Counts calls and round trips of this thread while it is entered."""

    def __init__(self) -> None:
        self.round_trips = 0
        self.calls = Counter[tuple[str, str]]()

    def __enter__(self) -> "_Counts":
        gc.disable()  # what it finalizes depends on what was there before
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        gc.enable()

    def _count(self, frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "c_call"):
            module = frame.f_globals.get("__name__", "")
            if module != __name__:
                package, *inside = module.split(".")
                room = f"service.{inside[0]}" if package == "service" and inside else package
                self.calls[room, frame.f_code.co_qualname] += 1

    def functions(self) -> Functions:
        """The calls so far, by room and function."""
        found: dict[str, dict[str, int]] = {}
        for (room, function), count in sorted(self.calls.items()):
            found.setdefault(room, {})[function] = count
        return found


class _Store(fakeredis.FakeRedis):
    """A server whose commands are counted, and what it does for them is not."""

    counts: _Counts | None = None

    @override
    def execute_command(self, *args: Any, **options: Any) -> Any:
        return self._round_trip(super().execute_command, *args, **options)

    @override
    def pipeline(self, *args: Any, **options: Any) -> Any:
        pipeline = super().pipeline(*args, **options)
        pipeline.execute = partial(self._round_trip, pipeline.execute)  # type: ignore[method-assign]
        return pipeline

    def _round_trip(self, run: Callable[..., Any], *args: Any, **options: Any) -> Any:
        profile = sys.getprofile()
        sys.setprofile(None)
        try:
            if self.counts is not None:
                self.counts.round_trips += 1
            return run(*args, **options)
        finally:
            sys.setprofile(profile)


class _Player:
    """Plays a game in the application, and tells what its last request cost."""

    def __init__(self, app: Flask, store: _Store, variant: str) -> None:
        self._app, self._store = app, store
        self._variant = variant
        self._headers: dict[str, str] = {}
        self._path = ""
        self.game: Any = {}

    def begin(self) -> Cost:
        """A new game of deal 1."""
        body = {"variant": self._variant, "deal": {"number": "1"}}
        answer, cost = self._send("POST", "/v1/games", 201, body)
        self.game = answer["game"]
        self._path = f"/v1/games/{self.game['id']}"
        self._headers = {"Authorization": f"Bearer {answer['play_token']}"}
        return cost

    def move(self) -> Cost:
        """The first legal move."""
        return self._change("moves", moves=self.game["legal_moves"][:1])

    def undo(self) -> Cost:
        """One move taken back."""
        return self._change("undo", steps=1)

    def read_again(self) -> Cost:
        """A read of what is known already."""
        return self._send("GET", self._path, 304, None, {"If-None-Match": self._tag})[1]

    def _change(self, action: str, **body: Any) -> Cost:
        body["version"] = self.game["version"]
        answer, cost = self._send("POST", f"{self._path}/{action}", 200, body)
        self.game = answer["game"]
        return cost

    def _send(
        self,
        method: str,
        path: str,
        status: int,
        body: object,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[Any, Cost]:
        data = None if body is None else orjson.dumps(body)
        builder = EnvironBuilder(
            path,
            method=method,
            data=data,
            content_type=data and "application/json",
            headers={**self._headers, **(headers or {})},
        )
        environ, started = builder.get_environ(), list[Any]()
        counts = self._store.counts = _Counts()
        with counts:
            parts = self._app.wsgi_app(environ, lambda *begun: started.append(begun))
            content = b"".join(parts)
            if hasattr(parts, "close"):
                parts.close()
        self._store.counts = None
        assert started[0][0].startswith(str(status)), content
        self._tag = dict(started[0][1]).get("ETag", "")
        return orjson.loads(content or b"null"), Cost(counts.round_trips, counts.functions())


def costs() -> Iterator[tuple[str, Cost]]:
    """What each kind of request costs, by its name, in this process as it is."""
    store = _Store()
    kept = store_on(SingleNode(store), SingleNode(store), 3600)
    settings = Settings(ServerKey(b"counts" * 8), "redis://nowhere", limits={})
    watch = WatchHub(kept, lambda: iter(()), DEFAULT_WATCHER_LIMITS)
    app = create_app(settings, kept, watch, ComputePool(1))
    for variant in VARIANTS:
        for _ in range(WARM_UPS):
            found = dict(_costs_of_a_game(_Player(app, store, variant)))
        for name, cost in found.items():
            yield f"{name}, {variant}", cost


def _costs_of_a_game(player: _Player) -> Iterator[tuple[str, Cost]]:
    """The first move and the first undo of a game change its result, too."""
    yield "creation", player.begin()
    yield "first move", player.move()
    for _ in range(PLY - 1):
        player.move()
    yield f"move, ply {PLY}", player.move()
    yield "first undo", player.undo()
    player.move()
    yield f"undo, ply {PLY}", player.undo()
    yield "read again, unchanged", player.read_again()


def measured() -> dict[str, Cost]:
    """What each kind of request costs in a new process, in which nothing but this has run."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.counts", "--json"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0", "ASTERISM_FORM": "plain"},
        stdout=subprocess.PIPE,
        check=True,
    )
    return {name: Cost(*cost) for name, cost in orjson.loads(done.stdout).items()}


def stored() -> Any:
    """The figures that were last written."""
    return orjson.loads(FIGURES.read_bytes())


def growth(name: str, cost: Cost, rooms: Mapping[str, int]) -> str:
    """What has grown against the calls by room that are stored; empty within the margin."""
    before = sum(rooms.values())
    if cost.calls <= before * (1 + MARGIN):
        return ""
    more = {room: count - rooms.get(room, 0) for room, count in cost.rooms.items()}
    lines = [
        f"{name}: {cost.calls} calls, {before} before ({cost.calls / before - 1:+.0%}; "
        f"up to {MARGIN:+.0%} may pass). Most of it in:"
    ]
    for room in sorted(more, key=lambda each: -more[each])[:5]:
        if more[room] > 0:
            lines.append(f"  {room}: {cost.rooms[room]}, {rooms.get(room, 0)} before")
            most = sorted(cost.functions[room].items(), key=lambda item: -item[1])[:4]
            lines += [f"    {count:>4} in {function}" for function, count in most]
    lines.append("If it is worth it: python -m tests.bench.counts --write")
    return "\n".join(lines)


def write() -> None:
    """Stores what requests cost now, and keeps what is stored for other versions of Python."""
    found = measured()
    calls = stored()["calls"] if FIGURES.exists() else {}
    calls[PYTHON] = {name: cost.rooms for name, cost in found.items()}
    figures = {
        "round_trips": {name: cost.round_trips for name, cost in found.items()},
        "calls": dict(sorted(calls.items())),
    }
    option = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    FIGURES.write_bytes(orjson.dumps(figures, option=option))


def report() -> None:
    """Prints a line a kind of request."""
    print(f"{'Counts, Python ' + PYTHON:<36}{'round trips':>12}{'calls':>8}  most in")
    for name, cost in measured().items():
        most = ", ".join(f"{room} {count}" for room, count in list(cost.rooms.items())[:3])
        print(f"{name:<36}{cost.round_trips:>12}{cost.calls:>8}  {most}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What a request costs in counts.")
    parser.add_argument("--write", action="store_true", help="make these what tests compare")
    parser.add_argument("--json", action="store_true", help="of this process, as JSON")
    given = parser.parse_args()
    if given.json:
        print(orjson.dumps({name: tuple(cost) for name, cost in costs()}).decode())
    elif given.write:
        write()
    else:
        report()
