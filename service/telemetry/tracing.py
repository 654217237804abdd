"""Traces for OpenTelemetry: a span a request, and below it one an operation of the store."""

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service import __version__
from service.store.request_context import StoreCall
from service.telemetry.context import CompletedRequest

_CONTEXT = TraceContextTextMapPropagator()
_NANOSECONDS = 1e9


class Traces:
    """An observer that makes spans of what has been, in the trace that the client has begun."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("asterism", __version__)

    def on_request(self, request: CompletedRequest) -> None:
        """Makes the spans of a request."""
        said = {} if request.traceparent is None else {"traceparent": request.traceparent}
        told = {
            "http.request.method": request.method,
            "http.route": request.route,
            "http.response.status_code": request.status,
            "error.type": request.code,
            "asterism.variant": request.notes.variant,
        }
        span = self._tracer.start_span(
            f"{request.method} {request.route}" if request.route else request.method,
            context=_CONTEXT.extract(said),
            kind=SpanKind.SERVER,
            start_time=_moment(request.at),
            attributes={name: value for name, value in told.items() if value is not None},
        )
        context = set_span_in_context(span)
        for call in request.notes.calls:
            self._call(call, request.at, context)
        if request.status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_moment(request.at + request.seconds))

    def on_stream(self, more: int) -> None:
        """Makes nothing: a stream has its span when it has ended."""

    def _call(self, call: StoreCall, at: float, context: Context) -> None:
        span = self._tracer.start_span(
            call.operation,
            context=context,
            kind=SpanKind.CLIENT,
            start_time=_moment(at + call.began),
            attributes={"db.system.name": "redis", "db.operation.name": call.operation},
        )
        if call.failed:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_moment(at + call.began + call.seconds))


def exported() -> Traces:
    """Traces that go where OpenTelemetry's own variables say, from a thread of their own."""
    provider = TracerProvider(resource=Resource.create({"service.name": "asterism"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Traces(provider)


def _moment(seconds: float) -> int:
    return int(seconds * _NANOSECONDS)
