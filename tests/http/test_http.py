"""What is promised for every path: refusals in one form, headers, and no more than asked for."""

import re
from functools import wraps
from itertools import islice

import fakeredis
import pytest
from redis import exceptions as redis
from werkzeug.test import create_environ, run_wsgi_app

from service.api.services import services_of
from service.config import Settings
from service.games import VARIANTS
from service.games.moves import parse_move
from service.play.keys import ServerKey
from service.store import Store, encoding, retry
from service.store.nodes import SingleNode
from service.store.redis import RedisStore
from tests.conftest import TTL
from tests.contract.contract import document
from tests.http.kit import KEY, Door, app_on, dump, known, nothing_changes
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY

EXAMPLES = {
    "{asset}": "swagger-ui.css",
    "{digest}/{folder}/{name}": "current/look/base.css",
    "{code}": "illegal-move",
    "{variant}": "astrocyte",
    "{deal_id}": "binary-star-1",
    "{game_id}": "a" * 26,
}
NEEDED = {"/v1/deals": "?variant=binary-star"}
GETS = [path for path, item in document()["paths"].items() if "get" in item]
POSTS = [path for path, item in document()["paths"].items() if "post" in item]
PATHS = list(document()["paths"])
GAME = "/v1/games/{game_id}"
OF_A_GAME = [path for path in PATHS if path.startswith(GAME)]
KEPT = ("/v1/deals", "/v1/deals/{deal_id}")
"""What is told of numbered deals, which stay what they are; those of the day do not."""
COUNTED = ["/v1/stats", "/v1/deals/{deal_id}/results"]
"""What is told of games that have ended."""
NEGOTIATED = [path for path in PATHS if path.startswith("/v1") or path in ("/livez", "/readyz")]
IN_MORE_FORMS = (f"{GAME}/replay", f"{GAME}/events")
"""What can be had as something else than JSON, too."""


def at(path, game_id=None):
    """A path of the contract with something in its place for each parameter."""
    for name, value in EXAMPLES.items():
        path = path.replace(name, game_id if name == "{game_id}" and game_id else value)
    return path


def good(path, game_id=None):
    """The same, with the parameters that the path cannot do without."""
    return at(path, game_id) + NEEDED.get(path, "")


def methods(path):
    return [m for m in ("get", "post", "delete") if m in document()["paths"][path]]


def checked(api, contract, method, path, **headers):
    """Like `api.request`, with HEAD and OPTIONS held against the contract too."""
    answer = api.request(method, path, **headers)
    contract.check(method, path, answer.status, list(answer.headers.items()), answer.body)
    return answer


# Paths and methods that there are not


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/v1", "/v1/", "/v1/game", "/v1/games/", "/favicon.ico", "/.env", "/%00"),
        *("/V1/games", "/v1//games", "/v1/games/x/y", "/v1/games/x/moves/1", "/v1/games%2f"),
        *("/v1/../v1/games", "/v1/games/%2e%2e/x/y", "/problems/x/y", "/docs/", "/metrics", "/🂡"),
        *("/" + "a" * 5000, "/%ff%fe", "/ ", "/*", "/livez/", "/%0a", "/v1/games;x"),
    ],
    ids=lambda path: path[:20],
)
def test_a_path_that_there_is_not_is_not_found(api, fake, path):
    with nothing_changes(fake):
        for method in ("GET", "POST", "DELETE", "PUT"):
            assert known(api.request(method, path)) == (404, "not-found")


@pytest.mark.parametrize("path", PATHS)
def test_a_path_has_its_methods_and_no_slash_at_its_end(player, api, fake, path):
    allowed = {name.upper() for name in methods(path)} | {"OPTIONS"}
    allowed |= {"HEAD"} & {"HEAD" for _ in allowed & {"GET"}}
    with nothing_changes(fake):
        for method in {"PUT", "PATCH", "TRACE", "PROPFIND", "BREW", "POST", "DELETE"} - allowed:
            answer = api.request(method, at(path, player.game["id"]))
            assert known(answer) == (405, "method-not-allowed")
            assert set(answer.headers["Allow"].split(", ")) == allowed
        for method in methods(path) if path != "/" else []:
            answer = api.request(method.upper(), at(path, player.game["id"]) + "/")
            assert known(answer) == (404, "not-found")


