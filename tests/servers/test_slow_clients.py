"""Clients who send slowly, too much or nothing, and clients who do not hang up, stop nobody else.

All of them speak to the service itself, without a proxy in between that would hold them off.
"""

import json
import socket
from contextlib import ExitStack

import pytest

from tests.support.api import api_at
from tests.support.servers import Service, until

CROWD = 200
"""So many at once."""

POST = b"POST /v1/games HTTP/1.1\r\nHost: x\r\n"
PART = {
    "nothing at all": b"",
    "a part of a head": b"GET /v1/variants HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    "a head without a body": POST + b"Content-Length: 99\r\n\r\n",
    "a part of a body": POST + b"Content-Length: 99\r\n\r\n{",
    "a part of a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{",
    "a body too long": POST + b"Content-Length: 9999999\r\n\r\n{",
    "a wait for a word": POST + b"Expect: 100-continue\r\nContent-Length: 99\r\n\r\n",
    "a part behind a whole": b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost",
    "a whole, and no good-bye": b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "what is no request": b"GARBAGE\r\n\r\n",
}


@pytest.fixture(scope="module")
def service(valkey, tmp_path_factory):
    """A service of their own, to do harm to."""
    log = tmp_path_factory.mktemp("slow") / "log"
    with Service(valkey.url, log, ASTERISM_LIMITS="off") as running:
        yield running


def connect(service):
    return socket.create_connection(("127.0.0.1", service.port), timeout=30)


@pytest.fixture(scope="module", autouse=True)
def silent(service):
    """A client who sends a part of a request before all others come, and nothing more."""
    with connect(service) as wire:
        wire.sendall(PART["a part of a head"])
        yield wire


@pytest.mark.parametrize("part", PART.values(), ids=PART)
def test_a_crowd_of_them_holds_up_no_player(service, contract, part):
    with ExitStack() as crowd, api_at(service.port, contract) as api:
        player = api.new_game("astrocyte", 1)
        for _ in range(CROWD):
            crowd.enter_context(connect(service)).sendall(part)
        for _ in range(20):
            assert player.play(player.game["legal_moves"][0]).status == 200
        with api_at(service.port, contract) as another:
            assert another.get(player.path).status == 200


def test_a_request_that_comes_byte_by_byte_is_answered(service):
    with connect(service) as slow:
        for byte in b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n":
            slow.sendall(bytes([byte]))
        assert slow.recv(100).startswith(b"HTTP/1.1 200 ")


def test_who_waits_for_a_word_gets_one_and_then_the_answer(service):
    body = b'{"variant": "astrocyte"}'
    with connect(service) as wire, wire.makefile("rb") as told:
        wire.sendall(b"POST /v1/games HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n")
        wire.sendall(b"Content-Length: %d\r\n\r\n" % len(body))
        assert told.readline() == b"HTTP/1.1 100 Continue\r\n"
        wire.sendall(body)
        until(lambda: told.readline().startswith(b"HTTP/1.1 201 "))


CHUNK = b"\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
NO_REQUEST = {
    "garbage": b"GARBAGE\r\n\r\n",
    "a version to come": b"GET / HTTP/9.9\r\n\r\n",
    "a line without end": b"GET /" + b"x" * 200_000,
    "a long address": b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 10_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: x\r\n" * 200 + b"\r\n",
    "a length below nought": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
    "an unknown coding": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13\r\n\r\n",
    "no host": b"GET /livez HTTP/1.1\r\n\r\n",
    "a coding that nobody undoes": POST + b"Transfer-Encoding: gzip, chunked" + CHUNK,
    "a coding that nobody undoes, in a header of its own": POST
    + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"
    + CHUNK,
    "no chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
}


@pytest.mark.parametrize("sent", NO_REQUEST.values(), ids=NO_REQUEST)
def test_what_is_no_request_is_told_so_in_the_form_of_a_problem(service, contract, sent):
    with connect(service) as wire:
        wire.sendall(sent)
        wire.shutdown(socket.SHUT_WR)
        with wire.makefile("rb") as told:
            answer = told.read()
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert status.split()[1] == "400", answer
    contract.check("POST", "/v1/games", 400, headers, body)
    assert json.loads(body)["code"] == "bad-request"


def test_who_sends_nothing_more_is_let_go_in_a_while(silent):
    assert silent.recv(100) == b""
