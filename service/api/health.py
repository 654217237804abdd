"""Health over HTTP: alive, which touches nothing, and ready, which asks the store."""

from flask import Blueprint, Response

from service.api.rate_limits import rate_limited
from service.api.serializers import answer
from service.api.services import is_leaving, play
from service.errors import LeavingError

health = Blueprint("health", __name__)


@health.get("/livez")
@rate_limited()
def livez() -> Response:
    """The process answers."""
    return answer({"status": "ok"})


@health.get("/readyz")
@rate_limited()
def readyz() -> Response:
    """The store answers, within 200 ms, and the service is not about to stop; 503 otherwise."""
    if is_leaving():
        raise LeavingError
    play().ping()
    return answer({"status": "ok"})
