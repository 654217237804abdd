"""The dashboard and the alerts ask for what the service tells, and a Prometheus has answers."""

import json
import re
import time
from urllib.parse import urlencode

import pytest
import yaml
from prometheus_client import REGISTRY

import service.telemetry.metrics
from tests.conftest import CONTRACT
from tests.deploy.files import DEPLOY
from tests.deploy.kit import Deployment, found
from tests.deploy.test_alerts import RULES
from tests.support.api import api_at, over_http
from tests.support.ports import free_port
from tests.support.servers import until
from tests.support.started import Stoppable, start

DASHBOARD = json.loads((DEPLOY / "grafana" / "asterism.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
ASKED = [
    target["expr"].replace("$__rate_interval", "1m")
    for panel in PANELS
    for target in panel["targets"]
]


def names(expression):
    return set(re.findall(r"\basterism_\w+", expression))


def told():
    """The name of every sample that the service can tell."""
    assert service.telemetry.metrics
    counted = {
        f"{family.name}{suffix}"
        for family in REGISTRY.collect()
        if family.name.startswith("asterism_")
        for suffix in {
            "counter": ["_total"],
            "histogram": ["_bucket", "_count", "_sum"],
            "gauge": [""],
        }[family.type]
    }
    return counted | {"asterism_build_info"}


def test_every_metric_that_is_asked_for_is_one_that_the_service_tells():
    asked = {name for expression in ASKED for name in names(expression)}
    asked |= {name for rule in RULES for name in names(rule["expr"])}
    assert len(asked) > 10
    assert asked - told() == set()


def test_every_metric_that_the_service_tells_is_on_the_dashboard():
    asked = {name for expression in ASKED for name in names(expression)}
    families = {re.sub("_(bucket|count|sum)$", "", name) for name in told()}
    assert families == {re.sub("_(bucket|count|sum)$", "", name) for name in asked}


def test_panels_have_each_a_place_and_say_what_they_show():
    taken = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    for panel in PANELS:
        assert panel["title"]
        assert panel["description"].endswith(".")


class Prometheus(Stoppable):
    """A Prometheus with the configuration in deploy/ that scrapes a deployment every second."""

    def __init__(self, folder, deployment) -> None:
        self.port = free_port()
        told = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())
        told["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        told["rule_files"] = [str(DEPLOY / "prometheus" / name) for name in told["rule_files"]]
        (job,) = told["scrape_configs"]
        assert job["static_configs"] == [{"targets": ["service:9464"]}]
        job["static_configs"] = [{"targets": [f"127.0.0.1:{deployment.metrics}"]}]
        (folder / "prometheus.json").write_text(json.dumps(told))
        with (folder / "log").open("wb") as log:
            self.process = start(
                [
                    found("prometheus"),
                    f"--config.file={folder / 'prometheus.json'}",
                    f"--storage.tsdb.path={folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{self.port}",
                ],
                stdout=log,
                stderr=log,
            )

    def stop(self):
        self.process.terminate()
        self.process.wait(20)

    def ask(self, expression):
        """What Prometheus finds for an expression now."""
        with over_http(self.port) as send:
            query = urlencode({"query": expression})
            status, _, body = send("GET", f"/api/v1/query?{query}", {}, None)
        answer = json.loads(body)
        assert status == 200, answer
        return answer["data"]["result"]

    def is_told(self):
        """Whether it has asked often enough for rates."""
        assert self.process.poll() is None
        try:
            counted = self.ask('count_over_time(up{job="asterism"}[1m])')
        except OSError:
            return False
        return bool(counted) and float(counted[0]["value"][1]) >= 3


@pytest.fixture(scope="module")
def prometheus(asterism, tmp_path_factory):
    """A Prometheus that has been told of a game with all that can happen in one."""
    folder = tmp_path_factory.mktemp("prometheus")
    with Deployment(tmp_path_factory.mktemp("watched"), asterism) as deployment:
        deployment.start()
        with Prometheus(folder, deployment) as watching:
            play_a_little(deployment)
            until(watching.is_told, 60)
            play_a_little(deployment)
            asked = time.time()
            until(lambda: last_told(watching) > asked, 60)
            yield watching


def last_told(prometheus):
    return float(prometheus.ask('timestamp(up{job="asterism"})')[0]["value"][1])


def play_a_little(deployment):
    with api_at(deployment.port, CONTRACT) as api:
        player = api.new_game("astrocyte", 1)
        player.play("t1t1")
        player.play("deal")
        player.post("moves", {"version": 99, "moves": ["deal"]})
        player.post("hint", {"version": player.version})
        player.resign()


@pytest.mark.parametrize("expression", ASKED)
def test_a_panel_shows_something_when_games_are_played(prometheus, expression):
    values = [sample["value"][1] for sample in prometheus.ask(expression)]
    assert [value for value in values if value != "NaN"]


def test_no_alert_is_about_to_fire_when_games_are_played(prometheus):
    """But for a game of one move and one conflict, half of what was sent."""
    pending = {sample["metric"]["alertname"] for sample in prometheus.ask("ALERTS")}
    assert pending <= {"AsterismConflicts"}