# HEAD


@pytest.mark.parametrize("path", GETS)
def test_head_is_answered_like_get_less_the_body(player, api, contract, path):
    place = good(path, player.game["id"])
    head, get = checked(api, contract, "HEAD", place), api.get(place)
    assert (head.status, head.body) == (get.status, b"")
    changing = {"Request-Id", "Date", "Expires"}
    told = {name: value for name, value in get.headers.items() if name not in changing}
    assert told == {name: value for name, value in head.headers.items() if name not in changing}


def test_head_of_what_is_not_there_has_no_body_either(api, contract):
    for path in (f"/v1/games/{'a' * 26}", "/nothing", "/v1/variants/x", "/docs/nothing"):
        answer = checked(api, contract, "HEAD", path)
        assert (answer.status, answer.body) == (404, b"")


def test_head_of_what_is_known_already_is_304(player, api, contract):
    answer = checked(api, contract, "HEAD", player.path, If_None_Match='"v4"')
    assert (answer.status, answer.headers["ETag"]) == (304, '"v4"')


# Other origins


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_is_answered_on_every_path(player, api, contract, path):
    answer = checked(
        api,
        contract,
        "OPTIONS",
        at(path, player.game["id"]),
        Origin="https://example.org",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="authorization,content-type,if-match,idempotency-key",
    )
    assert (answer.status, answer.body) == (204, b"")
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "if-match", "idempotency-key"} <= set(allowed)


@pytest.mark.parametrize("query", ["?x=1", "?limit=0", "?limit=1&limit=2"])
def test_a_preflight_looks_at_nothing_but_the_path(api, contract, fake, query):
    with nothing_changes(fake):
        answer = checked(api, contract, "OPTIONS", f"/v1/games/{'a' * 26}/moves{query}", Accept="x")
    assert answer.status == 204


def test_a_page_of_another_origin_can_read_what_it_needs_off_every_answer(player, api):
    answers = {
        200: player.read(),
        201: api.post("/v1/games", {"variant": "astrocyte"}),
        304: api.get(player.path, If_None_Match='"v4"'),
        400: api.request("POST", "/v1/games", raw=b"{"),
        401: api.post(f"{player.path}/moves", {"version": 4, "moves": ["deal"]}),
        403: player.resign(Authorization="Bearer x"),
        404: api.get("/nothing"),
        405: api.request("PUT", "/livez"),
        406: api.get("/livez", Accept="image/png"),
        409: player.play("t1t1"),
        412: player.play("t1c2", If_Match='"v1"'),
        413: api.request("POST", "/v1/games", raw=b" " * 70_000),
        415: api.post("/v1/games", {}, Content_Type="text/plain"),
        422: api.post("/v1/games", {}),
        204: player.delete(),
    }
    for status, answer in answers.items():
        assert answer.status == status
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = {n.strip() for n in answer.headers["Access-Control-Expose-Headers"].split(",")}
        assert {"ETag", "Location", "Retry-After", "Request-Id", "Idempotency-Replayed"} <= exposed
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Set-Cookie" not in answer.headers


# Request ids


@pytest.mark.parametrize("id", ["a", "A-Z_a.z-0.9", "x" * 64, "4f0c7a52b9d14e6c", "-", ".", "null"])
def test_a_request_id_is_repeated(api, id):
    for path in ("/livez", "/nothing", f"/v1/games/{'a' * 26}"):
        answer = api.get(path, Request_Id=id)
        assert answer.headers.get_all("Request-Id") == [id]
        if answer.status == 404:
            assert answer.json["request_id"] == id


@pytest.mark.parametrize(
    "id",
    [
        "",
        " ",
        "x" * 65,
        "x" * 5000,
        "a b",
        "a,b",
        "a/b",
        "<b>",
        "{}",
        "é",
        "\xff\xfe",
        "a\x00",
        "a;b",
    ],
    ids=ascii,
)
def test_a_request_id_that_is_none_is_replaced(api, id):
    for path in ("/livez", "/nothing"):
        given = api.get(path, Request_Id=id).headers["Request-Id"]
        assert given != id
        assert re.fullmatch("[0-9a-f]{16}", given)


