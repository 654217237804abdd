"""What `asterism doctor` says of a store, by what each of its servers reports."""

from dataclasses import replace

import pytest

from service.config import Settings
from service.play.keys import ServerKey
from service.server.store_checks import check_server, check_store
from service.store.diagnostics import ServerStatus
from tests.support.servers import SERVER_KEY

HEALTHY = ServerStatus(
    product="Valkey",
    version=(9, 0, 1),
    role="master",
    replicas=1,
    append_only=True,
    write_errors=(),
    policy="noeviction",
    fraction=0.5,
    evicted=0,
    ahead=0.1,
)


def levels(server, replicas=0):
    return {finding.topic: finding.level for finding in check_server(server, replicas)}


def test_all_is_well_with_a_healthy_server():
    found = list(check_server(HEALTHY, 1))
    assert [finding.topic for finding in found] == [
        *("store", "replicas", "persistence", "memory", "clock")
    ]
    assert all(finding.level == "ok" and not finding.remedy for finding in found)


@pytest.mark.parametrize(
    ("different", "topic", "level"),
    [
        ({"version": (6, 2)}, "store", "fail"),
        ({"role": "slave"}, "store", "fail"),
        ({"replicas": 0}, "replicas", "fail"),
        ({"write_errors": ("aof_last_write_status",)}, "persistence", "fail"),
        ({"append_only": False}, "persistence", "warn"),
        ({"fraction": None}, "memory", "warn"),
        ({"policy": "allkeys-lru"}, "memory", "fail"),
        ({"fraction": 0.8}, "memory", "warn"),
        ({"fraction": 0.95}, "memory", "fail"),
        ({"evicted": 3}, "memory", "warn"),
        ({"ahead": -2.5}, "clock", "warn"),
    ],
)
def test_a_fault_is_told_with_its_remedy_and_hides_no_other_check(different, topic, level):
    server = replace(HEALTHY, **different)
    assert levels(server, 1) == {**levels(HEALTHY, 1), topic: level}
    (found,) = (finding for finding in check_server(server, 1) if finding.topic == topic)
    assert found.remedy


def test_a_server_without_replicas_has_none_to_tell_of_where_no_write_waits():
    assert "replicas" not in levels(replace(HEALTHY, replicas=0))


@pytest.mark.parametrize("url", ["unix:///nowhere/store.sock", "redis://db/games"])
def test_a_store_that_is_not_reached_is_a_failure(url, monkeypatch):
    monkeypatch.setattr("service.store.retry.RETRY_SECONDS", 0.1)
    settings = Settings(ServerKey(SERVER_KEY.encode()), url)
    (found,) = check_store(settings)
    assert (found.level, found.topic) == ("fail", "store")
