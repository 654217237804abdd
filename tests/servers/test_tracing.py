"""Traces leave a running service for where OpenTelemetry's own variable says."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from service.config import Settings
from service.errors import SettingsError
from service.play.keys import ServerKey
from service.telemetry.setup import instrument_app
from tests.http.kit import InMemoryService
from tests.support.api import api_at
from tests.support.servers import SERVER_KEY, Service, until


class Collector(BaseHTTPRequestHandler):
    """Takes what is sent."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((self.path, body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def collector():
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        server.taken = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_the_spans_of_a_request_arrive_at_the_collector(valkey, tmp_path, collector, contract):
    settings = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "ASTERISM_WORKERS": "1",
    }
    with (
        Service(valkey.url, tmp_path / "log", **settings) as service,
        api_at(service.port, contract) as api,
    ):
        api.new_game("astrocyte")
        until(lambda: any(b"POST /v1/games" in body for _, body in collector.taken))
    assert {path for path, _ in collector.taken} == {"/v1/traces"}


def test_without_the_extra_it_is_said_what_to_install(monkeypatch):
    loaded = [name for name in sys.modules if name.startswith("opentelemetry.")]
    for name in ("opentelemetry", *loaded):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "service.telemetry.tracing", raising=False)
    settings = Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere", traces=True)
    with pytest.raises(SettingsError, match=r"pip install 'asterism\[otel\]'"):
        instrument_app(settings, InMemoryService().app)