def test_every_request_has_an_id_of_its_own(api):
    assert len({api.get("/livez").headers["Request-Id"] for _ in range(50)}) == 50


# Accept


@pytest.mark.parametrize("path", [path for path in NEGOTIATED if path not in IN_MORE_FORMS])
def test_whoever_takes_no_json_is_refused(player, api, fake, path):
    with nothing_changes(fake):
        for method in methods(path):
            answer = api.request(
                method.upper(),
                at(path, player.game["id"]),
                Accept="text/html",
                Authorization=f"Bearer {player.token}",
            )
            assert known(answer) == (406, "not-acceptable")


def test_json_is_sent_to_whoever_takes_it_among_other_things(player, api):
    for path in ("/livez", "/v1/variants", player.path):
        answer = api.get(path, Accept="text/html, */*;q=0.1")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", [path for path in GETS if path not in NEGOTIATED])
def test_pages_and_files_are_sent_to_everybody(api, path):
    for accept in ("image/png", "x"):
        assert api.get(at(path), Accept=accept).status == 200


# Query parameters


UNKNOWN = {
    "?colour=red": ["colour"],
    "?=": [""],
    "?a=1&b": ["a", "b"],
    "?%F0%9F%82%A1=1": ["🂡"],
    "?Limit=1": ["Limit"],
    "?limit%00=1": ["limit\x00"],
}


@pytest.mark.parametrize("path", PATHS)
def test_a_parameter_that_a_path_has_not_is_refused(player, api, fake, path):
    bearer = f"Bearer {player.token}"
    with nothing_changes(fake):
        for method in methods(path):
            for query, names in UNKNOWN.items():
                place = at(path, player.game["id"]) + query
                answer = api.request(method.upper(), place, Authorization=bearer)
                assert known(answer) == (422, "invalid-request")
                unknown = [e for e in answer.json["errors"] if e["detail"].startswith("Unknown")]
                assert sorted(fault["parameter"] for fault in unknown) == names


@pytest.mark.parametrize(
    "query", ["limit=1&limit=1", "limit=1&after=0&after=1", "cursor=a&cursor=b"]
)
def test_a_parameter_is_given_once(player, api, query):
    answer = api.get(f"{player.path}/moves?{query}")
    assert known(answer) == (422, "invalid-request")
    assert answer.json["errors"][0]["detail"] == "Given more than once."


def test_bytes_that_are_no_text_are_refused_in_a_query(api):
    answer = api.get("/livez?%ff%fe=1")
    assert known(answer) == (422, "invalid-request")


def test_a_thousand_parameters_are_answered_in_short(api):
    answer = api.get("/livez?" + "&".join(f"{n}=1" for n in range(1000)))
    assert known(answer) == (422, "invalid-request")
    assert len(answer.body) < 5000


def test_an_empty_query_is_none(player, api):
    for path in ("/", "/livez", "/v1/variants", player.path, f"{player.path}/moves"):
        assert api.get(f"{path}?").status == 200


# Host


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("example.org", "http://example.org"),
        ("example.org:8443", "http://example.org:8443"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("a-b.example", "http://a-b.example"),
    ],
)
def test_a_problem_s_type_is_an_address_of_the_host_that_was_asked(api, host, base):
    assert api.get("/nothing", Host=host).json["type"] == f"{base}/problems/not-found"


@pytest.mark.parametrize(
    "host",
    [
        *("", " ", "a b", "ex\xe4mple", "<b>", "a@b", "a,b", "a/b", "x:y", "x:0", "x:99999"),
        *("x:", ":80"),
        *("..", "a..b", ".", ".a", "%zz", "[::1", "::1", "a" * 64, "a" * 64 + ".org", "\x00"),
        *("\xff",),
        *("javascript:alert(1)", '"', "a_b", "[]", "[1.2]", "a" * 5000, "http://a", "a?b", "a#b"),
    ],
    ids=lambda host: ascii(host)[:20],
)
def test_a_host_that_is_none_spoils_nothing(player, app, contract, host):
    api = Api(in_process_at(app, host), contract)
    assert api.get("/livez").status == 200
    assert api.get(player.path).json == player.game
    assert api.get("/nothing").json["type"] == "http://localhost/problems/not-found"
    links = {item["type"] for item in api.get("/problems", Accept="application/json").json["items"]}
    assert all(link.startswith("http://localhost/problems/") for link in links)


