"""The manifests are what Kubernetes takes, hang together, and run what the compose file runs."""

import re
import subprocess
import warnings
from functools import cache

import pytest
import yaml
from kubernetes_validate import validate

from service.config import VARIABLES
from tests.deploy.files import DEPLOY, NGINX, compose
from tests.deploy.test_files import BIN

KUBERNETES = "1.37"
OVERLAYS = sorted(path.name for path in (DEPLOY / "kubernetes" / "overlays").iterdir())
COMPOSE = compose(ASTERISM_PUBLIC_URL="https://games.example")["services"]

GRACEFUL_TIMEOUT = 10
"""Seconds that `asterism serve` gives requests under way after SIGTERM and the drain."""

each_overlay = pytest.mark.parametrize("overlay", OVERLAYS)


@cache
def built(overlay):
    """The objects of an overlay, as kustomize builds them: by kind and name."""
    folder = DEPLOY / "kubernetes" / "overlays" / overlay
    done = subprocess.run(
        [str(BIN / "kubectl"), "kustomize", str(folder)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return {
        (item["kind"], re.sub("-[a-z0-9]{10}$", "", item["metadata"]["name"])): item
        for item in yaml.safe_load_all(done.stdout)
    }


def pods(overlay):
    """The pods of an overlay, by the name of what makes them: labels and spec."""
    for (kind, name), item in built(overlay).items():
        if kind in {"Deployment", "StatefulSet"}:
            yield name, item["spec"]["template"]
        elif kind == "CronJob":
            yield name, item["spec"]["jobTemplate"]["spec"]["template"]


def containers(overlay):
    for _, pod in pods(overlay):
        for container in pod["spec"]["containers"]:
            yield container["name"], container


def labels(overlay, name):
    return next(pod["metadata"]["labels"] for made_by, pod in pods(overlay) if made_by == name)


def selects(selector, of):
    return selector.items() <= of.items()


def test_there_is_an_overlay_for_each_kind_of_store():
    assert OVERLAYS == ["cluster", "one", "sentinel"]


@each_overlay
def test_kubernetes_takes_every_object(overlay):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the library's own libraries
        for item in built(overlay).values():
            validate(item, KUBERNETES, strict=True)


@each_overlay
def test_no_secret_is_among_them_and_those_that_are_needed_are_files(overlay):
    assert "Secret" not in {kind for kind, _ in built(overlay)}
    for _, pod in pods(overlay):
        secrets = [v["secret"] for v in pod["spec"]["volumes"] if "secret" in v]
        assert [secret["defaultMode"] for secret in secrets] == [0o440]
    for _, container in containers(overlay):
        assert not [e for e in container.get("env", []) if "secretKeyRef" in e.get("valueFrom", {})]


@each_overlay
def test_a_container_may_do_no_more_than_it_must(overlay):
    for _, pod in pods(overlay):
        assert pod["spec"]["automountServiceAccountToken"] is False
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for name, container in containers(overlay):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, name
        assert container["resources"]["limits"]["memory"], name
        assert set(container["resources"]["requests"]) == {"cpu", "memory"}, name
        assert re.search(r":\d+\.\d+\.\d+", container["image"]), name


@each_overlay
def test_every_container_that_stays_is_asked_whether_it_lives(overlay):
    for name, container in containers(overlay):
        assert ("livenessProbe" in container) == (name != "sweep"), name
    asked = dict(containers(overlay))
    assert asked["service"]["startupProbe"]["httpGet"]["path"] == "/readyz"
    assert asked["service"]["livenessProbe"]["httpGet"]["path"] == "/livez"
    assert asked["nginx"]["readinessProbe"]["httpGet"]["path"] == "/livez"


@each_overlay
def test_whatever_is_mounted_is_there_and_whatever_is_there_is_mounted(overlay):
    names = {item["metadata"]["name"] for item in built(overlay).values()}
    for made_by, pod in pods(overlay):
        claims = built(overlay).get(("StatefulSet", made_by), {"spec": {}})["spec"]
        volumes = {v["name"]: v for v in pod["spec"]["volumes"]}
        volumes |= {c["metadata"]["name"]: c for c in claims.get("volumeClaimTemplates", [])}
        mounted = {m["name"] for c in pod["spec"]["containers"] for m in c["volumeMounts"]}
        assert mounted == set(volumes), made_by
        for volume in volumes.values():
            assert volume.get("configMap", {"name": ""})["name"] in {*names, ""}, made_by
        for container in pod["spec"]["containers"]:
            for source in container.get("envFrom", []):
                assert source["configMapRef"]["name"] in names, made_by


@each_overlay
def test_selectors_select_the_pods_that_are_meant(overlay):
    objects, ours = built(overlay), labels(overlay, "asterism")
    deployment = objects["Deployment", "asterism"]["spec"]
    assert selects(deployment["selector"]["matchLabels"], ours)
    assert "replicas" not in deployment, "the autoscaler says how many"
    assert selects(objects["Service", "asterism"]["spec"]["selector"], ours)
    assert selects(
        objects["PodDisruptionBudget", "asterism"]["spec"]["selector"]["matchLabels"], ours
    )
    guarded = objects["NetworkPolicy", "asterism"]["spec"]["podSelector"]["matchLabels"]
    sweeping = labels(overlay, "asterism-sweep")
    assert selects(guarded, ours)
    assert selects(guarded, sweeping)
    assert not selects(objects["Service", "asterism"]["spec"]["selector"], sweeping)


@each_overlay
def test_the_service_and_the_autoscaler_name_what_is_in_the_pod(overlay):
    objects, inside = built(overlay), dict(containers(overlay))
    (port,) = objects["Service", "asterism"]["spec"]["ports"]
    assert port["targetPort"] in {p["name"] for p in inside["nginx"]["ports"]}
    scaler = objects["HorizontalPodAutoscaler", "asterism"]["spec"]
    assert scaler["scaleTargetRef"] == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "asterism",
    }
    assert scaler["metrics"][0]["containerResource"]["container"] in inside
    assert scaler["minReplicas"] >= 2


@each_overlay
def test_the_metrics_are_where_prometheus_is_told_to_scrape(overlay):
    (pod,) = [pod for name, pod in pods(overlay) if name == "asterism"]
    ports = {p["name"]: p["containerPort"] for p in dict(containers(overlay))["service"]["ports"]}
    assert pod["metadata"]["annotations"]["prometheus.io/port"] == str(ports["metrics"])
    settings = built(overlay)["ConfigMap", "settings"]["data"]
    assert settings["ASTERISM_METRICS"] == f"0.0.0.0:{ports['metrics']}"


@each_overlay
def test_the_service_reaches_names_and_its_store_and_nothing_else(overlay):
    policy = built(overlay)["NetworkPolicy", "asterism"]["spec"]
    names, store = policy["egress"]
    assert {port["port"] for port in names["ports"]} == {53}
    expected = {6379, 26379} if overlay == "sentinel" else {6379}
    assert {port["port"] for port in store["ports"]} == expected
    (to,) = store["to"]
    assert to["podSelector"]["matchLabels"] == {"app.kubernetes.io/name": "valkey"}
    assert [rule["ports"][0]["port"] for rule in policy["ingress"]] == [8080, 9464]


def test_the_store_of_one_server_is_reached_by_the_service_alone():
    objects, store = built("one"), labels("one", "valkey")
    assert selects(objects["Service", "valkey"]["spec"]["selector"], store)
    policy = objects["NetworkPolicy", "valkey"]["spec"]
    assert selects(policy["podSelector"]["matchLabels"], store)
    ((who,),) = [rule["from"] for rule in policy["ingress"]]
    assert selects(who["podSelector"]["matchLabels"], labels("one", "asterism"))
    assert "egress" not in policy


@each_overlay
def test_all_that_is_set_is_known_and_all_that_nginx_needs_is_set(overlay):
    settings, its_own = (
        set(built(overlay)["ConfigMap", name]["data"]) for name in ("settings", "nginx-settings")
    )
    template = set(re.findall(r"\$\{(\w+)\}", NGINX.read_text()))
    assert settings <= {*VARIABLES}, "doctor warns of others"
    assert its_own <= template
    nginx = dict(containers(overlay))["nginx"]
    assert template <= {*settings, *its_own, *(e["name"] for e in nginx["env"])}


def test_a_pod_runs_what_compose_runs():
    """So that what the tests start from the compose file stands for both."""
    for name, container in containers("one"):
        command = " ".join(container.get("args", [])).replace("/secrets/valkey/", "/secrets/")
        assert command == " ".join(COMPOSE[name].get("command", [])), name
        assert container["image"] == COMPOSE[name]["image"], name


@each_overlay
def test_a_pod_is_out_of_the_service_before_it_stops_and_stops_before_it_is_killed(overlay):
    (pod,) = [pod["spec"] for name, pod in pods(overlay) if name == "asterism"]
    waits = {
        c["name"]: c["lifecycle"]["preStop"]["sleep"]["seconds"]
        for c in pod["containers"]
        if "lifecycle" in c
    }
    drain = int(built(overlay)["ConfigMap", "settings"]["data"]["ASTERISM_DRAIN"])
    assert waits["nginx"] < drain
    assert drain + GRACEFUL_TIMEOUT < pod["terminationGracePeriodSeconds"]
    shutdown = int(re.search(r"worker_shutdown_timeout (\d+)s;", NGINX.read_text())[1])
    assert waits["nginx"] + shutdown < pod["terminationGracePeriodSeconds"]
