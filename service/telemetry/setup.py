"""Sets up logs, metrics and traces according to the settings; all are off by default."""

from flask import Flask

from service.config import TRACES_ENDPOINT, Settings
from service.errors import SettingsError
from service.telemetry.logs import log_faults, request_log
from service.telemetry.middleware import Observer, observe_requests


def instrument_app(settings: Settings, app: Flask) -> Flask:
    """`app`, with the observers that the settings ask for; faults are always logged.

    Raises `SettingsError` if traces are asked for and OpenTelemetry is not installed.
    """
    log_faults(settings.log or "text")
    observers: list[Observer] = []
    if settings.log is not None:
        observers.append(request_log(settings.log))
    if settings.traces:
        observers.append(_traces())
    if settings.metrics is not None:
        from service.telemetry.metrics import STREAMS, count_request  # noqa: PLC0415 - see there

        app.wsgi_app = observe_requests(app.wsgi_app, [*observers, count_request], STREAMS.inc)  # type: ignore[method-assign, assignment]
    elif observers:
        app.wsgi_app = observe_requests(app.wsgi_app, observers)  # type: ignore[method-assign, assignment]
    return app


def _traces() -> Observer:
    try:
        from service.telemetry.tracing import export_traces  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{TRACES_ENDPOINT} is set, but {error.name} is not installed: run pip install "
            "'asterism[otel]', or unset it."
        ) from None
    return export_traces()