def in_process_at(app, host):
    """Sends requests with just these bytes for a host, as a client on a socket can."""

    def send(method, path, headers, body):
        environ = create_environ(path, method=method) | {"HTTP_HOST": host}
        environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        answer, status, received = run_wsgi_app(app, environ)
        return int(status.split()[0]), list(received), b"".join(answer)

    return send


def test_an_address_that_is_set_is_used_whatever_the_host(store, contract):
    settings = Settings(
        ServerKey(SERVER_KEY.encode()), "redis://nowhere", public_url="https://play.example/base"
    )
    api = Api(in_process(app_on(store, settings)), contract)
    answer = api.get("/nothing", Host="elsewhere.example")
    assert answer.json["type"] == "https://play.example/base/problems/not-found"


# Headers that every answer has


@pytest.mark.parametrize("path", GETS)
def test_no_answer_is_to_be_guessed_at_or_kept_by_mistake(player, api, path):
    answer = api.get(good(path, player.game["id"]))
    assert answer.status == 200
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert len(answer.headers.get_all("Cache-Control")) == 1
    kept = "public" in answer.headers["Cache-Control"]
    assert kept == (path in KEPT or path.startswith(("/docs/", "/openapi", "/v1/variants")))


def test_no_refusal_is_kept_by_a_cache(player, api):
    for answer in (
        api.get("/nothing"),
        api.get("/v1/variants/x"),
        api.get("/docs/nothing"),
        api.get("/v1/variants?x=1"),
        player.play("t1t1"),
    ):
        assert answer.status >= 400
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "header", ["Range", "If_Range", "If_Modified_Since", "If_Unmodified_Since"]
)
def test_a_game_is_read_whole_whatever_part_is_asked_for(player, api, header):
    value = "bytes=0-10" if header == "Range" else "Sat, 01 Jan 2000 00:00:00 GMT"
    answer = api.get(player.path, **{header: value})
    assert (answer.status, answer.json) == (200, player.game)


def test_another_method_cannot_be_put_on_by_a_header(player, api):
    answer = api.get(player.path, X_HTTP_Method_Override="DELETE", X_HTTP_Method="DELETE")
    assert answer.status == 200
    assert player.read().status == 200


# Faults of the service


class Broken(Store):
    """A store with a fault of its own in everything it does."""

    def load(self, game_id):
        raise RuntimeError("the seed is 9H8D and the key is hunter2")

    load_with_answers = load_with_line = load_whole = save = confirm = delete = story = load
    commit = commitment = load
    game_ids = load

    @property
    def result_store(self):
        raise RuntimeError("the seed is 9H8D and the key is hunter2")

    def ping(self):
        raise RuntimeError("the seed is 9H8D and the key is hunter2")


def store_on(client):
    return RedisStore(SingleNode(client), SingleNode(client), TTL)


def service_on(store, contract):
    settings = Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere")
    return Api(in_process(app_on(store, settings)), contract)


def bodies(path):
    """A body that is good as far as its shape goes."""
    if not path.startswith("/v1/games/"):
        return {"variant": "astrocyte"} if path == "/v1/games" else {}
    return {"version": 1} | ({"moves": ["t1c1"]} if path.endswith("/moves") else {})


def everything_that_asks_the_store(api):
    """The answer to every operation that cannot be done without the store."""
    for path in (*COUNTED, "/readyz", "/v1/games", "/v1/commitments", *OF_A_GAME):
        for method in methods(path):
            body = bodies(path) if method == "post" else None
            yield path, api.request(method.upper(), at(path), body, Authorization="Bearer x")


