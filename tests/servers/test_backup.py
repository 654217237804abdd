"""A backup of the store is worth what comes back from it: games are taken up where they stood."""

import shutil

import pytest

from service.config import Settings
from service.play.keys import ServerKey
from service.store.redis import redis_store
from tests.conftest import CONTRACT, TTL
from tests.http.kit import app_on
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY, StoreServer, redis_7, until, valkey_9

OPTIONS = ("--maxmemory-policy", "noeviction")


def api_on(store):
    settings = Settings(ServerKey(SERVER_KEY.encode()), store.url, limits={})
    return Api(in_process(app_on(redis_store(store.url, TTL), settings)), CONTRACT)


def append_only_file(store, folder, copied):
    """The folder of the append-only file, copied while no rewrite can change it; see RUNBOOK."""
    with store.client() as client:
        client.config_set("auto-aof-rewrite-percentage", 0)
        until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
        shutil.copytree(folder / "appendonlydir", copied / "appendonlydir")
        client.config_set("auto-aof-rewrite-percentage", 100)
    return lambda binary: StoreServer(binary, copied, *OPTIONS)


def snapshot(store, folder, copied):
    """A dump, read by a server without an append-only file, which then begins one; see RUNBOOK."""
    with store.client() as client:
        client.bgsave()
        until(lambda: not client.info("persistence")["rdb_bgsave_in_progress"])
        assert client.info("persistence")["rdb_last_bgsave_status"] == "ok"
        shutil.copy(folder / "dump.rdb", copied / "dump.rdb")

    def restored(binary):
        with (
            StoreServer(binary, copied, *OPTIONS, "--appendonly", "no") as first,
            first.client() as client,
        ):
            client.config_set("appendonly", "yes")
            until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])
            until(lambda: client.info("persistence")["aof_last_bgrewrite_status"] == "ok")
        return StoreServer(binary, copied, *OPTIONS)

    return restored


@pytest.mark.parametrize("server", [redis_7, valkey_9])
@pytest.mark.parametrize("back_up", [append_only_file, snapshot])
def test_games_go_on_from_a_backup_on_another_server(tmp_path, server, back_up):
    folder, copied = tmp_path / "first", tmp_path / "second"
    folder.mkdir()
    copied.mkdir()
    first = StoreServer(server(), folder, *OPTIONS)
    api = api_on(first)
    players = [api.new_game(variant, 7) for variant in ("binary-star", "astrocyte")]
    for player in players:
        for _ in range(4):
            player.play(player.game["legal_moves"][0])
        player.undo(2)
    seen = [player.read().json for player in players]
    restored = back_up(first, folder, copied)
    players[0].redo()  # what comes after the backup is not in it
    first.kill()
    with restored(server()) as second:
        again = api_on(second)
        for before, player in zip(seen, players, strict=True):
            taken_up = Player(again, before, player.token)
            assert taken_up.read().json == before
            assert taken_up.redo(2).status == 200
            assert taken_up.undo(4).status == 200
            assert taken_up.game["ply"] == 0
        with second.client() as client:
            assert all(client.pttl(key) > 0 for key in client.scan_iter("ast:*"))
