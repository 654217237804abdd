"""What is promised for every path: refusals in one form, headers, and no more than asked for."""

import re
from functools import wraps
from itertools import islice

import fakeredis
import pytest
from redis import exceptions as redis
from werkzeug.test import create_environ, run_wsgi_app

from service.api.services import services_of
from service.games import VARIANTS
from service.games.moves import parse_move
from service.store import encoding, retry
from service.store.nodes import SingleNode
from service.store.redis import store_on
from tests.conftest import TTL
from tests.contract.contract import document
from tests.http.kit import (
    KEY,
    UNKNOWN_ID,
    Endpoint,
    dump,
    faults,
    instance_on,
    known,
    nothing_changes,
)
from tests.support.api import Api, Player

EXAMPLES = {
    "{asset}": "swagger-ui.css",
    "{digest}/{folder}/{name}": "current/look/base.css",
    "{code}": "illegal-move",
    "{variant}": "astrocyte",
    "{deal_id}": "binary-star-1",
    "{game_id}": UNKNOWN_ID,
}
NEEDED = {"/v1/deals": "?variant=binary-star"}
PATHS = list(document()["paths"])
GETS = [path for path in PATHS if "get" in document()["paths"][path]]
GAME = "/v1/games/{game_id}"
OF_A_GAME = [path for path in PATHS if path.startswith(GAME)]
OF_RESULTS = ["/v1/stats", "/v1/deals/{deal_id}/results", "/v1/leaderboards/{variant}"]
"""What is answered from the games that have ended."""
JSON_PATHS = ("/v1", "/livez", "/readyz")
IN_MORE_FORMS = (f"{GAME}/replay", f"{GAME}/events")
JSON_ONLY = [p for p in PATHS if p.startswith(JSON_PATHS) and p not in IN_MORE_FORMS]
"""What is sent as JSON and in no other form."""


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
    """Like `api.request`, with HEAD and OPTIONS checked against the contract too."""
    answer = api.request(method, path, **headers)
    contract.check(method, path, answer.status, list(answer.headers.items()), answer.body)
    return answer


# Unknown paths and methods


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/v1", "/v1/", "/v1/games/", "/favicon.ico", "/.env", "/%00", "/metrics"),
        *("/V1/games", "/v1//games", "/v1/games/x/y", "/v1/games/x/moves/1", "/v1/games%2f"),
        *("/v1/../v1/games", "/v1/games/%2e%2e/x/y", "/docs/", "/🂡", "/" + "a" * 5000, "/%ff%fe"),
    ],
    ids=lambda path: path[:20],
)
def test_an_unknown_path_is_not_found(api, fake, path):
    with nothing_changes(fake):
        for method in ("GET", "POST", "DELETE", "PUT"):
            assert known(api.request(method, path)) == (404, "not-found")


@pytest.mark.parametrize("path", PATHS)
def test_a_path_has_its_methods_and_no_slash_at_its_end(player, api, fake, path):
    place, allowed = at(path, player.game["id"]), {name.upper() for name in methods(path)}
    with nothing_changes(fake):
        for method in {"PUT", "PATCH", "TRACE", "PROPFIND", "BREW", "POST", "DELETE"} - allowed:
            assert known(api.request(method, place)) == (405, "method-not-allowed")
        for method in allowed if path != "/" else ():
            assert known(api.request(method, place + "/")) == (404, "not-found")


# HEAD and OPTIONS


@pytest.mark.parametrize("path", [*GETS, "/nothing", "/docs/nothing", "/v1/variants/x"])
def test_head_is_answered_like_get_less_the_body(player, api, contract, path):
    place = good(path, player.game["id"])
    head, get = checked(api, contract, "HEAD", place), api.get(place)
    assert (head.status, head.body) == (get.status, b"")
    changing = {"Request-Id", "Date", "Expires"}
    headers = {name: value for name, value in get.headers.items() if name not in changing}
    assert headers == {name: value for name, value in head.headers.items() if name not in changing}


def test_head_of_a_known_version_is_304(player, api, contract):
    answer = checked(api, contract, "HEAD", player.path, If_None_Match='"v4"')
    assert (answer.status, answer.headers["ETag"]) == (304, '"v4"')


