"""What only a socket shows: chunked and oversized bodies, broken requests, one connection kept."""

import json
import socket
from contextlib import closing

import pytest


class Wire:
    """A bare connection to the service."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._file = self._socket.makefile("rb")

    def send(self, method, path, *headers, body=b""):
        """Sends the head of a request, and bytes behind it as they are."""
        lines = [f"{method} {path} HTTP/1.1", "Host: here", *headers, "", ""]
        self._socket.sendall("\r\n".join(lines).encode("latin-1") + body)

    def post(self, player, body, *headers):
        """Sends moves of a player."""
        own = ("Content-Type: application/json", f"Authorization: Bearer {player.token}")
        self.send("POST", f"{player.path}/moves", *own, *headers, body=body)

    def post_whole(self, player, body):
        self.post(player, body, f"Content-Length: {len(body)}")

    def answer(self):
        """The next answer: status, headers, body."""
        status = int(self._file.readline().split()[1])
        headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, self._file.read(int(headers.get("content-length", 0)))

    def problem(self):
        """Status and code of the next answer."""
        status, _, body = self.answer()
        return status, json.loads(body)["code"]

    def close(self):
        self._file.close()
        self._socket.close()


@pytest.fixture
def wire(service):
    with closing(Wire(service.port)) as bare:
        yield bare


CHUNKED = "Transfer-Encoding: chunked"


def chunks(data, size=7):
    pieces = [data[n : n + size] for n in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


def move(player):
    return json.dumps({"version": player.version, "moves": player.game["legal_moves"][:1]}).encode()


def test_a_move_in_chunks_is_played_like_any_other(api, wire):
    player = api.new_game("astrocyte", 1)
    wire.post(player, chunks(move(player)) + b"0\r\n\r\n", CHUNKED)
    status, _, content = wire.answer()
    assert (status, json.loads(content)["applied"]) == (200, 1)


@pytest.mark.parametrize(
    ("header", "sent"),
    [("Content-Length: 5000025", b""), (CHUNKED, chunks(b" " * 600_000, 8192))],
    ids=["plain", "in chunks"],
)
def test_five_megabytes_are_refused_and_the_worker_lives_on(api, wire, header, sent):
    player = api.new_game("astrocyte", 1)
    wire.post(player, sent, header)
    assert wire.problem() == (413, "body-too-large")
    assert player.read().json["version"] == 1


def test_nesting_without_end_is_refused_and_the_connection_goes_on(api, wire):
    player = api.new_game("astrocyte", 1)
    wire.post_whole(player, b"[" * 30_000 + b"]" * 30_000)
    assert wire.problem() == (400, "invalid-json")
    wire.post_whole(player, move(player))
    assert wire.answer()[0] == 200


def test_a_client_that_hangs_up_in_mid_request_changes_nothing(api, wire):
    player = api.new_game("astrocyte", 1)
    wire.post(player, move(player)[:-5], f"Content-Length: {len(move(player))}")
    wire.close()
    assert player.read().json["version"] == 1
    assert player.play(player.game["legal_moves"][0]).status == 200


def test_requests_sent_ahead_are_answered_in_their_order(api, wire):
    variants = ["astrocyte", "binary-star"]
    for player in [api.new_game(variant, 1) for variant in variants]:
        wire.send("GET", player.path)
    assert [json.loads(wire.answer()[2])["variant"] for _ in variants] == variants


@pytest.mark.parametrize(
    "path",
    [
        *("/v1/games/%00", "/v1/games/..%2f..%2fetc", "/v1/games/" + "9" * 2000),
        *("/v1/games/%D9%A3", "/v1/games/%ff", "/v1//x", "//v1/variants", "//v1/games", "///"),
    ],
)
def test_strange_paths_are_not_found(wire, path):
    wire.send("GET", path)
    status, headers, _ = wire.answer()
    assert (status, headers["content-type"]) == (404, "application/problem+json")
    assert headers["request-id"]


@pytest.mark.parametrize(
    "header",
    [
        "SCRIPT_NAME: /foo",
        "Script-Name: /foo",
        "PATH_INFO: /nowhere",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Protocol: ssl",
        "X-Forwarded-Ssl: on",
        "X-Forwarded-Prefix: /foo",
        "X-Forwarded-Host: elsewhere.example",
        "X-Original-URL: /nowhere",
    ],
)
def test_no_header_moves_a_path_or_changes_an_address(wire, header):
    for path in ("/v1/variants", "/nowhere"):
        wire.send("GET", path, header)
    status, _, body = wire.answer()
    assert (status, json.loads(body)["items"][0]["name"]) == (200, "binary-star")
    status, _, body = wire.answer()
    assert (status, json.loads(body)["type"]) == (404, "http://here/problems/not-found")


def test_a_path_that_only_a_header_would_make_is_not_found(wire):
    wire.send("GET", "/foo/v1/variants", "SCRIPT_NAME: /foo")
    assert wire.answer()[0] == 404
