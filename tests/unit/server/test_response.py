"""An answer goes out in one piece, a stream as it comes."""

import socket
from types import SimpleNamespace

import pytest
from gunicorn.config import Config

from service.server.response import Response


@pytest.fixture
def sent():
    """What each send of an answer carried, and how to answer."""
    here, there = socket.socketpair()
    there.setblocking(False)
    sends = []

    class Recorder:
        def send(self, data):
            sends.append(bytes(data[:100_000]))
            return here.send(data[:100_000])  # as a full buffer takes a part

        def sendall(self, data):
            sends.append(bytes(data))

    def answer(headers, *body, method="GET", status="200 OK"):
        request = SimpleNamespace(method=method, version=(1, 1), should_close=lambda: False)
        response = Response(request, Recorder(), Config())
        response.start_response(status, headers)
        for part in body:
            response.write(part)
        response.close()
        return sends

    yield answer
    here.close()
    there.close()


def test_head_and_body_go_out_together(sent):
    (whole,) = sent([("Content-Length", "2"), ("ETag", '"v1"')], b"ok")
    head, _, body = whole.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert head.endswith(b'\r\nContent-Length: 2\r\nETag: "v1"')
    assert body == b"ok"


@pytest.mark.parametrize(("method", "status"), [("HEAD", "200 OK"), ("GET", "304 Not Modified")])
def test_a_head_without_a_body_goes_out_as_well(sent, method, status):
    (whole,) = sent([("Content-Length", "2")], b"", method=method, status=status)
    assert whole.endswith(b"\r\n\r\n")


def test_a_stream_begins_with_its_head_and_ends_with_an_empty_chunk(sent):
    head, *chunks = sent([], b"", b"one", b"another")
    assert b"\r\nTransfer-Encoding: chunked\r\n" in head
    assert chunks == [b"3\r\none\r\n", b"7\r\nanother\r\n", b"0\r\n\r\n"]


def test_what_one_send_does_not_take_goes_out_with_the_next(sent):
    body = bytes(range(256)) * 1000
    first, rest = sent([("Content-Length", str(len(body)))], body)
    assert (first + rest).endswith(b"\r\n\r\n" + body)
