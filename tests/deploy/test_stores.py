"""The service as the overlays for a cluster and for sentinels set it up."""

import pytest
import yaml

from tests.deploy.files import DEPLOY
from tests.deploy.kit import Deployment
from tests.support.api import api_at
from tests.support.groups import ClusterServers, SentinelServers
from tests.support.streams import watching


@pytest.fixture(params=["cluster", "sentinel"])
def group(request, tmp_path):
    """Servers of somebody else, and the overlay that is for them."""
    (tmp_path / "servers").mkdir()
    kinds = {"cluster": ClusterServers, "sentinel": SentinelServers}
    with kinds[request.param](tmp_path / "servers") as running:
        running.overlay = request.param
        yield running


@pytest.fixture
def deployment(group, asterism, tmp_path):
    """A deployment that may do there what users_acl says, and is set up as the overlay says."""
    overlay = DEPLOY / "kubernetes" / "overlays" / group.overlay / "kustomization.yaml"
    (settings,) = yaml.safe_load(overlay.read_text())["configMapGenerator"]
    different = dict(literal.split("=", 1) for literal in settings["literals"])
    (tmp_path / "deployment").mkdir()
    store = group.url.replace("://", "://LOGIN@")
    with Deployment(tmp_path / "deployment", asterism, store, **different) as running:
        _, ours = running.secret("users_acl").splitlines()
        for server in group.servers:
            with server.client() as client:
                client.execute_command("ACL", "SETUSER", *ours.removeprefix("user ").split())
        running.start()
        yield running


def test_games_are_played_and_watched_across_a_planned_failover(deployment, group, contract):
    with api_at(deployment.port, contract) as api, watching(deployment, contract) as watch:
        player = api.new_game("astrocyte", 1)
        stream = watch(player, query="?wait=60")
        assert stream.next()["version"] == 1
        assert player.play("deal").status == 200
        assert stream.next()["version"] == 2
        group.hand_over(group.master_of(f"ast:{{{player.game['id']}}}:game"))
        assert player.play("deal").status == 200
        assert stream.next()["version"] == 3
