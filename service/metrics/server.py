"""The process that tells Prometheus what all the others have counted, as one command."""

import os
from collections.abc import Iterator, Mapping

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
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    registry.register(_Release())
    return registry


class _Release(Collector):
    def collect(self) -> Iterator[Metric]:
        """One metric, always 1, whose label is the release."""
        release = GaugeMetricFamily("asterism_build_info", "The release.", labels=["version"])
        release.add_metric([__version__], 1)
        yield release
