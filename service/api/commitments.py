"""Commitments over HTTP: the first of two steps to a deal that neither side can choose."""

from flask import Blueprint, Response

from service.api.endpoint import Endpoint
from service.api.request_headers import idempotency_key
from service.api.requests import read_body
from service.api.responses import json_response, mark_replayed
from service.api.schemas import bodies
from service.api.serializers import commitment_json
from service.api.services import services

commitments = Blueprint("commitments", __name__, url_prefix="/v1/commitments")


@commitments.post("")
@Endpoint(limits=("creation",))
def create() -> Response:
    """Creates a server seed, and publishes its SHA-256; 201."""
    read_body(bodies.COMMITMENT)
    made = services().creation.commit(idempotency_key())
    return mark_replayed(json_response(commitment_json(made.commitment), 201), made.replayed)
