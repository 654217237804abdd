"""Who is told what the service does, as the settings say: nobody, unless they say so."""

from flask import Flask

from service.config import TRACES_ENDPOINT, Settings
from service.errors import SettingsError
from service.telemetry.context import Observer
from service.telemetry.fault_log import write_faults
from service.telemetry.middleware import observe_requests
from service.telemetry.request_log import RequestLog


def instrument_app(settings: Settings, app: Flask) -> Flask:
    """`app`, telling its observers of every request, if it has any.

    Its faults are written anyway.
    """
    write_faults(settings.log or "text")
    if _is_observed(settings):
        app.wsgi_app = observe_requests(app.wsgi_app, _observers(settings))  # type: ignore[method-assign, assignment]
    return app


def _is_observed(settings: Settings) -> bool:
    return settings.traces or settings.log is not None or settings.metrics is not None


def _observers(settings: Settings) -> list[Observer]:
    found: list[Observer] = []
    if settings.log is not None:
        found.append(RequestLog(settings.log))
    if settings.metrics is not None:
        from service.telemetry.metrics import Metrics  # noqa: PLC0415 - counts from its import on

        found.append(Metrics())
    if settings.traces:
        found.append(_traces())
    return found


def _traces() -> Observer:
    try:
        from service.telemetry.tracing import exported  # noqa: PLC0415 - an extra, which few install
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{TRACES_ENDPOINT} is set, and {error.name} is not installed: pip install "
            "'asterism[otel]', or unset it."
        ) from None
    return exported()
