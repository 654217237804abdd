"""Commitments over HTTP: the first of the two steps to a deal that neither side has chosen."""

from flask import Blueprint, Response

from service.api import bodies, reading
from service.api.answers import answer, commitment_json, marked
from service.api.rate_limits import rate_limited
from service.api.wired import creation

commitments = Blueprint("commitments", __name__, url_prefix="/v1/commitments")


@commitments.post("")
@rate_limited("creation")
def create() -> Response:
    """Settles a server seed, and shows its digest; 201."""
    reading.body(bodies.COMMITMENT)
    made = creation().commit(reading.idempotency_key())
    return marked(answer(commitment_json(made.commitment), 201), made.replayed)