@pytest.mark.parametrize("path", [*PATHS, f"{GAME}/moves?limit=0&limit=1&x=1"])
def test_a_preflight_is_answered_on_every_path_whatever_else_is_sent(api, contract, fake, path):
    headers = {"Origin": "https://example.org", "Access_Control_Request_Method": "POST"}
    with nothing_changes(fake):
        answer = checked(api, contract, "OPTIONS", at(path), Accept="x", **headers)
    assert (answer.status, answer.body) == (204, b"")


def test_an_answer_without_content_names_no_type_of_it(player, api):
    for answer in (api.request("OPTIONS", player.path), player.delete()):
        assert (answer.status, answer.body) == (204, b"")
        assert "Content-Type" not in answer.headers


# Request ids


@pytest.mark.parametrize("id", ["a", "A-Z_a.z-0.9", "x" * 64, "-", "null"])
def test_a_request_id_is_repeated(api, id):
    assert api.get("/livez", Request_Id=id).headers.get_all("Request-Id") == [id]
    assert api.get("/nothing", Request_Id=id).json["request_id"] == id


@pytest.mark.parametrize("id", ["", " ", "x" * 65, "a b", "a/b", "<b>", "é", "a\x00", None])
def test_a_request_without_a_proper_id_gets_one_of_its_own(api, id):
    headers = {} if id is None else {"Request_Id": id}
    given = {api.get("/livez", **headers).headers["Request-Id"] for _ in range(20)}
    assert len(given) == 20
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in given)


# Accept


@pytest.mark.parametrize("path", JSON_ONLY)
def test_whoever_accepts_no_json_is_refused(player, api, fake, path):
    place = at(path, player.game["id"])
    with nothing_changes(fake):
        for method in methods(path):
            answer = api.request(method.upper(), place, Accept="text/html", **player.bearer)
            assert known(answer) == (406, "not-acceptable")


def test_json_is_sent_to_whoever_accepts_it_among_other_things(player, api):
    for path in ("/livez", "/v1/variants", player.path):
        answer = api.get(path, Accept="text/html, */*;q=0.1")
        assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", [path for path in GETS if not path.startswith(JSON_PATHS)])
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
}


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_parameter_is_refused(player, api, fake, path):
    with nothing_changes(fake):
        for method in methods(path):
            for query, names in UNKNOWN.items():
                place = at(path, player.game["id"]) + query
                answer = api.request(method.upper(), place, **player.bearer)
                assert set(names) <= set(faults(answer))


@pytest.mark.parametrize(
    "query", ["limit=1&limit=1", "limit=1&after=0&after=1", "cursor=a&cursor=b"]
)
def test_a_parameter_is_given_once(player, api, query):
    answer = api.get(f"{player.path}/moves?{query}")
    assert known(answer) == (422, "invalid-request")
    assert answer.json["errors"][0]["detail"] == "Given more than once."


@pytest.mark.parametrize("query", ["%ff%fe=1", "&".join(f"{n}=1" for n in range(1000))])
def test_an_odd_query_is_refused_in_short(api, query):
    answer = api.get(f"/livez?{query}")
    assert known(answer) == (422, "invalid-request")
    assert len(answer.body) < 5000


def test_an_empty_query_is_none(player, api):
    for path in ("/", "/livez", player.path, f"{player.path}/moves"):
        assert api.get(f"{path}?").status == 200


# Host


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1:8000", "[::1]:8000", "a-b.example"])
def test_a_problem_s_type_is_an_address_of_the_host_that_was_asked(api, host):
    assert api.get("/nothing", Host=host).json["type"] == f"http://{host}/problems/not-found"


