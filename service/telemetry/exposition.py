"""What Prometheus scrapes, at an address of its own: the counts of all workers added up."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import REGISTRY, CollectorRegistry, make_wsgi_app
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service import __version__
from service.config import METRICS_FOLDER, Address


def with_metrics(application: WSGIApplication, address: Address) -> WSGIApplication:
    """`application`, but for requests that arrive at the port of `address`: those get metrics."""
    metrics, port = make_wsgi_app(_registry()), str(address.port)

    def by_port(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        served = metrics if environ["SERVER_PORT"] == port else application
        return served(environ, start_response)

    return by_port


def _registry() -> CollectorRegistry:
    """What all workers have counted, or without a folder to count in, this one alone."""
    folder = os.environ.get(METRICS_FOLDER)
    registry = CollectorRegistry() if folder else REGISTRY
    if folder:
        registry.register(_Workers(Path(folder)))
    registry.register(_Release())
    return registry


class _Workers(Collector):
    """The counts of all workers.

    prometheus-client fails on a file that a killed process has created and never filled.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        """Every metric, added up."""
        files = [str(file) for file in self._folder.glob("*.db") if _size(file)]
        return MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call, no-any-return]


class _Release(Collector):
    def collect(self) -> Iterator[Metric]:
        """One metric, always 1, whose label is the release."""
        release = GaugeMetricFamily("asterism_build_info", "The release.", labels=["version"])
        release.add_metric([__version__], 1)
        yield release


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 if it is gone."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
