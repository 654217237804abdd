"""A body that is refused early: the answer arrives, whatever the client still sends."""

import http.client
import json
import socket

import pytest

JSON = {"Content-Type": "application/json"}
BYTES = 5_000_000


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/v1/games", JSON, 413),
        ("/v1/games", {**JSON, "Accept": "image/png"}, 406),
        ("/v1/nothing", {}, 404),
        ("/livez", {}, 405),
    ],
)
def test_who_sends_all_of_it_before_listening_hears_why(service, path, headers, status):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    connection.request("POST", path, b"x" * BYTES, headers)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["status"]) == (status, status)
    connection.close()


def test_who_asks_before_sending_too_much_is_refused_at_once(service):
    """Without `100 Continue`, and with the end of the connection (RFC 9110, 10.1.1)."""
    head = "POST /v1/games HTTP/1.1", "Host: x", "Expect: 100-continue", f"Content-Length: {BYTES}"
    with socket.create_connection(("127.0.0.1", service.port), timeout=5) as wire:
        wire.sendall("\r\n".join([*head, "", ""]).encode())
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        assert (answer.status, answer.headers["Connection"]) == (413, "close")
        assert json.loads(answer.read())["code"] == "body-too-large"
