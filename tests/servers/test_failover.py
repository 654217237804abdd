"""A store of several servers: one of them ends in mid-play, and play goes on by itself."""

from typing import NamedTuple

import pytest

from tests.support.groups import ClusterServers, SentinelServers
from tests.support.servers import Service, until
from tests.support.steady import at_play
from tests.support.streams import watching

GROUPS = {"a cluster": ClusterServers, "sentinels": SentinelServers}


class Site(NamedTuple):
    group: ClusterServers | SentinelServers
    services: list[Service]


@pytest.fixture(scope="module", params=GROUPS)
def site(request, tmp_path_factory):
    """Two instances of the service on one group of store servers."""
    folder = tmp_path_factory.mktemp("site")
    settings = {"ASTERISM_REPLICAS": "1", "ASTERISM_WORKERS": "1"}
    with (
        GROUPS[request.param](folder) as group,
        Service(group.url, folder / "one", **settings) as one,
        Service(group.url, folder / "other", **settings) as other,
    ):
        yield Site(group, [one, other])


@pytest.fixture
def play(site, contract):
    """A company that plays through both, and afterwards finds its games as it was told."""
    return lambda: at_play(site.services, site.group.master_of, contract)


def test_several_instances_serve_the_same_games(play):
    with play() as company:
        company.go_on(10)
    assert (company.unavailable, company.cut) == (0, 0)


def test_a_planned_failover_is_not_noticed(site, play):
    with play() as company:
        company.go_on(5)
        key = company.players[0].key
        old = site.group.master_of(key)
        site.group.hand_over(old)
        until(lambda: site.group.master_of(key) is not old)
        company.go_on(10)
    assert (company.unavailable, company.cut) == (0, 0)
    until(site.group.is_whole)


def test_a_master_that_is_killed_takes_no_move_with_it(site, play, contract):
    """Whoever watches through the other instance misses none, either."""
    with watching(site.services[1], contract) as watch:
        with play() as company:
            player = company.players[0]
            stream = watch(player)
            company.go_on(5)
            old = site.group.master_of(player.key)
            old.kill()
            company.go_on(10)
            old.start()
            company.go_on(5)
        seen = [stream.next()["version"]]
        while seen[-1] < player.game["version"]:
            seen.append(stream.next()["version"])
    assert seen == list(range(seen[0], player.game["version"] + 1))
    assert company.cut == 0
