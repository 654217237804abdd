"""Where nothing else does, nginx ends TLS, as compose.tls.yaml has it."""

import http.client
import socket
import ssl
from contextlib import closing, contextmanager

import pytest
import yaml

from tests.deploy.files import DEPLOY
from tests.deploy.kit import Deployment
from tests.support.api import Api
from tests.support.certificates import certify
from tests.support.messages import of_events

SERVICES = yaml.safe_load((DEPLOY / "compose.tls.yaml").read_text())["services"]


@pytest.fixture(scope="module")
def deployment(asterism, tmp_path_factory):
    """A deployment that ends TLS, with a certificate for 127.0.0.1."""
    different = SERVICES["nginx"]["environment"]
    with Deployment(tmp_path_factory.mktemp("tls"), asterism, **different) as running:
        (running.folder / "tls").mkdir()
        told = (DEPLOY / "nginx" / "tls.conf").read_text()
        (running.folder / "tls" / "tls.conf").write_text(running.here(told))
        secrets = running.folder / "deploy" / "secrets"
        certify(secrets / "certificate", secrets / "certificate_key")
        running.start()
        yield running


def trusting(deployment):
    return ssl.create_default_context(
        cafile=deployment.folder / "deploy" / "secrets" / "certificate"
    )


@contextmanager
def connected(deployment):
    """A connection that trusts the deployment's certificate and no other."""
    context = trusting(deployment)
    wire = http.client.HTTPSConnection("127.0.0.1", deployment.port, timeout=30, context=context)
    with closing(wire):
        yield wire


def test_a_game_is_played_and_watched_over_tls(deployment, contract):
    with connected(deployment) as wire, connected(deployment) as watching:

        def send(method, path, headers, body):
            wire.request(method, path, body, headers)
            answer = wire.getresponse()
            return answer.status, answer.getheaders(), answer.read()

        player = Api(send, contract).new_game("astrocyte", 1)
        path = f"{player.path}/events?wait=60"
        watching.request("GET", path, headers={"Accept": "text/event-stream"})
        lines = (line.decode().rstrip("\n") for line in watching.getresponse())
        messages = (message for message in of_events(lines) if message is not None)
        assert next(messages)["version"] == 1
        assert player.play("deal").status == 200
        assert next(messages)["version"] == 2


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_client_may_speak_both_versions_of_tls_and_http_2(deployment, version):
    context = trusting(deployment)
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", deployment.port), timeout=30) as wire,
        context.wrap_socket(wire, server_hostname="127.0.0.1") as secure,
    ):
        assert secure.version() == version.name.replace("_", ".")
        assert secure.selected_alpn_protocol() == "h2"


def test_who_speaks_no_tls_is_told_so_by_a_problem(deployment):
    with closing(http.client.HTTPConnection("127.0.0.1", deployment.port, timeout=30)) as wire:
        wire.request("GET", "/")
        answer = wire.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (400, "application/problem+json")


def test_one_proxy_less_is_counted(deployment):
    assert SERVICES["service"] == {"environment": {"ASTERISM_PROXIES": "1"}}
