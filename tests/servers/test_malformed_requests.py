"""Requests whose form RFC 9112 forbids are answered 400 at once, with a problem."""

import json
import socket

import pytest

POST = b"POST /v1/games HTTP/1.1\r\nHost: x\r\n"
MALFORMED = {
    "two hosts (3.2)": b"GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "a blank before the colon (5.1)": b"GET /livez HTTP/1.1\r\nHost : x\r\n\r\n",
    "a folded header (5.2)": b"GET /livez HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
    "a header without a colon (5)": b"GET /livez HTTP/1.1\r\nHost: x\r\nX\r\n\r\n",
    "a length and a coding (6.1)": POST + b"Content-Length: 3\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "chunked twice (6.1)": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "a coding in HTTP/1.0 (6.1)": b"POST /v1/games HTTP/1.0\r\nHost: x\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "a length with a sign (6.2)": POST + b"Content-Length: +2\r\n\r\n{}",
    "a list of two lengths (6.3)": POST + b"Content-Length: 2, 3\r\n\r\n{}",
    "a chunk that is longer than it says (7.1)": POST + b"Transfer-Encoding: chunked\r\n\r\n"
    b"2\r\n{}{}\r\n0\r\n\r\n",
    "a chunk with a negative size (7.1)": POST + b"Transfer-Encoding: chunked\r\n\r\n"
    b"-2\r\n{}\r\n0\r\n\r\n",
}


def told(service, sent):
    """The status and the problem that `sent` is answered with, on a connection kept open."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=8) as wire:
        wire.sendall(sent)
        with wire.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            length = 0
            while line := answer.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            return status, json.loads(answer.read(length))


@pytest.mark.parametrize("sent", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_is_answered_at_once(service, sent):
    status, problem = told(service, sent)
    assert (status, problem["code"]) == (400, "bad-request")


def test_a_request_without_an_address_is_answered_with_the_port_of_the_connection(service):
    _, problem = told(service, b"GET /livez HTTP/1.1\r\n\r\n")
    assert problem["type"] == f"http://localhost:{service.port}/problems/bad-request"
