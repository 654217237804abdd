"""Commitments over HTTP: the first of the two steps to a deal that neither side has chosen."""

from flask import Blueprint, Response

from service.api import requests
from service.api.rate_limits import rate_limited
from service.api.schemas import bodies
from service.api.serializers import answer, commitment_json, marked
from service.api.services import creation

commitments = Blueprint("commitments", __name__, url_prefix="/v1/commitments")


@commitments.post("")
@rate_limited("creation")
def create() -> Response:
    """Settles a server seed, and shows its digest; 201."""
    requests.read_body(bodies.COMMITMENT)
    made = creation().commit(requests.idempotency_key())
    return marked(answer(commitment_json(made.commitment), 201), made.replayed)
