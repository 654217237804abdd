"""Everything is played, rightly and wrongly, and nothing that is written down tells a secret."""

import os
import secrets
import signal
import socket
from base64 import urlsafe_b64decode
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.conftest import CONTRACT
from tests.http.kit import ACTIONS
from tests.support.api import api_at
from tests.support.ports import free_port
from tests.support.processes import Processes
from tests.support.servers import Service

KEEPS_SEEDS = "store"
"""Where games lie, and so the seeds of their deals: but neither a token nor a key."""


class Everything:
    """A service with a store and a key of its own, which writes down whatever it can."""

    def __init__(self, folder, contract):
        self.folder, self.contract = folder, contract
        self.metrics = free_port()
        settings = {
            "ASTERISM_SERVER_KEY": "",
            "ASTERISM_DATA": str(folder / "data"),
            "ASTERISM_LOG": "json",
            "ASTERISM_METRICS": f"127.0.0.1:{self.metrics}",
            "ASTERISM_LIMITS": "off",
        }
        python = {"PYTHONDEVMODE": "1", "PYTHONWARNINGS": "ignore"}
        self.service = Service("", folder / "output", **settings, **python)
        self.tokens, self.ids, self.seeds, self.told = [], [], [], []

    @property
    def key(self):
        return (self.folder / "data" / "server.key").read_text().strip()

    def play(self, begin):
        """Does everything that can be done with a game, and much that cannot."""
        with api_at(self.service.port, self.contract) as api:
            player = begin(api)
            self.tokens.append(player.token)
            self.ids.append(player.game["id"])
            token, key = player.token, secrets.token_hex(16)
            player.play(player.game["legal_moves"][0], Idempotency_Key=key)
            player.play("t1t1")
            player.undo()
            player.redo()
            player.post("hint", {"version": player.version})
            for part in ("", "/moves", "/legal-moves", "/replay", "/events?wait=0", "/reveal"):
                api.get(player.path + part, Authorization=f"Bearer {token}")
                api.get(f"{player.path}{part}?play_token={token}")
                api.get(f"{player.path}/{token}{part}")
            for action in ACTIONS:
                path = f"{player.path}/{action}"
                api.post(path, {"version": 1, "play_token": token})
                api.post(path, {token: token}, Authorization=f"Bearer {token}x")
                api.request("POST", path, raw=f'{{"version": "{token}'.encode())
                api.post(f"{path}?token={token}", {}, Authorization=token, Host=token)
            self.broken(f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization Bearer {token}\r\n\r\n")
            self.broken(f"Bearer {token}\r\n\r\n")
            self.broken(f"POST /{token} HTTP/1.1\r\nHost: x\r\nContent-Length: {token}\r\n\r\n")
            player.resign()
            reveal = api.get(f"{player.path}/reveal")
            if reveal.status == 200:
                self.seeds += [reveal.json["server_seed"], reveal.json["seed"]]
            return player

    def broken(self, text):
        """Sends what is no request."""
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=10) as wire:
            wire.sendall(text.encode())
            with suppress(OSError):
                wire.recv(1000)

    def look(self):
        """Takes note of what is told beside the games: the metrics, and every command line."""
        with urlopen(f"http://127.0.0.1:{self.metrics}/metrics") as told:
            self.told.append(told.read())
        for pid in Processes(self.service.process.pid).named.values():
            self.told.append(Path(f"/proc/{pid}/cmdline").read_bytes())

    def lose_the_store(self):
        """Kills the store under the service, and asks for something meanwhile."""
        for pid in Processes(self.service.process.pid).stores:
            os.kill(pid, signal.SIGKILL)
        with api_at(self.service.port, self.contract) as api:
            path, token = f"/v1/games/{'a' * 26}/undo", self.tokens[-1]
            answer = api.post(path, {"version": 1}, Authorization=f"Bearer {token}")
            assert answer.status in (503, 404)  # the store is away, or has been started again


BEGINNINGS = (
    lambda api: api.new_game("astrocyte"),
    lambda api: api.new_game("binary-star", label="ada"),
    lambda api: api.fair_game("astrocyte", secrets.token_hex(32)),
    lambda api: api.new_game(
        "astrocyte", deal={"daily": api.get("/v1/deals/daily").json["day"]}, label="ada"
    ),
)


def spellings(secret):
    """A secret as it might be written: itself, its bytes, and these in hexadecimal digits."""
    found = {secret.encode()}
    with suppress(ValueError):
        data = bytes.fromhex(secret)
        found |= {data, secret.upper().encode()}
    if len(secret) == 43:
        data = urlsafe_b64decode(secret + "=")
        found |= {data, data.hex().encode()}
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The service after all of that, stopped: what it has written, by where it stands."""
    everything = Everything(tmp_path_factory.mktemp("everything"), CONTRACT)
    with everything.service:
        for begin in BEGINNINGS:
            everything.play(begin)
        everything.look()
        everything.lose_the_store()
    files = [path for path in everything.folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(everything.folder)): path.read_bytes() for path in files}
    del found["data/server.key"]
    return everything, found | {"told": b"\n".join(everything.told)}


def where(found, secret):
    return [place for place, data in found.items() if any(s in data for s in spellings(secret))]


def test_what_is_looked_through_is_what_was_written(written):
    everything, found = written
    assert len(everything.tokens) == len(BEGINNINGS)
    assert len(everything.seeds) == 2 * (len(BEGINNINGS) - 1), "the day's deal stays sealed"
    assert b'"event":"request"' in found["output"].replace(b'": "', b'":"')
    assert b"asterism_requests" in found["told"]
    assert [place for place in found if KEEPS_SEEDS in place and found[place]]


def test_no_token_is_written_anywhere_and_no_id_in_the_log(written):
    everything, found = written
    assert [where(found, token) for token in everything.tokens] == [[]] * len(everything.tokens)
    assert [id for id in everything.ids if id.encode() in found["output"]] == []
    assert b"Invalid request from ip=127.0.0.1" in found["output"]


def test_the_server_key_is_written_nowhere_but_in_its_file(written):
    everything, found = written
    assert where(found, everything.key) == []
    assert (everything.folder / "data" / "server.key").stat().st_mode & 0o077 == 0


def test_a_seed_is_written_where_games_are_kept_and_nowhere_else(written):
    everything, found = written
    for seed in everything.seeds:
        assert [place for place in where(found, seed) if KEEPS_SEEDS not in place] == []