@pytest.mark.parametrize(
    "host",
    [
        *("", " ", "a b", "ex\xe4mple", "<b>", "a@b", "a,b", "a/b", "x:y", "x:0", "x:99999", "x:"),
        *(":80", "..", ".a", "%zz", "[::1", "::1", "a" * 64, "\x00", "\xff", '"', "a_b", "[1.2]"),
        *("javascript:alert(1)", "a" * 5000, "http://a", "a?b", "a#b"),
    ],
    ids=lambda host: ascii(host)[:20],
)
def test_a_malformed_host_is_in_no_answer(player, app, contract, host):
    def send(method, path, headers, body):
        """Sends just these bytes for a host, as a client on a socket can."""
        environ = create_environ(path, method=method)
        environ |= {"HTTP_HOST": host, "SERVER_PORT": "8123"}
        environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        answer, status, received = run_wsgi_app(app, environ)
        return int(status.split()[0]), list(received), b"".join(answer)

    api = Api(send, contract)
    assert api.get(player.path).json == player.game
    assert api.get("/nothing").json["type"] == "http://localhost:8123/problems/not-found"
    for item in api.get("/problems", Accept="application/json").json["items"]:
        assert item["type"].startswith("http://localhost:8123/problems/")


def test_an_address_that_is_set_is_used_whatever_the_host(store):
    api = instance_on(store, public_url="https://play.example/base")
    answer = api.get("/nothing", Host="elsewhere.example")
    assert answer.json["type"] == "https://play.example/base/problems/not-found"


# Caches, ranges and other headers


@pytest.mark.parametrize("path", GETS)
def test_an_answer_is_cacheable_only_if_it_hardly_changes(player, api, path):
    answer = api.get(good(path, player.game["id"]))
    assert answer.status == 200
    assert len(answer.headers.get_all("Cache-Control")) == 1
    fixed = ("/docs/", "/openapi", "/v1/variants", "/v1/deals", "/v1/leaderboards")
    cacheable = path.startswith(fixed) and not path.endswith(("/daily", "/results"))
    assert ("public" in answer.headers["Cache-Control"]) == cacheable


def test_no_refusal_is_cacheable(player, api):
    refused = ("/nothing", "/v1/variants/x", "/docs/nothing", "/v1/variants?x=1")
    for answer in (*map(api.get, refused), player.play("t1t1")):
        assert answer.status >= 400
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_game_is_read_whole_whatever_part_or_method_a_header_asks_for(player, api):
    date = "Sat, 01 Jan 2000 00:00:00 GMT"
    for name, value in {
        "Range": "bytes=0-10",
        "If_Range": date,
        "If_Modified_Since": date,
        "If_Unmodified_Since": date,
        "X_HTTP_Method_Override": "DELETE",
    }.items():
        answer = api.get(player.path, **{name: value})
        assert (answer.status, answer.json) == (200, player.game)


# Faults of the service


@pytest.mark.parametrize("path", PATHS)
def test_a_fault_shows_a_request_id_and_nothing_else(player, app, api, monkeypatch, caplog, path):
    def faulty(**_):
        raise RuntimeError("the seed is 9H8D and the key is hunter2")

    for method in methods(path):
        place = good(path, player.game["id"])
        endpoint, _ = app.url_map.bind("").match(place.partition("?")[0], method.upper())
        view = app.view_functions[endpoint]
        monkeypatch.setitem(app.view_functions, endpoint, wraps(view)(faulty))
        answer = api.request(method.upper(), place)
        assert known(answer) == (500, "internal-error")
        problem = answer.json
        assert problem.keys() == {"type", "title", "status", "detail", "code", "request_id"}
        for secret in (b"9H", b"hunter2", b"RuntimeError", b"Traceback", b".py"):
            assert secret not in answer.body + str(answer.headers).encode()
        assert any(problem["request_id"] in record.getMessage() for record in caplog.records)
    assert "RuntimeError" in caplog.text


# The store is unavailable


def body_of(path):
    """A body of the right form."""
    if not path.startswith("/v1/games/"):
        return {"variant": "astrocyte"} if path == "/v1/games" else {}
    return {"version": 1} | ({"moves": ["t1c1"]} if path.endswith("/moves") else {})


def everything_that_needs_the_store(api):
    """The answer to every operation that cannot be done without the store."""
    for path in (*OF_RESULTS, "/readyz", "/v1/games", "/v1/commitments", *OF_A_GAME):
        for method in methods(path):
            body = body_of(path) if method == "post" else None
            yield path, api.request(method.upper(), at(path), body, Authorization="Bearer x")