def test_a_fault_shows_a_request_id_and_nothing_else(contract, caplog):
    answers = list(everything_that_asks_the_store(service_on(Broken(), contract)))
    assert len(answers) == 3 + len(OF_A_GAME) + 2 + len(COUNTED)
    for path, answer in answers:
        assert known(answer) == (500, "internal-error"), path
        problem = answer.json
        assert problem.keys() == {"type", "title", "status", "detail", "code", "request_id"}
        assert problem["request_id"] == answer.headers["Request-Id"]
        for secret in (b"9H", b"hunter2", b"RuntimeError", b"Traceback", b".py"):
            assert secret not in answer.body + str(answer.headers).encode()
        assert any(problem["request_id"] in record.getMessage() for record in caplog.records)
    assert "RuntimeError" in caplog.text


@pytest.mark.parametrize("path", PATHS)
def test_a_fault_anywhere_is_told_in_the_same_form(player, app, api, monkeypatch, path):
    def faulty(**_):
        raise RuntimeError("hunter2")

    for method in methods(path):
        place = good(path, player.game["id"])
        endpoint, _ = app.url_map.bind("").match(place.partition("?")[0], method.upper())
        view = app.view_functions[endpoint]
        monkeypatch.setitem(app.view_functions, endpoint, wraps(view)(faulty))
        answer = api.request(method.upper(), place)
        assert known(answer) == (500, "internal-error")
        assert b"hunter2" not in answer.body


def test_a_fault_in_one_request_leaves_the_next_alone(contract, caplog):
    api = service_on(Broken(), contract)
    assert api.get(f"/v1/games/{'a' * 26}").status == 500
    assert api.get("/livez").status == 200


# The store is away

AWAY = {
    "refused": redis.ConnectionError("Error 111 connecting to 10.1.2.3:6379. Connection refused."),
    "timed out": redis.TimeoutError("Timeout reading from 10.1.2.3:6379"),
    "loading": redis.BusyLoadingError("Redis is loading the dataset in memory"),
    "loading, as told": redis.ResponseError("LOADING Redis is loading the dataset in memory"),
    "busy": redis.ResponseError("BUSY Redis is busy running a script."),
    "no master": redis.ResponseError("MASTERDOWN Link with MASTER is down"),
    "read-only": redis.ReadOnlyError("You can't write against a read only replica."),
    "full": redis.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."),
    "full, as told": redis.ResponseError("OOM command not allowed when used memory > 'maxmemory'."),
    "a wrong password": redis.AuthenticationError("invalid password hunter2 for 10.1.2.3"),
    "no permission": redis.NoPermissionError("User default has no permissions at 10.1.2.3"),
    "many clients": redis.MaxConnectionsError("Too many connections to 10.1.2.3"),
    "a disk error": redis.ResponseError("MISCONF Errors writing to the AOF file on 10.1.2.3"),
    "anything": redis.RedisError("10.1.2.3 says no"),
}


class Away(fakeredis.FakeRedis):
    """A client whose commands fail, for ever or some times."""

    def __init__(self, error, fake=None, times=None):
        super().__init__(connection_pool=fake and fake.connection_pool)
        self._error, self._times = error, times
        self.calls = 0

    def execute_command(self, *command, **options):
        self.calls += 1
        if self._times is None or self.calls <= self._times:
            raise self._error
        return super().execute_command(*command, **options)


@pytest.fixture
def impatient(monkeypatch):
    """Does not try again for seconds."""
    monkeypatch.setattr(retry, "RETRY_SECONDS", 0.0)


@pytest.mark.parametrize("cause", AWAY)
def test_a_store_that_is_away_is_told_and_when_to_come_back(contract, impatient, cause):
    api = service_on(store_on(Away(AWAY[cause])), contract)
    every = everything_that_asks_the_store(api)
    for path, answer in every if cause == "refused" else islice(every, 3):
        assert known(answer) == (503, "store-unavailable"), path
        assert int(answer.headers["Retry-After"]) >= 1
        for secret in (b"10.1.2.3", b"hunter2", b"Redis", b"redis", b":6379", b"Traceback"):
            assert secret not in answer.body


def test_a_service_whose_store_is_away_is_alive_and_says_what_it_knows(contract, impatient):
    away = Away(AWAY["refused"])
    api = service_on(store_on(away), contract)
    for path in set(GETS) - {"/readyz", *COUNTED, *OF_A_GAME}:
        assert api.get(good(path)).status == 200
    assert away.calls == 0


