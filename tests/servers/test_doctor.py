"""`asterism doctor` reports everything that is wrong with a set-up, and how to fix it."""

import os
import socket
import threading
from dataclasses import replace

import pytest
from click.testing import CliRunner

from service.cli import main
from service.server import doctor, store_checks
from service.store.diagnostics import ServerStatus
from tests.support.ports import free_port
from tests.support.servers import SERVER_KEY, Service, StoreServer, redis_7, valkey_9

ROOM = ("--maxmemory", "200mb", "--maxmemory-policy", "noeviction")


@pytest.fixture
def environ(tmp_path, monkeypatch):
    """A sound set-up, except that its store is unavailable."""
    for name in [name for name in os.environ if name.startswith(("ASTERISM_", "REDIS_"))]:
        monkeypatch.delenv(name)
    key = tmp_path / "key"
    key.write_text(SERVER_KEY)
    key.chmod(0o600)
    return {
        "PORT": str(free_port()),
        "ASTERISM_DATA": str(tmp_path),
        "ASTERISM_SERVER_KEY_FILE": str(key),
        "REDIS_URL": "redis://127.0.0.1:1",
    }


def run(environ):
    """Runs the command."""
    result = CliRunner().invoke(main, ["doctor"], env=environ)
    assert "Traceback" not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def findings(environ, level):
    """The findings of one level: topic and text."""
    with pytest.MonkeyPatch.context() as patch:
        for setting in environ.items():
            patch.setenv(*setting)
        found = [finding for finding in doctor.diagnose_setup() if finding.level == level]
    return [(finding.topic, f"{finding.text} {finding.remedy}") for finding in found]


@pytest.mark.parametrize("binary", [redis_7, valkey_9])
def test_every_line_of_a_sound_setup_says_ok(environ, tmp_path, binary):
    with StoreServer(binary(), tmp_path, *ROOM) as store:
        result = run({**environ, "REDIS_URL": store.url})
    assert result.exit_code == 0
    assert {line.split()[0] for line in result.output.splitlines()} == {"ok"}
    for about in ("settings", "secrets", "store", "persistence", "memory", "clock"):
        assert f" {about} " in result.output


def test_all_errors_in_settings_are_reported_at_once(environ):
    wrong = {
        "ASTERISM_GAME_TTL": "1",
        "ASTERISM_LOG": "yes",
        "ASTERISM_METRICS": "9464",
        "ASTERISM_LIMITS": "hints=many",
        "ASTERISM_PUBLIC_URL": "here",
        "PORT": "80a",
        "REDIS_URL": "http://here",
    }
    result = run({**environ, **wrong})
    assert result.exit_code == 1
    for name in wrong:
        assert any(line.startswith("fail") and name in line for line in result.output.splitlines())


def test_an_unknown_variable_is_reported_with_the_likely_one(environ):
    ((about, words),) = findings({**environ, "ASTERISM_WORKER": "3"}, "warn")
    assert (about, "ASTERISM_WORKERS" in words) == ("settings", True)


def test_an_unavailable_store_is_reported(environ):
    result = run(environ)
    assert result.exit_code == 1
    assert "did not answer" in result.output
    assert "Check REDIS_URL" in result.output


def test_a_wrong_password_is_reported_but_not_shown(environ, tmp_path):
    with StoreServer(valkey_9(), tmp_path, *ROOM) as store:
        store.client().config_set("requirepass", "right")
        result = run({**environ, "REDIS_URL": f"redis://:wrong-one@127.0.0.1:{store.port}/0"})
    assert "refuses the service's credentials" in result.output
    assert "wrong-one" not in result.output


def test_a_key_that_others_can_read_is_reported(environ):
    os.chmod(environ["ASTERISM_SERVER_KEY_FILE"], 0o644)
    ((about, words),) = findings(environ, "warn")
    assert (about, "chmod 600" in words) == ("secrets", True)


def test_a_key_that_belongs_to_another_user_is_accepted(environ, monkeypatch):
    os.chmod(environ["ASTERISM_SERVER_KEY_FILE"], 0o440)
    monkeypatch.setattr(doctor.os, "getuid", lambda: os.stat(__file__).st_uid + 1)
    assert findings(environ, "warn") == []
    assert any("belongs to another user" in words for _, words in findings(environ, "ok"))