UNAVAILABLE = {
    "refused": redis.ConnectionError("Error 111 connecting to 10.1.2.3:6379. Connection refused."),
    "timed out": redis.TimeoutError("Timeout reading from 10.1.2.3:6379"),
    "loading": redis.BusyLoadingError("Redis is loading the dataset in memory"),
    "loading, as text": redis.ResponseError("LOADING Redis is loading the dataset in memory"),
    "busy": redis.ResponseError("BUSY Redis is busy running a script."),
    "no master": redis.ResponseError("MASTERDOWN Link with MASTER is down"),
    "read-only": redis.ReadOnlyError("You can't write against a read only replica."),
    "full": redis.OutOfMemoryError("command not allowed when used memory > 'maxmemory'."),
    "full, as text": redis.ResponseError("OOM command not allowed when used memory > 'maxmemory'."),
    "a wrong password": redis.AuthenticationError("invalid password hunter2 for 10.1.2.3"),
    "no permission": redis.NoPermissionError("User default has no permissions at 10.1.2.3"),
    "many clients": redis.MaxConnectionsError("Too many connections to 10.1.2.3"),
    "a disk error": redis.ResponseError("MISCONF Errors writing to the AOF file on 10.1.2.3"),
    "anything": redis.RedisError("10.1.2.3 says no"),
}


class Failing(fakeredis.FakeRedis):
    """A client whose commands fail, always or `times` times."""

    def __init__(self, error, fake=None, times=None):
        super().__init__(connection_pool=fake and fake.connection_pool)
        self._error, self._times = error, times
        self.calls = 0

    def execute_command(self, *command, **options):
        self.calls += 1
        if self._times is None or self.calls <= self._times:
            raise self._error
        return super().execute_command(*command, **options)


def instance_with(client):
    return instance_on(store_on(SingleNode(client), SingleNode(client), TTL))


@pytest.fixture
def no_retries(monkeypatch):
    monkeypatch.setattr(retry, "RETRY_SECONDS", 0.0)


@pytest.mark.parametrize("cause", UNAVAILABLE)
def test_an_unavailable_store_is_a_503_that_says_when_to_retry(no_retries, cause):
    every = everything_that_needs_the_store(instance_with(Failing(UNAVAILABLE[cause])))
    for path, answer in every if cause == "refused" else islice(every, 3):
        assert known(answer) == (503, "store-unavailable"), path
        assert int(answer.headers["Retry-After"]) >= 1
        for secret in (b"10.1.2.3", b"hunter2", b"Redis", b"redis", b":6379", b"Traceback"):
            assert secret not in answer.body


def test_what_needs_no_store_is_answered_without_it(no_retries):
    failing = Failing(UNAVAILABLE["refused"])
    api = instance_with(failing)
    for path in set(GETS) - {"/readyz", *OF_RESULTS, *OF_A_GAME}:
        assert api.get(good(path)).status == 200
    assert api.post("/v1/games", {"variant": "x"}).status == 422
    assert api.post(f"/v1/games/{UNKNOWN_ID}/undo", {"version": 1}).status == 401
    assert failing.calls == 0


def test_a_service_is_ready_when_its_store_answers(api):
    assert api.get("/readyz").json == {"status": "ok"}


def test_an_instance_that_shuts_down_is_not_ready_and_answers_all_else(app, api, monkeypatch):
    monkeypatch.setattr(services_of(app), "is_leaving", lambda: True)
    assert known(api.get("/readyz")) == (503, "leaving")
    assert api.get("/livez").status == 200
    assert api.new_game("astrocyte").play("deal").status == 200


@pytest.mark.parametrize("cause", ["refused", "timed out", "loading", "read-only"])
def test_a_command_is_retried_while_the_store_is_unavailable_for_a_moment(player, fake, cause):
    api = instance_with(Failing(UNAVAILABLE[cause], fake, times=2))
    assert Player(api, player.game, player.token).play("t1c2").json["applied"] == 1
    assert player.read().json["version"] == 5