def test_a_service_is_ready_when_its_store_answers(api):
    assert api.get("/readyz").json == {"status": "ok"}


def test_what_is_wrong_with_a_request_is_told_though_the_store_is_away(contract, impatient):
    away = Away(AWAY["refused"])
    api = service_on(store_on(away), contract)
    assert api.post("/v1/games", {"variant": "x"}).status == 422
    assert api.post(f"/v1/games/{'a' * 26}/undo", {"version": 1}).status == 401
    assert away.calls == 0


@pytest.mark.parametrize("cause", ["refused", "timed out", "loading", "read-only"])
def test_a_store_that_is_away_for_a_moment_is_waited_for(player, fake, contract, cause):
    flaky = Away(AWAY[cause], fake, times=2)
    slow = Player(service_on(store_on(flaky), contract), player.game, player.token)
    assert slow.play("t1c2").json["applied"] == 1
    assert player.read().json["version"] == 5


def test_a_store_that_was_started_anew_is_given_its_scripts_again(player, fake):
    fake.execute_command("SCRIPT", "FLUSH")
    assert player.play("t1c2").status == 200
    fake.execute_command("SCRIPT", "FLUSH")
    assert player.undo().status == 200
    fake.execute_command("SCRIPT", "FLUSH")
    assert player.delete().status == 204


class Deaf(fakeredis.FakeRedis):
    """A client whose commands are carried out, and who misses the answer to the first write."""

    def __init__(self, fake):
        super().__init__(connection_pool=fake.connection_pool)
        self.lost = False

    def execute_command(self, *command, **options):
        answer = super().execute_command(*command, **options)
        if command[0].startswith("EVAL") and answer in ([b"saved"], [b"removed"]) and not self.lost:
            self.lost = True
            raise redis.TimeoutError("lost")
        return answer


def test_a_write_whose_answer_is_lost_is_carried_out_once(action, fake, contract):
    deaf = Deaf(fake)
    api = service_on(store_on(deaf), contract)
    answer = Door(action.name, Player(api, action.player.game, action.player.token)).knock(
        action.good
    )
    assert deaf.lost
    assert (answer.status, answer.json["game"]["version"]) == (200, 5)
    assert "Idempotency-Replayed" not in answer.headers
    assert action.player.read().json["version"] == 5


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": KEY}], ids=["no key", "a key"])
def test_a_creation_whose_answer_is_lost_is_carried_out_once(fake, contract, headers):
    deaf = Deaf(fake)
    api = service_on(store_on(deaf), contract)
    answer = api.post("/v1/games", {"variant": "astrocyte"}, **headers)
    games = [key for key in dump(fake) if key.endswith(b":game")]
    assert (deaf.lost, answer.status, len(games)) == (True, 201, 1)
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("headers", [{}, {"If_Match": '"v4"'}], ids=["any version", "the version"])
def test_a_deletion_whose_answer_is_lost_is_one_all_the_same(player, fake, contract, headers):
    deaf = Deaf(fake)
    api = service_on(store_on(deaf), contract)
    answer = Player(api, player.game, player.token).delete(**headers)
    assert (deaf.lost, answer.status) == (True, 204)
    assert known(player.read()) == (404, "game-not-found")


# What is kept cannot be read


def key_of(game, part="game"):
    return f"ast:{{{game['id']}}}:{part}"


def test_a_game_that_cannot_be_read_is_told_so_and_left_as_it_is(player, api, fake):
    state = fake.execute_command("GET", key_of(player.game))
    fake.execute_command("SET", key_of(player.game), state[:-20])
    with nothing_changes(fake):
        for path in OF_A_GAME:
            for method in methods(path):
                body = bodies(path) if method == "post" else None
                answer = api.request(
                    method.upper(),
                    at(path, player.game["id"]),
                    body,
                    Authorization=f"Bearer {player.token}",
                )
                assert known(answer) == (500, "game-unreadable"), path
    assert api.post("/v1/games", {"variant": "astrocyte"}).status == 201


