"""Health checks: liveness, which touches nothing, and readiness, which pings the store."""

from flask import Blueprint, Response

from service.api.endpoint import Endpoint
from service.api.responses import json_response
from service.api.services import services
from service.errors import LeavingError

health = Blueprint("health", __name__)

_unlimited = Endpoint(limits=())


@health.get("/livez")
@_unlimited
def livez() -> Response:
    """The process responds."""
    return json_response({"status": "ok"})


@health.get("/readyz")
@_unlimited
def readyz() -> Response:
    """The store responds within 200 ms, and the instance is not shutting down; 503 otherwise."""
    if services().is_leaving():
        raise LeavingError
    services().play.ping()
    return json_response({"status": "ok"})