MAY_EVICT = ("--maxmemory", "200mb", "--maxmemory-policy", "allkeys-lru", "--appendonly", "no")
NOBODYS_REPLICA = (*ROOM, "--replicaof", "127.0.0.1 1")


@pytest.mark.parametrize(
    ("options", "fail", "warn"),
    [
        (MAY_EVICT, ["memory"], ["persistence"]),
        ((), [], ["memory"]),
        (NOBODYS_REPLICA, ["store"], []),
    ],
    ids=["may evict and lose games", "has no memory limit", "accepts no moves"],
)
def test_a_store_that_loses_or_refuses_games_is_reported(environ, tmp_path, options, fail, warn):
    with StoreServer(valkey_9(), tmp_path, *options) as store:
        environ["REDIS_URL"] = store.url
        assert [about for about, _ in findings(environ, "fail")] == fail
        assert [about for about, _ in findings(environ, "warn")] == warn


def test_a_right_that_only_waiting_for_replicas_needs_is_missed_only_then(environ, tmp_path):
    user = ("--user", "default", "on", "nopass", "~*", "&*", "+@all", "-wait")
    with StoreServer(valkey_9(), tmp_path, *ROOM, *user) as store:
        environ["REDIS_URL"] = store.url
        assert findings(environ, "fail") == []
        ((_, text),) = findings({**environ, "ASTERISM_REPLICAS": "1"}, "fail")
    assert "does not let the service run its commands" in text


def test_a_service_that_is_to_start_is_told_from_one_that_runs(environ, tmp_path):
    embedded = {**environ, "REDIS_URL": "", "ASTERISM_DATA": str(tmp_path / "data")}
    before = dict(findings(embedded, "ok"))
    assert "It is not running" in before["service"]
    assert "An embedded server will be started" in before["store"]
    with Service("", tmp_path / "log", ASTERISM_DATA=embedded["ASTERISM_DATA"]) as service:
        found = dict(findings({**embedded, "PORT": str(service.port)}, "ok"))
    assert f"It is running at http://127.0.0.1:{service.port}, and ready" in found["service"]
    assert "The running service has an embedded server" in found["store"]


def test_a_service_that_is_not_ready_is_reported(environ, tmp_path):
    with Service(environ["REDIS_URL"], tmp_path / "log") as service:
        found = dict(findings({**environ, "PORT": str(service.port)}, "fail"))
    assert "and not ready" in found["service"]


def test_a_port_that_another_program_has_is_reported(environ):
    with socket.create_server(("127.0.0.1", int(environ["PORT"]))) as other:

        def greet():
            with other.accept()[0] as client:
                client.sendall(b"SSH-2.0\r\n")

        greeting = threading.Thread(target=greet)
        greeting.start()
        assert "Choose another with PORT=" in dict(findings(environ, "fail"))["service"]
        greeting.join()


@pytest.mark.parametrize(("address", "level"), [("0.0.0.0:9464", "warn"), ("10.1.2.3:1", "ok")])
def test_metrics_at_a_public_address_are_reported(environ, address, level):
    assert "metrics" in dict(findings({**environ, "ASTERISM_METRICS": address}, level))


SOUND = ServerStatus("Valkey", (9, 1, 2), "master", 1, True, (), "noeviction", 0.5, 0, 0.0)


@pytest.mark.parametrize(
    ("fault", "about", "level"),
    [
        ({"version": (6, 2)}, "store", "fail"),
        ({"replicas": 0}, "replicas", "fail"),
        ({"write_errors": ("aof_last_write_status",)}, "persistence", "fail"),
        ({"fraction": 0.8}, "memory", "warn"),
        ({"fraction": 0.95}, "memory", "fail"),
        ({"evicted": 3}, "memory", "warn"),
        ({"ahead": -3.0}, "clock", "warn"),
    ],
)
def test_each_fault_of_a_server_is_reported_once(fault, about, level):
    assert {finding.level for finding in store_checks.check_server(SOUND, 1)} == {"ok"}
    wrong = [f for f in store_checks.check_server(replace(SOUND, **fault), 1) if f.level != "ok"]
    assert [(finding.topic, finding.level) for finding in wrong] == [(about, level)]
    assert wrong[0].remedy
