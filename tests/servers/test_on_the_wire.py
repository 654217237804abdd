"""What only a socket shows: chunked and oversized bodies, broken requests, one connection kept."""

import json
import socket

import pytest


class Wire:
    """A bare connection to the service."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._file = self._socket.makefile("rb")

    def send(self, *parts: bytes) -> None:
        """Sends bytes as they are."""
        self._socket.sendall(b"".join(parts))

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """The next answer: status, headers, body."""
        status = int(self._file.readline().split()[1])
        headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, self._file.read(int(headers.get("content-length", 0)))

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@pytest.fixture
def wire(service):
    bare = Wire(service.port)
    yield bare
    bare.close()


def head(method: str, path: str, *headers: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: here", *headers, "", ""]).encode(
        "latin-1"
    )


def chunked(data: bytes, size: int = 7) -> bytes:
    pieces = [data[n : n + size] for n in range(0, len(data), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def moves(player) -> tuple[bytes, list[str]]:
    body = {"version": player.version, "moves": player.game["legal_moves"][:1]}
    headers = ["Content-Type: application/json", f"Authorization: Bearer {player.token}"]
    return json.dumps(body).encode(), headers


def test_a_move_in_chunks_is_played_like_any_other(api, wire):
    player = api.new_game("astrocyte", 1)
    body, headers = moves(player)
    wire.send(
        head("POST", f"{player.path}/moves", *headers, "Transfer-Encoding: chunked"), chunked(body)
    )
    status, _, content = wire.answer()
    assert status == 200
    assert json.loads(content)["applied"] == 1


@pytest.mark.parametrize("form", ["plain", "in chunks"])
def test_five_megabytes_are_refused_and_the_worker_lives_on(api, service, form):
    player = api.new_game("astrocyte", 1)
    _, headers = moves(player)
    data = b'{"version":1,"moves":["' + b"x" * 5_000_000 + b'"]}'
    wire = Wire(service.port)
    try:
        if form == "plain":
            wire.send(
                head("POST", f"{player.path}/moves", *headers, f"Content-Length: {len(data)}")
            )
            status, _, content = wire.answer()
        else:
            wire.send(head("POST", f"{player.path}/moves", *headers, "Transfer-Encoding: chunked"))
            wire.send(chunked(data[:200_000], 8192).removesuffix(b"0\r\n\r\n"))
            status, _, content = wire.answer()
        assert (status, json.loads(content)["code"]) == (413, "body-too-large")
    finally:
        wire.close()
    assert player.read().json["version"] == 1


def test_nesting_without_end_is_refused_and_the_connection_goes_on(api, wire):
    player = api.new_game("astrocyte", 1)
    body, headers = moves(player)
    deep = b"[" * 30_000 + b"]" * 30_000
    wire.send(head("POST", f"{player.path}/moves", *headers, f"Content-Length: {len(deep)}"), deep)
    status, _, content = wire.answer()
    assert (status, json.loads(content)["code"]) == (400, "invalid-json")
    wire.send(head("POST", f"{player.path}/moves", *headers, f"Content-Length: {len(body)}"), body)
    assert wire.answer()[0] == 200


def test_a_number_of_five_thousand_digits_is_refused(api, wire):
    player = api.new_game("astrocyte", 1)
    _, headers = moves(player)
    data = b'{"version":' + b"9" * 5000 + b',"moves":["deal"]}'
    wire.send(head("POST", f"{player.path}/moves", *headers, f"Content-Length: {len(data)}"), data)
    status, _, content = wire.answer()
    assert (status, json.loads(content)["code"]) == (400, "invalid-json")


def test_a_client_that_hangs_up_in_mid_request_changes_nothing(api, service):
    player = api.new_game("astrocyte", 1)
    body, headers = moves(player)
    wire = Wire(service.port)
    wire.send(
        head("POST", f"{player.path}/moves", *headers, f"Content-Length: {len(body)}"), body[:-5]
    )
    wire.close()
    assert player.read().json["version"] == 1
    assert player.play(player.game["legal_moves"][0]).status == 200


def test_requests_sent_ahead_are_answered_in_their_order(api, wire):
    first, second = api.new_game("astrocyte", 1), api.new_game("binary-star", 1)
    wire.send(head("GET", first.path), head("GET", second.path))
    assert json.loads(wire.answer()[2])["variant"] == "astrocyte"
    assert json.loads(wire.answer()[2])["variant"] == "binary-star"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/%00",
        "/v1/games/..%2f..%2fetc",
        "/v1/games/" + "9" * 2000,
        "/v1/games/%D9%A3",
        "/v1/games/%ff%fe",
        "/v1//games",
        "//v1/variants",
        "//v1/games",
        "///",
    ],
)
def test_strange_paths_are_not_found(wire, path):
    wire.send(head("GET", path))
    status, headers, _ = wire.answer()
    assert status == 404
    assert headers["content-type"] == "application/problem+json"
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
    wire.send(head("GET", "/v1/variants", header), head("GET", "/nowhere", header))
    status, _, body = wire.answer()
    assert (status, json.loads(body)["items"][0]["name"]) == (200, "binary-star")
    status, _, body = wire.answer()
    assert (status, json.loads(body)["type"]) == (404, "http://here/problems/not-found")


def test_a_path_that_only_a_header_would_make_is_not_found(wire):
    wire.send(head("GET", "/foo/v1/variants", "SCRIPT_NAME: /foo"))
    assert wire.answer()[0] == 404