class LosesAnAnswer(fakeredis.FakeRedis):
    """A client whose commands are carried out, and that loses the answer to the first write."""

    def __init__(self, fake):
        super().__init__(connection_pool=fake.connection_pool)
        self.lost = False

    def execute_command(self, *command, **options):
        answer = super().execute_command(*command, **options)
        if command[0].startswith("EVAL") and answer in ([b"saved"], [b"removed"]) and not self.lost:
            self.lost = True
            raise redis.TimeoutError("lost")
        return answer


@pytest.fixture
def losing(fake):
    """A client of an instance whose store client loses an answer; it has done so at the end."""
    client = LosesAnAnswer(fake)
    yield instance_with(client)
    assert client.lost


def test_a_write_whose_answer_is_lost_is_applied_once(action, losing):
    there = Endpoint(action.name, Player(losing, action.player.game, action.player.token))
    answer = there.post(action.good)
    assert (answer.status, answer.json["game"]["version"]) == (200, 5)
    assert "Idempotency-Replayed" not in answer.headers
    assert action.player.read().json["version"] == 5


@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": KEY}], ids=["no key", "a key"])
def test_a_creation_whose_answer_is_lost_is_applied_once(fake, losing, headers):
    answer = losing.post("/v1/games", {"variant": "astrocyte"}, **headers)
    games = [key for key in dump(fake) if key.endswith(b":game")]
    assert (answer.status, len(games)) == (201, 1)
    assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize("headers", [{}, {"If_Match": '"v4"'}], ids=["any version", "the version"])
def test_a_deletion_whose_answer_is_lost_succeeds(player, losing, headers):
    assert Player(losing, player.game, player.token).delete(**headers).status == 204
    assert known(player.read()) == (404, "game-not-found")


# Stored data that cannot be read


def line(*moves):
    return encoding.encode_line(VARIANTS["astrocyte"], [*map(parse_move, moves)])


UNREADABLE = {
    "a game of another schema": ("game", b"{}", ["", "/legal-moves", "/moves", "/replay", "/undo"]),
    "no whole moves": ("line", b"\x00\x01\x00", ["/moves", "/replay", "/undo", "/redo"]),
    "too few moves": ("line", b"\x00\x01", ["/moves", "/undo", "/redo"]),
    "no moves of the game": ("line", b"\xff\xff" * 2, ["/moves", "/undo", "/redo"]),
    "moves against the rules": ("line", line("t1t2", "t3t4"), ["/moves", "/undo"]),
    "a last move against the rules": ("line", line("t3c1", "t1t2"), ["/redo"]),
    "moves that lead elsewhere": ("line", line("t1c2", "t3t4"), ["/moves", "/replay", "/undo"]),
}


@pytest.mark.parametrize(("part", "data", "paths"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_data_is_a_problem_and_is_left_as_it_is(
    player, api, fake, caplog, part, data, paths
):
    fake.execute_command("SET", f"ast:{{{player.game['id']}}}:{part}", data)
    with nothing_changes(fake):
        for path in paths:
            if path in ("/undo", "/redo"):
                answer = player.post(path[1:], {"version": 4})
            else:
                answer = api.get(player.path + path)
            assert known(answer) == (500, "game-unreadable"), path
            assert answer.json["request_id"] in caplog.text
    assert api.new_game("astrocyte").version == 1


def test_an_unreadable_answer_to_a_creation_is_a_problem(api, fake):
    body = {"variant": "astrocyte"}
    player = api.begin(body, Idempotency_Key=KEY)
    key = f"ast:{{{player.game['id']}}}:answers"
    fake.execute_command("SET", key, fake.execute_command("GET", key) + b"{}")
    with nothing_changes(fake):
        answer = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert known(answer) == (500, "game-unreadable")


def test_every_operation_at_an_unreadable_game_is_a_problem(player, api, fake):
    key = f"ast:{{{player.game['id']}}}:game"
    state = fake.execute_command("GET", key)
    fake.execute_command("SET", key, state[:-20])
    with nothing_changes(fake):
        for path in OF_A_GAME:
            for method in methods(path):
                body = body_of(path) if method == "post" else None
                place = at(path, player.game["id"])
                answer = api.request(method.upper(), place, body, **player.bearer)
                assert known(answer) == (500, "game-unreadable"), path
