"""One run of the load: starts the service, lets all come, looks at memory, and ends everything."""

import os
import random
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

from redis import Redis

from tests.bench.memory import bytes_kept
from tests.load.memory import Sample, grown
from tests.load.people import Hall, company
from tests.load.tally import Tally
from tests.support.ports import free_port
from tests.support.processes import Processes, cpu, resident
from tests.support.servers import Service

LOOKED_AT = 500
"""Kept games whose bytes are counted at the end, at the most."""


class Findings(NamedTuple):
    """What a run has come to: `cpu` in seconds by process, `samples` one a second, and the mean
    of the bytes of a kept game.
    """

    seconds: float
    tally: Tally
    cpu: dict[str, float]
    samples: list[Sample]
    kept: int
    bytes_a_game: float

    @property
    def faults(self) -> list[str]:
        """Everything that was not as promised, in words; none after a good run."""
        return [*self.tally.faults, *grown(self.samples)]


def run(seconds: float) -> Findings:
    """Holds the load for so long."""
    with tempfile.TemporaryDirectory() as folder:
        metrics = f"127.0.0.1:{free_port()}"
        service = Service(
            "",
            Path(folder) / "log",
            ASTERISM_DATA=folder,
            ASTERISM_LOG="json",
            ASTERISM_METRICS=metrics,
        )
        try:
            return _held(service, metrics, seconds)
        finally:
            service.stop()


def _held(service: Service, metrics: str, seconds: float) -> Findings:
    tally = Tally()
    processes, hall = Processes(service.process.pid), Hall(service.port, tally)
    served, named = processes.named, {**processes.named, "client": os.getpid()}

    def spent() -> dict[str, float]:
        used = {name: cpu(pid) for name, pid in served.items()}
        return {**used, "client": time.process_time()}

    before = spent()
    began = time.monotonic()
    visitors = company(hall)
    for visitor in visitors:
        visitor.start()
    samples = []
    try:
        while (passed := time.monotonic() - began) < seconds:
            samples.append({name: resident(pid) for name, pid in named.items()})
            if len(samples) % 15 == 1:  # as often as a Prometheus asks
                _scrape(metrics)
            time.sleep(max(0.0, len(samples) - passed))
    except OSError as error:
        tally.fault(f"a process of the service has gone, or does not answer: {error!r}")
    finally:
        held = time.monotonic() - began
        hall.over.set()
        for visitor in visitors:
            visitor.wait()
    cost = {name: seconds - before[name] for name, seconds in spent().items()}
    kept, size = _kept(processes.store_url)
    return Findings(held, tally, cost, samples, kept, size)


def _kept(store_url: str) -> tuple[int, float]:
    """How many games the store keeps, and the mean of their bytes."""
    with Redis.from_url(store_url) as store:
        ids = [key.split(b"{")[1].split(b"}")[0].decode() for key in store.scan_iter("ast:*:game")]
        some = random.sample(ids, min(LOOKED_AT, len(ids)))
        return len(ids), sum(bytes_kept(store, id) for id in some) / max(1, len(some))


def _scrape(metrics: str) -> None:
    with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=10) as answer:
        answer.read()
