"""Cases of what is counted for a connection: watchers, files, streams and their sockets."""

import random
import resource
import socket
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.reports.site import ANY_CONTRACT, CASES, Case, case
from tests.support.processes import Processes
from tests.support.servers import until
from tests.support.streams import watching

LIMIT = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, ({}, {}))\n"
"""What Python runs before all else, so that a service may open only so many files."""

MANY = {f"ASTERISM_WATCHERS{kind}": "5000" for kind in ("", "_PER_ADDRESS", "_PER_GAME")}


def within(seconds):
    """When that much time is over."""
    return time.monotonic() + seconds


def watch(port, path, end):
    """A connection over which a stream has been asked for; OSError at the time `end`."""
    wire = socket.create_connection(("127.0.0.1", port), timeout=max(end - time.monotonic(), 0.001))
    accept = "text/event-stream, */*;q=0.1"
    wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())
    return wire


@contextmanager
def crowd(service, path, count):
    """How many of `count` connections that stay are answered with which status."""
    with ExitStack() as opened:
        end, wires, told = within(20), [], Counter()
        with suppress(OSError):
            wires += (opened.enter_context(watch(service.port, path, end)) for _ in range(count))
        for wire in wires:
            with suppress(OSError, IndexError):
                wire.settimeout(max(end - time.monotonic(), 0.001))
                told[int(wire.recv(64).split()[1])] += 1
        yield told


def hang_up(port, path, end, number):
    """Goes within 20 ms, every other time with a reset."""
    with suppress(OSError), watch(port, path, end) as wire:
        if number % 2:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(random.Random(number).uniform(0, 0.02))


@case("N1", "900 streams hung up within 20 ms, then as many as there are seats", "100 watch")
def seats(site):
    with site.serving() as (_, service, api), ExitStack() as opened:
        path = f"{api.new_game('astrocyte').path}/events"
        with ThreadPoolExecutor(12) as clients:
            list(clients.map(partial(hang_up, service.port, path, within(15)), range(900)))
        taken, end = 0, within(15)  # a worker hears of a hang-up when it writes next
        while taken < 100 and time.monotonic() < end:
            wire = opened.enter_context(watch(service.port, path, end))
            taken += b" 200 " in wire.recv(64)
            time.sleep(0.02)
        return f"{taken} watch"


def crowded(count, soft, hard, place, site):
    """Whether a crowd is answered where so few files may be open, and the workers live on."""
    folder, (_, most) = site.folder(), resource.getrlimit(resource.RLIMIT_NOFILE)
    (folder / "sitecustomize.py").write_text(LIMIT.format(soft, hard or most))
    with site.serving(PYTHONPATH=str(folder), **MANY) as (_, service, api):
        path, workers = f"{api.new_game('astrocyte').path}{place}", service.workers()
        with crowd(service, path, count) as told:
            unanswered = count - sum(told[status] for status in (200, 429, 503))
        alive = "live" if service.workers() == workers else "died"
    return f"{unanswered} without an answer, workers {alive}"


ANSWERED = "0 without an answer, workers live"
CASES += [
    Case("N10", "1,100 watch, 1,024 files", ANSWERED, partial(crowded, 1100, 1024, 0, "/events")),
    Case("N10", "600 connections, 256 files", ANSWERED, partial(crowded, 600, 256, 256, "")),
]


def told_after(seconds, site):
    """The kinds of messages on a stream that is idle for so long, and then over a move."""
    with site.api() as api, watching(site.service, ANY_CONTRACT) as watch:
        player = api.new_game("astrocyte", 1)
        stream = watch(player, query=f"?wait={seconds + 2}")
        time.sleep(seconds)
        player.play("deal")
        return ", ".join(message["kind"] for message in iter(stream.next, None))


TOLD = "snapshot, moved"
CASES += [
    Case(
        "N29", "a move on a stream idle for longer than a heartbeat", TOLD, partial(told_after, 6)
    ),
    Case("N30", "a move on a stream that has just begun", TOLD, partial(told_after, 0)),
]


@case("N44", "every socket of the embedded store and of streams is unlinked", "served and told")
def unlinked(site):
    with site.start("", ASTERISM_WORKERS="1") as service, site.api(service) as api:
        path = f"{api.new_game('astrocyte').path}/events?wait=1"
        store = Path(Processes(service.process.pid).store_url.removeprefix("unix://"))
        for file in store.parent.glob("*.sock"):
            file.unlink()
        until(lambda: store.exists() and service.answers("/readyz") and service.answers(path), 15)
    return "served and told"
