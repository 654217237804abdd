"""Started from the files of deploy/, the service is played, watched and refused through nginx."""

import gzip
import http.client
import json
import socket
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError

from service.api.problems import BY_CODE
from tests.contract import conventions
from tests.deploy.kit import Deployment
from tests.support.api import api_at, over_http
from tests.support.streams import watching
from tests.support.walks import fixture

GZIP = {"Accept_Encoding": "gzip"}


def test_a_whole_game_is_played_and_watched_while_it_is_played(api, deployment, contract):
    won = fixture("astrocyte-won-line.json")
    player = api.new_game(won["variant"], int(won["deal"]))
    with watching(deployment, contract) as watch:
        stream = watch(player, query="?wait=120")
        assert stream.next()["kind"] == "snapshot"
        for move in won["moves"]:
            assert player.play(move).status == 200
            told = stream.next()  # before anything else is played: nothing is kept back on the way
            assert (told["version"], told["moves"]) == (player.version, [move])
        assert player.game["status"] == "won"


def test_the_entity_tag_of_a_game_can_be_sent_back_from_a_client_that_takes_gzip(api):
    player = api.new_game("astrocyte", 1)
    read = player.read(**GZIP)
    assert (read.headers["Content-Encoding"], read.headers["ETag"]) == (None, '"v1"')
    for tag in ('"v1"', 'W/"v1"'):
        assert player.read(If_None_Match=tag, **GZIP).status == 304
    assert player.play("deal", If_Match=read.headers["ETag"], **GZIP).status == 200
    assert player.play("deal", If_Match=read.headers["ETag"], **GZIP).status == 412
    assert player.read(If_None_Match=read.headers["ETag"], **GZIP).status == 200


@pytest.mark.parametrize(
    "path", ["/v1/variants/astrocyte", "/openapi.yaml", "/docs/swagger-ui.css"]
)
def test_what_is_long_and_no_game_is_compressed(deployment, path):
    with over_http(deployment.port) as send:
        _, _, plain = send("GET", path, {}, None)
        status, headers, packed = send("GET", path, {"Accept-Encoding": "gzip"}, None)
    headers = conventions.by_lower_name(headers)
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert "accept-encoding" in headers["vary"].lower()
    assert gzip.decompress(packed) == plain


def test_the_entity_tag_of_a_compressed_answer_can_be_sent_back(deployment):
    with over_http(deployment.port) as send:
        sent = {"Accept-Encoding": "gzip"}
        _, headers, _ = send("GET", "/v1/variants/astrocyte", sent, None)
        tag = conventions.by_lower_name(headers)["etag"]
        assert tag.startswith('W/"')
        assert send("GET", "/v1/variants/astrocyte", {**sent, "If-None-Match": tag}, None)[0] == 304


def test_a_stream_is_not_compressed(api, deployment, contract):
    with watching(deployment, contract) as watch:
        stream = watch(api.new_game("astrocyte"), **GZIP)
        assert stream.answer.headers["Content-Encoding"] is None
        assert stream.next()["kind"] == "snapshot"


@pytest.mark.parametrize("size", [257 * 1024, 513 * 1024])
def test_a_body_that_is_too_long_is_refused_alike_by_the_service_and_by_nginx(api, size):
    answer = api.request("POST", "/v1/games", raw=b" " * size)
    assert (answer.status, answer.code) == (413, "body-too-large")
    assert answer.json["title"] == "Body too large"


def test_a_request_has_one_id_all_the_way(api):
    assert api.get("/v1/variants", Request_Id="my.own-id_1").headers["Request-Id"] == "my.own-id_1"
    assert len(api.get("/v1/variants", Request_Id="no id").headers["Request-Id"]) == 32


