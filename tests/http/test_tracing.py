"""Traces: a span a request, and below it what was asked of the store; nothing secret in either."""

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from service.telemetry.middleware import observe_requests
from service.telemetry.tracing import Traces
from tests.conftest import CONTRACT
from tests.http.kit import InMemoryService
from tests.support.api import Api, in_process

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans():
    return InMemorySpanExporter()


@pytest.fixture
def api(spans):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    app = InMemoryService().app
    app.wsgi_app = observe_requests(app.wsgi_app, [Traces(provider).record])
    return Api(in_process(app), CONTRACT)


def test_the_spans_of_the_store_lie_within_their_request(api, spans):
    player = api.new_game("astrocyte")
    player.play("deal")
    player.undo()
    player.redo()
    spans.clear()
    player.undo()
    load, save, request = spans.get_finished_spans()
    assert [span.name for span in (load, save)] == ["load_line", "save"]
    assert request.name == "POST /v1/games/{game_id}/undo"
    assert request.kind is SpanKind.SERVER
    for span in (load, save):
        assert span.parent.span_id == request.context.span_id
        assert request.start_time <= span.start_time <= span.end_time <= request.end_time


def test_a_request_joins_the_trace_that_its_client_has_begun(api, spans):
    api.get("/livez", traceparent=PARENT)
    (span,) = spans.get_finished_spans()
    assert f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert f"{span.parent.span_id:016x}" == PARENT.split("-")[2]


@pytest.mark.parametrize("parent", ["", "00-xyz", "ff" * 30, "\u00e9"])
def test_a_malformed_trace_begins_a_new_one(api, spans, parent):
    assert api.get("/livez", traceparent=parent).status == 200
    (span,) = spans.get_finished_spans()
    assert span.parent is None


def test_spans_have_the_outcome_and_nothing_secret(api, spans):
    player = api.new_game("astrocyte")
    player.play("t1t1")
    api.get(f"/v1/games?token={player.token}")
    exported = "".join(span.to_json() for span in spans.get_finished_spans())
    assert '"error.type": "illegal-move"' in exported
    assert player.token not in exported
    assert player.game["id"] not in exported
    assert {span.status.status_code for span in spans.get_finished_spans()} == {StatusCode.UNSET}
