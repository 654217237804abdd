"""The files of deploy/ are well formed, do what production asks, and agree with the service."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from redis import ConnectionPool

from service import __version__
from service.config import VARIABLES, Settings
from service.play.keys import ServerKey
from tests.deploy.files import DEPLOY, NGINX, ROOT, compose, filled_in
from tests.deploy.kit import found
from tests.support.ports import free_port
from tests.support.servers import StoreServer, redis_7, until, valkey_9
from tests.support.started import start

BIN = Path(sys.executable).parent
CONTAINERS = compose(ASTERISM_PUBLIC_URL="https://games.example")["services"]
OURS = {name: c for name, c in CONTAINERS.items() if c["image"].startswith("asterism:")}


def passes(*command):
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_yaml_is_tidy():
    passes(BIN / "yamllint", "--strict", "-c", DEPLOY / ".yamllint.yaml", DEPLOY)


def test_hadolint_has_nothing_to_say_of_the_dockerfile():
    passes(BIN / "hadolint", "--failure-threshold", "style", DEPLOY / "Dockerfile")


@pytest.mark.parametrize("file", ["compose.yaml", "compose.tls.yaml"])
def test_the_compose_files_are_ones(file):
    passes(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / file)


def test_the_shell_scripts_are_ones():
    for script in DEPLOY.glob("*.sh"):
        passes("sh", "-n", script)


def test_nginx_takes_its_configuration(tmp_path):
    given = {**CONTAINERS["nginx"]["environment"], "ASTERISM_RUN": str(tmp_path)}
    text = filled_in(NGINX.read_text(), {**given, "ASTERISM_SERVICE": "127.0.0.1:8000"})
    file = tmp_path / "nginx.conf"
    file.write_text(re.sub("^#.*\n", "", text, flags=re.MULTILINE))
    assert "${" not in file.read_text()
    passes(found("nginx"), "-t", "-c", file)


@pytest.mark.parametrize("binary", [redis_7, valkey_9])
def test_redis_and_valkey_take_the_configuration_of_the_store(binary, tmp_path):
    file = str(DEPLOY / "valkey" / "valkey.conf")
    with (
        StoreServer(binary(), tmp_path, "--include", file) as server,
        server.client() as client,
    ):
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_the_store_admits_as_many_connections_as_the_largest_deployment_can_have():
    scale = yaml.safe_load((DEPLOY / "kubernetes" / "base" / "autoscaler.yaml").read_text())
    conf = (DEPLOY / "valkey" / "valkey.conf").read_text()
    workers = scale["spec"]["maxReplicas"] * Settings(ServerKey(b""), "").workers
    each = ConnectionPool().max_connections + 10
    assert int(re.search(r"^maxclients (\d+)$", conf, re.MULTILINE)[1]) >= workers * each + 300


def test_servers_take_the_configurations_for_more_than_one_of_them(tmp_path):
    files = [DEPLOY / "valkey" / f"{name}.conf" for name in ("valkey", "replicated", "cluster")]
    included = [word for file in files for word in ("--include", str(file))]
    bus = ("--cluster-port", str(free_port()))
    with (
        StoreServer(valkey_9(), tmp_path, *included, *bus) as server,
        server.client() as client,
    ):
        assert client.config_get("repl-timeout") == {"repl-timeout": "10"}
        assert client.info("cluster") == {"cluster_enabled": 1}


def test_a_sentinel_takes_its_configuration(tmp_path):
    text = (DEPLOY / "valkey" / "sentinel.conf").read_text()
    file = tmp_path / "sentinel.conf"
    file.write_text(text.replace("valkey-0.valkey", "127.0.0.1"))
    where = ["--sentinel", "--port", str(free_port()), "--bind", "127.0.0.1"]
    with (tmp_path / "log").open("wb") as log:
        sentinel = start([valkey_9(), str(file), *where], stdout=log, stderr=log)
    watched = "+monitor master games 127.0.0.1 6379 quorum 2"
    try:
        until(lambda: watched in (tmp_path / "log").read_text())
    finally:
        sentinel.terminate()
        sentinel.wait(20)


def test_the_image_is_pinned_and_runs_as_nobody_in_particular():
    text = (DEPLOY / "Dockerfile").read_text()
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["python:${PYTHON}"] * 2
    assert re.search(r"^ARG PYTHON=3\.\d+\.\d+-slim-\w+$", text, re.MULTILINE)
    users = re.findall(r"^USER (\d+):(\d+)$", text, re.MULTILINE)
    assert len(users) == 1
    assert min(int(id) for id in users[0]) >= 10_000
    assert "--require-hashes" in text
    command = json.loads(re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)[1])
    assert command == ["asterism", "serve"]


def test_what_the_image_is_made_of_reaches_its_build_and_nothing_secret_does():
    text = (DEPLOY / "Dockerfile").read_text()
    copied = {
        path.rstrip("/")
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE)
        for path in line.split()[:-1]
    }
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert lines[1] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == copied


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_may_do_no_more_than_it_must(name):
    container = CONTAINERS[name]
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert container["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in container
    assert re.search(r":\d+\.\d+\.\d+", container["image"]), "pinned by its full version"
    assert name in OURS or re.fullmatch(r"[1-9]\d*:[1-9]\d*", container["user"])
    assert "networks" in container
    for port in container.get("ports", []):
        assert port.startswith("127.0.0.1:")


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_tells_whether_it_is_healthy_and_waits_until_others_are(name):
    container = CONTAINERS[name]
    assert name in {"service", "sweep"} or container["healthcheck"]["test"][0] == "CMD"
    for other in container.get("depends_on", {}).values():
        assert other == {"condition": "service_healthy"}


def test_the_image_has_the_version_of_the_service():
    assert {container["image"] for container in OURS.values()} == {f"asterism:{__version__}"}


@pytest.mark.parametrize("name", OURS)
def test_the_service_knows_every_variable_that_a_container_is_given(name):
    assert set(OURS[name]["environment"]) <= set(VARIABLES)


def test_nginx_is_given_every_variable_that_its_template_explains():
    text = NGINX.read_text()
    explained = set(re.findall(r"^#   \$\{(\w+)\}", text, re.MULTILINE))
    assert set(re.findall(r"\$\{(\w+)\}", text)) == explained
    given = {n for n in CONTAINERS["nginx"]["environment"] if n.startswith("ASTERISM_")}
    assert given == explained
