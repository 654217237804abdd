"""Pages of other origins may send every header that the service reads, and read all it sends."""

import io

from tests.contract.contract import METHODS, document
from tests.http.test_http import at

SPEC = document()
SAFELISTED = {"accept", "cache-control", "content-length", "content-type", "last-modified"}
"""What every page may send or read without asking (Fetch, 2.2.2)."""
BROWSERS_OWN = {
    *("accept-encoding", "connection", "host", "transfer-encoding"),
    *("x-forwarded-for", "range", "if-range"),
}
"""What no page can set, or what the service only ignores."""
TRACES = {"traceparent", "tracestate", "baggage"}
"""What libraries of tracing add to every request."""


class Noting(dict):
    """The environ of a request, which notes the headers that are looked for in it."""

    def __init__(self, environ, read):
        super().__init__(environ)
        self.read = read

    def _note(self, key):
        if key.startswith("HTTP_"):
            self.read.add(key.removeprefix("HTTP_").replace("_", "-").lower())

    def get(self, key, default=None):
        self._note(key)
        return super().get(key, default)

    def __getitem__(self, key):
        self._note(key)
        return super().__getitem__(key)

    def __contains__(self, key):
        self._note(key)
        return super().__contains__(key)


def listed(answer, name):
    return {word.strip().lower() for word in answer.headers[name].split(",")}


def headers_read(app, player):
    """The names of all headers that the service looks for, in requests of every operation."""
    read = set()
    for path, item in SPEC["paths"].items():
        for method in set(METHODS) & set(item):
            body = b"{}" if method == "post" else b""
            environ = {
                "REQUEST_METHOD": method.upper(),
                "PATH_INFO": at(path, player.game["id"]).partition("?")[0],
                "SERVER_NAME": "localhost",
                "SERVER_PORT": "80",
                "wsgi.url_scheme": "http",
                "wsgi.input": io.BytesIO(body),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_AUTHORIZATION": f"Bearer {player.token}",
            }
            answer = app.wsgi_app(Noting(environ, read), lambda *_: None)
            if not path.endswith("/events"):
                b"".join(answer)
            if hasattr(answer, "close"):
                answer.close()
    return read


def test_a_page_may_send_every_header_that_is_read(app, player, api):
    allowed = listed(api.request("OPTIONS", "/v1/games"), "Access-Control-Allow-Headers")
    read = headers_read(app, player)
    assert {"authorization", "if-match", "if-none-match", "idempotency-key", "accept"} <= read
    assert read - SAFELISTED - BROWSERS_OWN - allowed == set()


def parameters(node):
    """Every parameter that the contract documents."""
    if isinstance(node, dict):
        if node.get("in") == "header":
            yield node["name"].lower()
        yield from (name for below in node.values() for name in parameters(below))
    elif isinstance(node, list):
        yield from (name for below in node for name in parameters(below))


def headers_sent(node):
    """Every header of a response that the contract documents."""
    if isinstance(node, dict):
        if "description" in node and isinstance(node.get("headers"), dict):
            yield from (name.lower() for name in node["headers"])
        yield from (name for below in node.values() for name in headers_sent(below))
    elif isinstance(node, list):
        yield from (name for below in node for name in headers_sent(below))


def test_a_page_may_send_every_header_that_the_contract_documents(api):
    allowed = listed(api.request("OPTIONS", "/v1/games"), "Access-Control-Allow-Headers")
    assert set(parameters(SPEC)) | TRACES | {"authorization", "content-type"} <= allowed


def test_a_page_may_read_every_header_that_the_contract_documents(api):
    exposed = listed(api.get("/livez"), "Access-Control-Expose-Headers")
    assert set(headers_sent(SPEC)) - SAFELISTED == exposed
