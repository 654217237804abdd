"""The process that tells Prometheus what all the others have counted, as one command."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service import __version__
from service.config import METRICS_FOLDER, metrics_address
from service.errors import SettingsError


def tell_metrics(environ: Mapping[str, str]) -> None:
    """Tells metrics until it is ended; `SettingsError` if it cannot begin."""
    address, folder = metrics_address(environ), environ.get(METRICS_FOLDER)
    if address is None:
        raise SettingsError("ASTERISM_METRICS must be the address to listen at, host:port.")
    if not folder or not os.path.isdir(folder):
        raise SettingsError(f"{METRICS_FOLDER} must be the folder in which the service counts.")
    try:
        _, thread = start_http_server(address.port, address.host, _registry(folder))
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {address.host}:{address.port}: {error.strerror}. Choose another "
            "address with ASTERISM_METRICS=."
        ) from None
    thread.join()


def _registry(folder: str) -> CollectorRegistry:
    """What the processes have counted in `folder`, and which release does."""
    registry = CollectorRegistry()
    registry.register(_Counted(folder))
    registry.register(_Release())
    return registry


class _Counted(Collector):
    """What the processes have counted.

    prometheus-client stumbles over a file that has been made and not been filled yet, or never
    will be since its process was killed in between; such a file counts nothing.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

    def collect(self) -> Iterable[Metric]:
        """Every metric, added up over all processes, each gunicorn's in a folder of its own."""
        files = [str(file) for file in self._folder.glob("*/*.db") if _size(file)]
        return MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call, no-any-return]


def _size(file: Path) -> int:
    """The size of a file in bytes; 0 if it is there no more."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class _Release(Collector):
    def collect(self) -> Iterator[Metric]:
        """One metric, always 1, whose label is the release."""
        release = GaugeMetricFamily("asterism_build_info", "The release.", labels=["version"])
        release.add_metric([__version__], 1)
        yield release