@pytest.mark.parametrize(
    "head",
    [
        "GARBAGE",
        "GET / HTTP/9.9",
        "GET / HTTP/1.1",
        "TRACE / HTTP/1.1\r\nHost: x",
        "GET /%zz HTTP/1.1\r\nHost: x",
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: -1",
        "POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: rot13",
        f"GET /{'x' * 40_000} HTTP/1.1\r\nHost: x",
        f"GET / HTTP/1.1\r\nHost: x\r\nX-Long: {'x' * 40_000}",
    ],
)
def test_what_is_no_request_is_a_problem_like_any_other(deployment, contract, head):
    with socket.create_connection(("127.0.0.1", deployment.port), timeout=30) as wire:
        wire.sendall(f"{head}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        body = json.loads(answer.read())
    headers = conventions.by_lower_name(answer.getheaders())
    conventions.check_origins(head[:40], headers)
    conventions.check_problem(head[:40], body, answer.status, headers)
    problem = {"$ref": "#/components/schemas/BadRequestProblem"}
    contract.check_value(head[:40], "body", problem, body)
    assert body["type"] == f"{deployment.url}/problems/bad-request"


def test_clients_that_send_slowly_do_not_delay_others(api, deployment):
    """Moves are answered while forty requests are incomplete."""
    player = api.new_game("astrocyte", 1)
    with ExitStack() as slow:
        for _ in range(40):
            wire = socket.create_connection(("127.0.0.1", deployment.port))
            slow.enter_context(wire)
            head = f"POST {player.path}/moves HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n"
            wire.sendall(f"{head}{{".encode())
        for _ in range(5):
            assert player.play(player.game["legal_moves"][0]).status == 200


@pytest.fixture
def own(asterism, tmp_path):
    """One to do harm to, which clients reach by TLS, and where a request a second is a flood."""
    different = {
        "ASTERISM_PUBLIC_URL": "https://games.example/",
        "ASTERISM_FLOOD": "1",
        "ASTERISM_TRUSTED_PROXY": "127.0.0.1",
    }
    with Deployment(tmp_path, asterism, **different) as running:
        running.start()
        yield running


def test_what_nginx_answers_has_the_headers_that_the_service_gives_to_all_its_answers(own):
    differing = {"date", "content-length", "request-id", "ratelimit", "ratelimit-policy"}
    with over_http(own.port) as send:
        by_nginx, by_service = (
            conventions.by_lower_name(send("GET", path, {}, None)[1])
            for path in ("/own-answer", "/nowhere")
        )
    assert "strict-transport-security" in by_nginx
    assert {name: value for name, value in by_nginx.items() if name not in differing} == {
        name: value for name, value in by_service.items() if name not in differing
    }


def test_a_flood_is_stopped_by_nginx_and_told_as_the_contract_says(own, contract):
    """nginx lets a burst of 200 pass and refuses the rest before the service sees it."""
    with api_at(own.port, contract) as api:
        answers = [api.get("/v1/variants") for _ in range(260)]
    refused = [answer for answer in answers if answer.status == 429]
    assert {answer.status for answer in answers} == {200, 429}
    assert {answer.json["policy"] for answer in refused} == {"flood"}
    assert refused[0].json["title"] == BY_CODE["too-many-requests"].title
    assert refused[0].headers["RateLimit-Policy"] == '"flood";q=1;w=1'
    assert refused[0].headers["Retry-After"] == "1"
    assert refused[0].json["type"] == "https://games.example/problems/too-many-requests"


def test_clients_behind_another_proxy_are_told_apart_by_nginx(own, contract):
    with api_at(own.port, contract) as api:
        one, other = (
            {api.get("/v1/variants", X_Forwarded_For=client).status for _ in range(count)}
            for client, count in (("203.0.113.7", 260), ("192.0.2.1, 203.0.113.8", 20))
        )
    assert (one, other) == ({200, 429}, {200})


def test_a_restart_of_the_service_costs_players_and_watchers_one_retry(own, contract):
    with api_at(own.port, contract) as api, watching(own, contract) as watch:
        player = api.new_game("astrocyte", 1)
        stream = watch(player, query="?wait=60")
        assert stream.next()["version"] == 1
        own.stop("service")
        assert stream.next() is None
        away = player.play("deal")
        assert (away.status, away.code) == (503, "service-unavailable")
        assert away.json["title"] == BY_CODE["service-unavailable"].title
        assert away.headers["Retry-After"] == "2"
        own.start("service")
        assert player.play("deal").status == 200
        assert watch(player, query="?wait=60", Last_Event_ID="1").next()["version"] == 2


def test_games_outlive_all_containers(own, contract):
    with api_at(own.port, contract) as api:
        player = api.new_game("astrocyte", 1)
        player.play("deal")
    own.stop()
    own.start()
    with api_at(own.port, contract) as player.api:
        assert player.read().json["version"] == 2
        assert player.play("deal").status == 200


def test_the_address_of_a_client_arrives_and_cannot_be_made_up(asterism, tmp_path):
    """Each address may have one commitment a minute."""
    one_a_minute = {"ASTERISM_LIMITS": "creation=1", "ASTERISM_WORKERS": "1"}
    with Deployment(tmp_path, asterism, **one_a_minute) as running:
        running.start()

        def status(source, **headers):
            wire = http.client.HTTPConnection(
                "127.0.0.1", running.port, timeout=30, source_address=(source, 0)
            )
            with closing(wire):
                wire.request("POST", "/v1/commitments", headers=headers)
                return wire.getresponse().status

        assert status("127.0.0.2") == 201
        assert status("127.0.0.2", **{"X-Forwarded-For": "203.0.113.7"}) == 429
        assert status("127.0.0.3", **{"X-Forwarded-For": "127.0.0.2"}) == 201


def test_no_secret_is_in_an_environment_a_command_line_or_a_log(api, deployment):
    player = api.new_game("astrocyte", 1)
    player.play("deal")
    player.play("deal", Authorization=f"Bearer x{player.token}")
    password = deployment.secret("redis_url").partition("//asterism:")[2].partition("@")[0]
    secrets = [deployment.secret("server_key"), password, player.token]
    seen = [deployment.log(name).read_bytes() for name in deployment.processes]
    for process in deployment.processes.values():
        for place in ("environ", "cmdline"):
            seen.append(Path(f"/proc/{process.pid}/{place}").read_bytes())
    assert all(len(secret) >= 32 for secret in secrets)
    assert [secret for secret in secrets for text in seen if secret.encode() in text] == []


def test_the_store_serves_the_service_alone_and_lets_it_do_no_more_than_it_must(api, deployment):
    url = deployment.secret("redis_url")
    api.new_game("astrocyte", 1)
    with Redis.from_url(url) as ours, Redis.from_url(f"redis://{url.partition('@')[2]}") as anybody:
        assert anybody.ping()
        for command in ("GET ast:x", "INFO", "KEYS *", "SCAN 0", "SUBSCRIBE ast:x"):
            with pytest.raises(NoPermissionError):
                anybody.execute_command(*command.split())
        for command in ("GET x", "FLUSHALL", "KEYS *", "CONFIG SET save 1", "SHUTDOWN", "ACL LIST"):
            with pytest.raises(NoPermissionError):
                ours.execute_command(*command.split())
        policy = ours.config_get("maxmemory*", "append*")
        assert policy["maxmemory-policy"] == "noeviction"
        assert (policy["appendonly"], policy["appendfsync"]) == ("yes", "everysec")
        assert int(policy["maxmemory"]) == 512 * 1024 * 1024
        assert ours.info("persistence")["aof_enabled"] == 1


def test_prometheus_is_told_on_an_address_of_its_own_and_clients_are_not(api, deployment):
    with over_http(deployment.metrics) as send:
        status, _, told = send("GET", "/metrics", {}, None)
    assert (status, b"asterism_requests_total" in told) == (200, True)
    assert api.get("/metrics").status == 404


def test_the_doctor_and_the_sweep_run_in_the_containers_that_are_for_them(deployment):
    examined = deployment.run("service", "asterism", "doctor")
    assert examined.returncode == 0, examined.stdout + examined.stderr
    swept = deployment.run("sweep", "asterism", "sweep")
    assert swept.stdout.endswith("their results are recorded\n"), swept.stderr
