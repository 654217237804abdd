"""Health over HTTP: alive, which touches nothing, and ready, which asks the store."""

from flask import Blueprint, Response, current_app

from service.api.answers import answer
from service.api.counting import counted

health = Blueprint("health", __name__)


@health.get("/livez")
@counted()
def livez() -> Response:
    """The process answers."""
    return answer({"status": "ok"})


@health.get("/readyz")
@counted()
def readyz() -> Response:
    """The store answers, within 200 ms; 503 otherwise."""
    current_app.extensions["asterism"].ping()
    return answer({"status": "ok"})
