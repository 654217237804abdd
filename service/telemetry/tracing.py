"""OpenTelemetry traces: a span for each request, with child spans for store operations."""

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service import __version__
from service.store.request_context import StoreCall
from service.telemetry.middleware import ObservedRequest, Observer

_CONTEXT = TraceContextTextMapPropagator()
_NANOSECONDS = 1e9


class Traces:
    """Records requests as spans, in the trace that the client started."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("asterism", __version__)

    def record(self, request: ObservedRequest) -> None:
        """The observer."""
        carrier = {} if request.traceparent is None else {"traceparent": request.traceparent}
        attributes = {
            "http.request.method": request.method,
            "http.route": request.route,
            "http.response.status_code": request.status,
            "error.type": request.code,
            "asterism.variant": request.variant,
        }
        span = self._tracer.start_span(
            f"{request.method} {request.route}" if request.route else request.method,
            context=_CONTEXT.extract(carrier),
            kind=SpanKind.SERVER,
            start_time=_nanoseconds(request.at),
            attributes={name: value for name, value in attributes.items() if value is not None},
        )
        context = set_span_in_context(span)
        for call in request.calls:
            self._record_call(call, request.at, context)
        if request.status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_nanoseconds(request.at + request.seconds))

    def _record_call(self, call: StoreCall, at: float, context: Context) -> None:
        span = self._tracer.start_span(
            call.operation,
            context=context,
            kind=SpanKind.CLIENT,
            start_time=_nanoseconds(at + call.began),
            attributes={"db.system.name": "redis", "db.operation.name": call.operation},
        )
        if call.failed:
            span.set_status(Status(StatusCode.ERROR))
        span.end(_nanoseconds(at + call.began + call.seconds))


def export_traces() -> Observer:
    """Traces exported to where OpenTelemetry's own variables say, by a background thread."""
    provider = TracerProvider(resource=Resource.create({"service.name": "asterism"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Traces(provider).record


def _nanoseconds(seconds: float) -> int:
    return int(seconds * _NANOSECONDS)
