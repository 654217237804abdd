"""The Prometheus endpoint, on its own address: the metrics of all workers, aggregated."""

import os
from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from prometheus_client import REGISTRY, CollectorRegistry, make_wsgi_app
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from typing_extensions import override

from service.config import METRICS_FOLDER, Address


def with_metrics(application: WSGIApplication, address: Address) -> WSGIApplication:
    """`application`, except that requests to the port of `address` get metrics.

    They are those of all workers, or without a folder that workers share, of this process.
    """
    registry, port = REGISTRY, str(address.port)
    if os.environ.get(METRICS_FOLDER):
        registry = CollectorRegistry()
        _Workers(registry)  # type: ignore[no-untyped-call]
    metrics = make_wsgi_app(registry)

    def by_port(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        chosen = metrics if environ["SERVER_PORT"] == port else application
        return chosen(environ, start_response)

    return by_port


class _Workers(MultiProcessCollector):
    """The metrics of all workers, which fails on no file that a killed one has not written."""

    @override
    def collect(self) -> Iterable[Metric]:
        files = [str(file) for file in Path(self._path).glob("*.db") if _size(file)]
        return self.merge(files)  # type: ignore[no-untyped-call, no-any-return]


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 if it is gone."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
