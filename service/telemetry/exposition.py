"""The Prometheus endpoint, on its own address: the metrics of all workers, aggregated."""

import os
from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import REGISTRY, CollectorRegistry, make_wsgi_app
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from typing_extensions import override

from service.config import METRICS_FOLDER, Address


def with_metrics(application: WSGIApplication, address: Address) -> WSGIApplication:
    """`application`, except that requests to the port of `address` get metrics."""
    metrics, port = make_wsgi_app(_registry()), str(address.port)

    def by_port(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        chosen = metrics if environ["SERVER_PORT"] == port else application
        return chosen(environ, start_response)

    return by_port


def _registry() -> CollectorRegistry:
    """The metrics of all workers, or without a shared folder, of this process."""
    folder = os.environ.get(METRICS_FOLDER)
    if not folder:
        return REGISTRY
    registry = CollectorRegistry()
    registry.register(_Workers(Path(folder)))
    return registry


class _Workers(Collector):
    """The metrics of all workers; skips empty files.

    prometheus-client fails on a file that a killed process has created but not written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    def collect(self) -> Iterable[Metric]:
        files = [str(file) for file in self._folder.glob("*.db") if _size(file)]
        return MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call, no-any-return]


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 if it is gone."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
