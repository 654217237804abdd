"""The metrics for Prometheus; labels have few possible values.

prometheus-client decides when it is imported whether processes share their metrics: the shared
folder must be set in PROMETHEUS_MULTIPROC_DIR before this module is imported.
"""

from functools import lru_cache
from typing import TypeVar

from prometheus_client import Counter, Gauge, Histogram

from service import __version__
from service.telemetry.middleware import ObservedRequest

REQUESTS = Counter(
    "asterism_requests_total",
    "Requests answered, by the template of their route.",
    ("route", "method", "status"),
)
REQUEST_SECONDS = Histogram(
    "asterism_request_seconds",
    "Time to answer a request, streams apart.",
    ("route",),
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
PROBLEMS = Counter(
    "asterism_problems_total",
    "Answers that are a problem, by its code: conflicts are version-conflict.",
    ("code",),
)
REFUSALS = Counter(
    "asterism_refused_moves_total",
    "Moves that the rules refused, by rule.",
    ("variant", "rule"),
)
WRITES = Counter(
    "asterism_writes_total",
    "Requests that were accepted and kept, by what they did.",
    ("variant", "kind"),
)
CREATED = Counter(
    "asterism_games_created_total",
    "Games begun, by how their deals are known.",
    ("variant", "fairness"),
)
ENDED = Counter(
    "asterism_games_ended_total",
    "Games that have ended, by how.",
    ("variant", "status"),
)
STORE_SECONDS = Histogram(
    "asterism_store_seconds",
    "Time of one operation of the store, with its retries.",
    ("operation",),
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3),
)
STORE_FAILURES = Counter(
    "asterism_store_failures_total",
    "Operations that the store did not carry out in time.",
    ("operation",),
)
HINT_SECONDS = Histogram(
    "asterism_hint_seconds",
    "Time to work a hint out, the store's apart.",
    ("variant",),
    buckets=(0.005, 0.025, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5),
)
STREAMS = Gauge(
    "asterism_streams_open",
    "Answers about events that are under way.",
    multiprocess_mode="livesum",
)
RELEASE = Gauge(
    "asterism_build_info", "The release.", ("version",), multiprocess_mode="livemostrecent"
)
RELEASE.labels(__version__).set(1)

M = TypeVar("M", Counter, Histogram)


@lru_cache(maxsize=4096)
def _child(metric: M, *labels: str | int) -> M:
    """The child of a metric with these label values; cached, since looking it up is slow."""
    return metric.labels(*labels)


def count_request(request: ObservedRequest) -> None:
    """Counts a request in all metrics that it concerns."""
    route = request.route or "none"
    _child(REQUESTS, route, request.method, request.status).inc()
    if not request.streamed:
        _child(REQUEST_SECONDS, route).observe(request.seconds)
    if request.code is not None:
        _child(PROBLEMS, request.code).inc()
    if request.rule is not None:
        _child(REFUSALS, request.variant or "unknown", request.rule).inc()
    for call in request.calls:
        _child(STORE_SECONDS, call.operation).observe(call.seconds)
        if call.failed:
            _child(STORE_FAILURES, call.operation).inc()
    if request.game_write is not None:
        variant, fairness, kind, status = request.game_write
        _child(WRITES, variant, kind).inc()
        if kind == "created":
            _child(CREATED, variant, fairness).inc()
        if kind == "hinted":
            _child(HINT_SECONDS, variant).observe(request.seconds - request.store_seconds)
        if status != "in_progress":
            _child(ENDED, variant, status).inc()