def test_a_game_under_a_key_of_another_kind_is_told_so_and_left_as_it_is(player, api, fake):
    fake.execute_command("DEL", key_of(player.game))
    fake.execute_command("RPUSH", key_of(player.game), "x")
    with nothing_changes(fake):
        assert known(player.read()) == (500, "game-unreadable")
        assert known(player.play("t1c2")) == (500, "game-unreadable")
        assert known(api.get(f"{player.path}/moves")) == (500, "game-unreadable")


@pytest.mark.parametrize(
    "line",
    [b"", b"\x00", b"\x00\x01", b"\x00\x01\x00", b"\xff\xff" * 2],
    ids=["none", "half a move", "one of two", "one and a half", "no moves"],
)
def test_a_line_that_cannot_be_read_is_told_so_and_left_as_it_is(player, api, fake, line):
    fake.execute_command("SET", key_of(player.game, "line"), line)
    with nothing_changes(fake):
        assert known(api.get(f"{player.path}/moves")) == (500, "game-unreadable")
        assert known(player.undo()) == (500, "game-unreadable")
        assert known(player.redo()) == (500, "game-unreadable")


def test_a_line_against_the_rules_is_told_so_and_left_as_it_is(player, api, fake):
    """It is the kept moves that are refused, not any that the client has sent."""
    player.redo()
    line = encoding.encode_line(VARIANTS["astrocyte"], [parse_move("t1t2"), parse_move("t3t4")])
    fake.execute_command("SET", key_of(player.game, "line"), line)
    with nothing_changes(fake):
        assert known(api.get(f"{player.path}/moves")) == (500, "game-unreadable")
        assert known(player.undo()) == (500, "game-unreadable")


def test_a_line_that_leads_elsewhere_is_told_so_and_left_as_it_is(player, api, fake):
    """Each of its moves is legal; together they make another game."""
    path = f"/v1/games/{player.game['id']}"
    player.redo()
    moves = [parse_move(item["move"]) for item in api.get(f"{path}/moves").json["items"]]
    moves[-1] = next(
        move for move in map(parse_move, ("t1c2", "t1c3", "t1c4")) if move != moves[-1]
    )
    line = encoding.encode_line(VARIANTS["astrocyte"], moves)
    fake.execute_command("SET", key_of(player.game, "line"), line)
    with nothing_changes(fake):
        assert known(api.get(f"{path}/moves")) == (500, "game-unreadable")
        assert known(api.get(f"{path}/replay")) == (500, "game-unreadable")
        assert known(player.undo()) == (500, "game-unreadable")


def test_a_move_against_the_rules_is_not_played_again_off_a_line(player, fake):
    line = encoding.encode_line(VARIANTS["astrocyte"], [parse_move("t3c1"), parse_move("t1t2")])
    fake.execute_command("SET", key_of(player.game, "line"), line)
    with nothing_changes(fake):
        assert known(player.redo()) == (500, "game-unreadable")


def test_a_creation_s_answer_that_cannot_be_read_is_told_so(api, fake):
    body = {"variant": "astrocyte"}
    game = api.post("/v1/games", body, Idempotency_Key=KEY).json["game"]
    answers = fake.execute_command("GET", key_of(game, "answers"))
    fake.execute_command("SET", key_of(game, "answers"), answers + b"{}")
    with nothing_changes(fake):
        answer = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert known(answer) == (500, "game-unreadable")


def test_an_operator_finds_the_cause_in_the_log(player, fake, caplog):
    fake.execute_command("SET", key_of(player.game), "{}")
    answer = player.read()
    logged = [record.getMessage() for record in caplog.records]
    assert any(answer.json["request_id"] in text and "schema" in text for text in logged)


def test_an_answer_without_content_names_no_type_of_it(api):
    player = api.new_game("binary-star", 1)
    preflight = api.request("OPTIONS", player.path, Origin="https://elsewhere.example")
    for answer in (preflight, player.delete()):
        assert (answer.status, answer.body) == (204, b"")
        assert "Content-Type" not in answer.headers


def test_an_instance_that_is_about_to_stop_is_not_ready_and_answers_all_else(app, api, monkeypatch):
    monkeypatch.setattr(services_of(app), "is_leaving", lambda: True)
    assert known(api.get("/readyz")) == (503, "leaving")
    assert api.get("/livez").status == 200
    assert api.new_game("astrocyte").play("deal").status == 200
