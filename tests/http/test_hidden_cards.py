"""Nothing that is answered, and nothing that is logged, tells a card that lies face down.

Whole games of Astrocyte are played here, sealed and daily deals all of them, with every kind of
request that there is, good and bad. What is answered is counted against what the store knows.
"""

import json
import logging
import random
import re
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

import pytest
from prometheus_client import generate_latest

from service.api.schemas.cursors import cursor
from service.api.services import services_of
from service.deals import deal
from service.deals.deal import shuffled_pack
from service.games import VARIANTS
from service.games.cards import FACES
from service.games.moves import MOVE_PATTERN as MOVE
from service.games.moves import format_move, parse_move
from service.play import keys
from service.store import codec
from service.store.encoding import encode_position
from service.telemetry.metrics import Metrics
from service.telemetry.middleware import observe_requests
from service.telemetry.request_log import RequestLog
from tests.conftest import CONTRACT
from tests.http.kit import KEY, OTHER_KEY, World, known
from tests.support.api import Api, Player, in_process
from tests.support.messages import FORMS
from tests.support.stored import put_together, taken_apart
from tests.support.walks import played

ASTROCYTE = VARIANTS["astrocyte"]
FACE = re.compile("|".join(FACES))
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
WORDS = re.compile("JSON|HEAD")
"""What happens to spell a card."""

HEADINGS = ("Authorization", "Idempotency_Key", "If_Match", "If_None_Match", "Accept")


def faces(said: str) -> Counter[str]:
    """The cards that a text names, whatever stands around them."""
    return Counter(FACE.findall(WORDS.sub("", said)))


def face_up(position) -> Counter[str]:
    """The cards that truly lie face up."""
    return Counter(card for pile in position.view.piles for card in pile.cards)


def secrets_of(game) -> set[str]:
    """What would give the cards away: the seeds in any writing, and the pack as it is kept."""
    spelled = set()
    for secret in (game.deal.server_seed, game.deal.seed):
        spelled |= {secret.hex(), secret.hex().upper(), secret.decode("latin-1")}
        spelled |= {b64encode(secret).decode(), urlsafe_b64encode(secret).decode().rstrip("=")}
        spelled |= {b32encode(secret).decode().rstrip("="), str(int.from_bytes(secret, "big"))}
        spelled |= {b32encode(secret).decode().lower().rstrip("="), repr(secret)[2:-1]}
    for pile in encode_position(game.position).decode().split("/"):
        hidden = pile.rpartition(".")[0]
        spelled |= {hidden[start : start + 6] for start in range(len(hidden) - 5)}
    return spelled


BESIDE_A_GAME = (
    *("/v1/deals/daily", "/v1/deals/{id}", "/v1/deals/{id}/results"),
    *("/v1/deals?variant=astrocyte", "/v1/stats", "/v1/stats?label=ada"),
)
"""Where more is told about the deal of a game, by its id."""


BEGINNINGS = (
    lambda api: api.new_game("astrocyte"),
    lambda api: api.new_game("astrocyte", deal={"daily": "2026-11-30"}),
    lambda api: api.fair_game("astrocyte", "0f" * 16),
)
"""The ways in which a game begins whose cards nobody knows."""


def all_messages(body):
    """The messages of an answer about events, whichever form it has."""
    if body.startswith("{"):
        return json.loads(body)["items"]
    lines = [line.removeprefix("data: ") for line in body.splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


class Seen(NamedTuple):
    """An answer, and the game as it truly was when it was given."""

    request: str
    status: int
    headers: str
    body: str
    game: object


class Witness:
    """Plays a game on a service, and sees all that leaves it."""

    def __init__(self, world: World, begin) -> None:
        self._send, self._store = in_process(world.app), world.store
        self.api = Api(self._seen, CONTRACT)
        self._unwatched: list[tuple[int, str, str]] = []
        self.player = begin(self.api)
        game = self._store.load(self.player.game["id"])
        self.answers = [Seen("creation", *answer, game) for answer in self._unwatched]
        self.positions = {1: game.position}

    def _seen(self, method, path, headers, body):
        status, received, content = self._send(method, path, headers, body)
        said = " ".join(value for _, value in received)
        answer = status, said, content.decode()
        if not hasattr(self, "player"):
            self._unwatched.append(answer)
        else:
            game = self._store.load(self.player.game["id"])
            self.positions[game.version] = game.position
            request = f"{method} {path} {(body or b'')[:200]!r}"
            self.answers.append(Seen(request, *answer, game))
        return status, received, content

    @property
    def position(self):
        """The position as it truly is."""
        return self.answers[-1].game.position

    def check(self, seen: Seen) -> None:
        """Every card in an answer is one that lies face up, and is not told more than once."""
        assert faces(seen.headers.replace(self.player.token, "")) == Counter(), seen.request
        body = seen.body.replace(self.player.token, "")
        if not body:
            return
        if "/events" in seen.request and seen.status == 200:
            self.check_messages(seen, body)
        elif body.startswith("format: "):
            assert faces(body) <= face_up(seen.game.position), seen.request
        else:
            self.check_body(seen, json.loads(body))

    def check_messages(self, seen: Seen, body: str) -> None:
        """The last message shows the game as it is; no message tells a card that is hidden now."""
        now = face_up(seen.game.position)
        told = faces("")
        for message in all_messages(body):
            told += faces(json.dumps(message.pop("reveals")))
            if message["game"] is not None:
                self.check_body(seen, message.pop("game"))
            assert faces(json.dumps(message)) == Counter(), seen.request
        assert told <= now, seen.request

    def check_body(self, seen: Seen, body) -> None:
        """The same for one JSON object."""
        game = body.get("game", body if "counters" in body else None)
        now = face_up(seen.game.position)
        if game is not None:
            # An answer that is repeated tells of the version that it was given for.
            version = game["version"]
            now = face_up(self.positions[version])
            if "reveals" in body:
                turned = now - face_up(self.positions[version - 1])
                assert faces(json.dumps(body.pop("reveals"))) == turned, seen.request
            assert Counter(card for pile in game["piles"] for card in pile["cards"]) == now
            assert sum(pile["hidden"] for pile in game["piles"]) == 104 - now.total()
            del game["piles"]
        if body.get("code") == "illegal-move":
            assert faces(body.pop("detail")) <= now, seen.request
        if "start" in body:
            told = [body.pop("start"), body.pop("reveals")]
            assert faces(json.dumps(told)) <= now, seen.request
        if "items" in body:
            dealt = face_up(self.positions[1])
            assert dealt + faces(json.dumps(body.pop("items"))) <= now, seen.request
        assert faces(json.dumps(body)) == Counter(), seen.request

    def check_secrets(self) -> None:
        """None of the secrets of the game has left the service."""
        told = secrets_of(self.answers[0].game)
        for seen in self.answers:
            for secret in told:
                assert secret not in seen.body, seen.request
                assert secret not in seen.headers, seen.request


def requests(choice, player, sent):
    """Requests of every kind: method, path, body, headers. Likely ones come often.

    A path that does not begin with /v1 is one below the game.

    Those that were sent before with a key are among them.
    """
    version, moves = player.version, player.game["legal_moves"]
    nonsense = [format_move(move) for move in choice.sample(ASTROCYTE.actions, 3)]
    legal = [choice.choice(moves)] if moves else nonsense
    bearer = {"Authorization": f"Bearer {player.token}"}
    keyed = {**bearer, "Idempotency_Key": f"{choice.getrandbits(80):020x}"}
    etag = f'"v{version}"'
    play = ("POST", "/moves")
    return [
        *[(*play, {"version": version, "moves": legal}, bearer)] * 12,
        *[(*play, {"version": version, "moves": legal + nonsense}, keyed)] * 6,
        *[(*play, {"version": version, "moves": nonsense}, bearer)] * 4,
        *[(*play, {"version": version, "moves": nonsense + legal}, keyed)] * 2,
        (*play, {"version": version, "moves": ["deal", "deal"]}, bearer),
        (*play, {"version": max(1, version - 1), "moves": legal}, bearer),
        (*play, {"version": version + 1, "moves": legal}, keyed),
        (*play, {"version": version, "moves": legal}, {}),
        (*play, {"version": version, "moves": legal}, {"Authorization": "Bearer x"}),
        (*play, {"version": version, "moves": legal}, {**bearer, "If_Match": '"v0"'}),
        (*play, {"version": version, "moves": legal}, {**bearer, "If_Match": etag}),
        (*play, {"version": version, "moves": ["s", "t1t2x99", "x"]}, bearer),
        (*play, {"version": version, "moves": legal, "seed": True}, bearer),
        (*play, {"version": str(version), "moves": 1}, bearer),
        *[("POST", "/undo", {"version": version, "steps": choice.choice([1, 1, 2, 9])}, bearer)]
        * 5,
        *[("POST", "/redo", {"version": version, "steps": choice.choice([1, 1, 2])}, keyed)] * 3,
        ("POST", "/undo", {"version": version, "steps": 9999}, bearer),
        ("POST", "/hint", {"version": version}, bearer),
        ("POST", "/resignation", {"version": version + 5}, bearer),
        ("GET", "", None, {}),
        ("GET", "", None, bearer),
        ("GET", "", None, {**bearer, "If_None_Match": etag}),
        ("HEAD", "", None, {}),
        ("OPTIONS", "", None, {}),
        ("GET", "", None, {"Accept": "text/html"}),
        ("GET", "/legal-moves", None, bearer),
        ("GET", "/legal-moves", None, {"If_None_Match": "*"}),
        ("GET", f"/moves?limit={choice.choice([1, 5, 500])}", None, {}),
        ("GET", f"/moves?limit={choice.choice([1, 5, 500])}", None, bearer),
        ("GET", f"/moves?after={choice.randrange(20)}", None, bearer),
        ("GET", f"/moves?cursor={cursor('line', player.game['id'], 5)}", None, bearer),
        *[
            ("GET", f"/events?wait=0&after={after}", None, {**bearer, "Accept": form})
            for form in FORMS
            for after in choice.sample(range(version + 2), 2)
        ],
        ("GET", "/events?wait=0", None, {**bearer, "Accept": choice.choice(FORMS)}),
        ("GET", "/events?wait=0", None, {"Accept": choice.choice(FORMS)}),
        ("GET", f"/events?wait=0&after={version}", None, {**bearer, "Last_Event_ID": "1"}),
        ("GET", "/events", None, {**bearer, "Last_Event_ID": "x"}),
        ("HEAD", "/events", None, bearer),
        ("GET", "/reveal", None, bearer),
        ("GET", "?cards=all", None, bearer),
        ("PUT", "", {"piles": []}, bearer),
        ("DELETE", "", None, {**bearer, "If_Match": '"v0"'}),
        ("DELETE", "", None, {}),
        ("GET", "/replay", None, bearer),
        ("GET", "/replay", None, {**bearer, "Accept": "text/plain"}),
        ("POST", "/v1/referee/verify", guessed(player), {}),
        *[("POST", "/v1/games", body, {}) for body in forks(player)],
        ("POST", "/v1/commitments", None, keyed),
        ("POST", "/v1/games", of_this_commitment(player, f"{choice.getrandbits(128):032x}"), {}),
        *sent[-6:],
    ]


def of_this_commitment(player, seed):
    """The creation of another game of the commitment that this game may have been made of."""
    deal = {"commitment_id": player.game["id"], "player_seed": seed}
    return {"variant": "astrocyte", "deal": deal}


def guessed(player):
    """A replay of the game as if its seeds were known: whoever guesses is told no more."""
    commitment = player.game["deal"]["commitment"]
    deal = {"commitment": commitment, "server_seed": "0" * 64, "player_seed": ""}
    return {"variant": "astrocyte", "deal": deal, "moves": ["deal"]}


def forks(player):
    """Games that would go on from this one, and be played past its hidden cards."""
    sealed = {"commitment": player.game["deal"]["commitment"]}
    told = {"variant": "astrocyte", "deal": sealed, "moves": []}
    for replay in (told, guessed(player)):
        yield {"variant": "astrocyte", "deal": {"replay": replay, "ply": 0}}


def at(player, path):
    """The whole path of a request."""
    return path if path.startswith("/v1") else player.path + path


def long_game(witness, seed, length):
    """Sends `length` requests as they come, and then one of every kind."""
    choice, player, sent = random.Random(seed), witness.player, []

    def send(request):
        method, path, body, headers = request
        if "Idempotency_Key" in headers:
            sent.append(request)
        answer = witness.api.request(method, at(player, path), body, **headers)
        if answer.status == 200 and method == "POST":
            player.read(Authorization=f"Bearer {player.token}")

    for _ in range(length):
        send(choice.choice(requests(choice, player, sent)))
    for place in range(len(requests(choice, player, sent))):
        send(requests(choice, player, sent)[place])
    for path in BESIDE_A_GAME:
        witness.api.get(path.format(**player.game["deal"]), Authorization=f"Bearer {player.token}")


@pytest.fixture(scope="module", params=range(len(BEGINNINGS)))
def witness(request):
    """A long game that has been seen as a whole, with what the service has logged meanwhile."""
    world, choice = World(CONTRACT), random.Random(request.param)
    written, counted = observing(world)
    with pytest.MonkeyPatch.context() as patch, everything_logged() as lines:
        patch.setattr(keys, "new_seed", lambda: choice.randbytes(32))
        patch.setattr(services_of(world.app).play, "_clock", lambda: NOON)
        seen = Witness(world, BEGINNINGS[request.param])
        long_game(seen, request.param, 200)
        patch.setattr(services_of(world.app).play, "_clock", out_of_order)
        for body in ({"moves": seen.player.game["legal_moves"][:1]}, {"moves": ["deal"]}):
            seen.player.post("moves", {"version": seen.player.version, **body})
    seen.logged, seen.written, seen.counted = lines, written, counted()
    return seen


def observing(world):
    """Lets all observers look on, and gives what is written, and a way to read what is counted."""
    written = []
    logs = [RequestLog(form, written.append) for form in ("json", "text")]
    world.app.wsgi_app = observe_requests(world.app.wsgi_app, [*logs, Metrics()])
    return written, lambda: generate_latest().decode()


def out_of_order():
    """A clock that fails: a fault in the midst of a request, with a traceback in the log."""
    raise RuntimeError("the clock is out of order")


@contextmanager
def everything_logged():
    """All that is logged meanwhile, with everything a record holds, tracebacks too."""
    lines, root = [], logging.getLogger()

    class Kept(logging.Handler):
        def emit(self, record):
            lines.append(f"{self.format(record)} {record.__dict__}")

    kept, level = Kept(), root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(kept)
    root.setLevel(level)


def test_every_card_in_every_answer_lies_face_up(witness):
    for seen in witness.answers:
        witness.check(seen)


def test_no_answer_tells_the_seed_or_the_order_of_the_pack(witness):
    witness.check_secrets()


def test_no_log_tells_a_card_or_a_secret(witness):
    assert "the clock is out of order" in witness.logged[-1]
    told = "\n".join(witness.logged)
    assert faces(re.sub(r"0x[0-9a-f]+", "", told)) == Counter()
    for secret in (*secrets_of(witness.answers[0].game), witness.player.token):
        assert secret not in told


def test_no_line_and_no_metric_tells_a_card_a_secret_or_where_to_watch(witness):
    told = b"".join(witness.written).decode() + witness.counted
    assert faces(told) == Counter()
    for secret in (*secrets_of(witness.answers[0].game), witness.player.token):
        assert secret not in told
    assert witness.player.game["id"] not in told
    assert "cursor=" not in told


def test_lines_have_their_fields_and_no_others(witness):
    lines = [json.loads(line) for line in witness.written if line.startswith(b"{")]
    told = {event: set() for event in ("request", "refused-move")}
    for line in lines:
        told[line["event"]] |= set(line)
    who = {"at", "event", "request_id", "variant", "game"}
    assert told == {
        "request": who | {"method", "route", "status", "code", "ms", "store_ms"},
        "refused-move": who | {"rule"},
    }
    assert sum(line["event"] == "request" for line in lines) >= len(witness.answers)


def test_the_games_were_long_and_met_with_every_kind_of_answer(witness):
    """Were they not, the tests above would show little."""
    statuses = Counter(seen.status for seen in witness.answers)
    assert {200, 204, 304, 401, 403, 405, 406, 409, 412, 422, 500} <= set(statuses)
    hidden = [seen.game.position.view.hidden for seen in witness.answers]
    assert hidden[0] == 96
    assert min(hidden) < 75
    assert any(later > earlier for earlier, later in pairwise(hidden))
    assert any('"steps"' in seen.request and seen.status == 200 for seen in witness.answers)
    assert all(seen.game.status == "in_progress" for seen in witness.answers)


def test_the_count_would_notice_a_card_too_many(witness):
    """The witness is not blind: each leak that it looks for is one that it sees."""
    read = next(s for s in witness.answers if s.body.startswith('{"id"'))
    shown, body = face_up(read.game.position), json.loads(read.body)
    card = next(card for card in shuffled_pack(read.game.deal) if not shown[card])
    events = read._replace(request="GET /events")
    leaks = [
        read._replace(body=json.dumps(body | {"note": card})),
        read._replace(body=json.dumps({"reveals": [{"pile": "t1", "card": card}]})),
        read._replace(headers=f"{read.headers} {card}"),
        read._replace(body=read.body.replace('"cards":["', f'"cards":["{card}","', 1)),
        read._replace(body=json.dumps({"items": [{"reveals": [{"card": card}]}]})),
        events._replace(body=json.dumps({"items": [{"game": None, "reveals": [card]}]})),
        events._replace(body=f'\n{{"game": null, "moves": ["{card}"], "reveals": []}}\n'),
        events._replace(body=f'data: {{"game": null, "reveals": ["{card}"]}}\n\n'),
        read._replace(body=f"format: asterism-replay/1\n\nt1: [7] {card}\n\nt1t2\n"),
        read._replace(body=json.dumps({"start": [], "reveals": [{"ply": 1, "card": card}]})),
        read._replace(body=json.dumps({"code": "illegal-move", "detail": f"{card} is there"})),
    ]
    for leak in leaks:
        with pytest.raises(AssertionError):
            witness.check(leak)


# What everybody plays on one day


@pytest.mark.parametrize("end", ["runs", "resigned", "deleted"])
def test_no_door_tells_a_hidden_card_of_a_daily_deal_before_the_day_is_over(
    world, api, app, monkeypatch, end
):
    """Every path that can be read is read, with the token and without, however the game stands."""
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: NOON)
    player = api.new_game("astrocyte", deal={"daily": "2026-11-30"}, label="ada")
    player.play("deal")
    player.undo()
    seen = face_up(world.store.load(player.game["id"]).position)
    secrets = secrets_of(world.store.load(player.game["id"]))
    if end == "resigned":
        player.resign()
    elif end == "deleted":
        player.delete()
    paths = [
        rule.rule.replace("<game_id>", player.game["id"]).replace(
            "<deal_id>", player.game["deal"]["id"]
        )
        for rule in app.url_map.iter_rules()
        if "GET" in rule.methods and rule.rule.startswith(("/v1/games", "/v1/deals", "/v1/stats"))
    ]
    assert len(paths) > 6
    for path in paths:
        for headers in ({}, {"Authorization": f"Bearer {player.token}"}):
            answer = api.get(path, **headers)
            told = answer.body.decode() + str(answer.headers)
            watching = "Authorization" in headers and path.startswith("/v1/games")
            assert faces(told) <= (seen if watching else Counter()), path
            assert not any(secret in told for secret in secrets), path


# What an undo has hidden again


def everything_that_can_be_asked(player, keyed):
    """The answers to all that can be asked of a game without changing it."""
    api, bearer = player.api, {"Authorization": f"Bearer {player.token}"}
    at = {"version": player.version}
    yield from (api.get(player.path + part) for part in ("", "/moves", "/legal-moves"))
    yield from (api.get(player.path + part, **bearer) for part in ("", "/moves", "/reveal"))
    yield api.get(f"{player.path}/moves?after=0&limit=500")
    yield api.get(f"{player.path}/moves?cursor={cursor('line', player.game['id'], 0)}")
    for form in FORMS:
        for query in ("wait=0", "wait=0&after=0", f"wait=0&after={player.version - 1}"):
            yield api.get(f"{player.path}/events?{query}", Accept=form)
        yield api.get(f"{player.path}/events?wait=0", Accept=form, Last_Event_ID="1")
    yield api.get(f"{player.path}/replay")
    yield api.get(f"{player.path}/replay", Accept="text/plain")
    yield api.get(player.path, If_None_Match="*")
    yield api.request("HEAD", player.path)
    yield player.post("moves", at | {"moves": ["t1t1"]})
    for move in ASTROCYTE.actions[::40]:
        yield player.post("moves", at | {"moves": ["t1t1", format_move(move)]})
    yield player.post("undo", at | {"steps": 50})
    yield player.post("redo", at | {"steps": 50})
    yield player.post("undo", {"version": player.version - 1}, Idempotency_Key=keyed)


@pytest.mark.parametrize("move", ["deal", "flip"])
def test_cards_that_an_undo_has_hidden_again_are_gone_from_every_answer(api, store, move):
    player = api.new_game("astrocyte")
    before = face_up(store.load(player.game["id"]).position)
    single = next(m for m in player.game["legal_moves"] if m != "deal")
    turned = player.play("deal" if move == "deal" else single, Idempotency_Key=KEY)
    assert len(turned.json["reveals"]) == (8 if move == "deal" else 1)
    undone = player.undo(Idempotency_Key=OTHER_KEY)
    answers = [undone, *everything_that_can_be_asked(player, OTHER_KEY)]
    assert {answer.status for answer in answers} == {200, 304, 409}
    for answer in answers:
        assert faces(answer.body.decode()) <= before
        assert faces(" ".join(answer.headers.values())) == Counter()


def test_only_who_had_seen_the_cards_is_told_of_them_again_and_by_the_same_answer(api):
    player = api.new_game("astrocyte")
    body = {"version": 1, "moves": ["deal"]}
    turned = player.post("moves", body, Idempotency_Key=KEY)
    player.undo()
    assert player.post("moves", body, Idempotency_Key=KEY, Authorization="").status == 401
    assert known(player.post("moves", body, Idempotency_Key=OTHER_KEY)) == (409, "version-conflict")
    assert known(player.post("moves", body)) == (409, "version-conflict")
    player.read()
    again = player.api.post(
        f"{player.path}/moves",
        body,
        Idempotency_Key=KEY,
        Authorization=f"Bearer {player.token}",
    )
    assert again.body == turned.body


def test_a_deal_that_is_undone_and_dealt_again_shows_the_same_eight_cards_in_the_same_columns(api):
    player = api.new_game("astrocyte")
    tops = [player.pile(f"t{n}")["cards"] for n in range(1, 9)]
    first = player.play("deal").json["reveals"]
    for undos in range(1, 4):
        player.undo()
        assert [player.pile(f"t{n}")["cards"] for n in range(1, 9)] == tops
        assert player.game["counters"]["undos"] == undos
        assert player.game["counters"]["reveals_undone"] == 8 * undos
        assert player.play("deal").json["reveals"] == first


# What would lay the same table out


def scalars(value):
    if isinstance(value, dict):
        yield from (found for below in value.values() for found in scalars(below))
    elif isinstance(value, list):
        yield from (found for below in value for found in scalars(below))
    else:
        yield value


def test_nothing_that_a_sealed_game_shows_lays_its_table_out_again(api):
    """Its numbers, and its digests read as numbers, are tried as the number of a deal."""
    game = api.new_game("astrocyte").game
    tried = {str(value) for value in scalars(game)} | set(re.findall("[0-9]+", json.dumps(game)))
    for hexadecimal in re.findall("[0-9a-f]{16,}", json.dumps(game)):
        tried.add(str(int(hexadecimal[:16], 16)))
    made = 0
    for value in tried:
        answer = api.post("/v1/games", {"variant": "astrocyte", "deal": {"number": value}})
        if answer.status == 201:
            made += 1
            assert answer.json["game"]["piles"] != game["piles"]
    assert made > 10


# Two tables that differ in hidden cards alone

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
RETRY = re.compile("^retry: [0-9]+")


class Twins:
    """Two services on which one game is played, and whose packs differ in cards not yet seen."""

    def __init__(self, monkeypatch, seed):
        choice = random.Random(seed)
        packs = [shuffled_pack(deal.SealedDeal(ASTROCYTE, choice.randbytes(32)))]
        self.start = ASTROCYTE.start(packs[0])
        walk, position = [], self.start
        for _ in range(choice.randrange(1, 35)):
            if not position.legal_moves():
                break
            walk.append(choice.choice(position.legal_moves()))
            position = position.after(walk[-1])
        while not turning(played(self.start, walk).end):
            walk.pop()
        self.moves, self.limit = walk, played(self.start, walk).end
        packs.append(other_pack(choice, packs[0], self.limit))
        self.packs = packs
        self.worlds = [World(CONTRACT), World(CONTRACT)]
        self._written = [observing(world)[0] for world in self.worlds]
        self._laid = {}
        monkeypatch.setattr(deal, "shuffled_pack", lambda deal: self._laid["pack"])
        monkeypatch.setattr(keys, "new_seed", lambda: b"\x07" * 32)
        self._number = 0

    def ask(self, method, path, body=None, **headers):
        """The two answers to a request, times and token aside."""
        self._number += 1
        answers = []
        for world, pack in zip(self.worlds, self.packs, strict=True):
            self._laid["pack"] = pack
            answer = world.api.request(method, path, body, Request_Id=f"{self._number}", **headers)
            answers.append(answer)
        one, other = ([untimed(line) for line in written] for written in self._written)
        assert one == other
        for written in self._written:
            written.clear()
        return answers


def untimed(line):
    """What a line of the log says, but when and how long."""
    return re.sub(rb'("at":"|at=)[^" ]+|(ms"?[:=])[0-9.]+', rb"\1\2", line)


def turning(position):
    """The moves that turn up a card."""
    return [move for move in position.legal_moves() if position.play(move).reveals]


def other_pack(choice, pack, position):
    """`pack` with the cards that are hidden in `position` in another order."""
    *columns, stock = position.under[:8] + position.under[-1:]
    places = [8 * depth + n for n, under in enumerate(columns) for depth in range(len(under))]
    places += range(104 - len(stock), 104)
    lying = [pack[place] for place in places]
    assert Counter(lying) == Counter(card for under in position.under for card in under)
    choice.shuffle(lying)
    other = list(pack)
    for place, card in zip(places, lying, strict=True):
        other[place] = card
    return tuple(other)


def said(answer):
    """All that an answer says, but when, and when to come back, which is drawn by lot."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
    return answer.status, headers, RETRY.sub("…", TIME.sub("…", answer.body.decode()))


@pytest.mark.parametrize("seed", range(4))
def test_tables_that_differ_in_hidden_cards_alone_are_answered_for_alike(monkeypatch, seed):
    twins, choice = Twins(monkeypatch, seed), random.Random(seed)
    created = twins.ask("POST", "/v1/games", {"variant": "astrocyte"}, Idempotency_Key=KEY)
    assert said(created[0]) == said(created[1])
    player = Player(twins.worlds[0].api, created[0].json["game"], created[0].json["play_token"])
    bearer = {"Authorization": f"Bearer {player.token}"}
    sent, asked, turned = [], 0, 0
    rest = list(twins.moves)
    while asked < 150 or rest:
        asked += 1
        position = twins.worlds[0].store.load(player.game["id"]).position
        if rest and choice.random() < 0.5:
            move = rest.pop(0)
            request = (
                "POST",
                "/moves",
                {"version": player.version, "moves": [format_move(move)]},
                bearer,
            )
            if position.why_not(move) is not None:
                continue
        else:
            request = choice.choice(requests(choice, player, sent))
        method, path, body, headers = request
        if turns_a_new_card(twins, position, request):
            continue
        if "Idempotency_Key" in headers:
            sent.append(request)
        one, other = twins.ask(method, at(player, path), body, **headers)
        assert said(one) == said(other), request
        if method == "POST" and one.status == 200:
            turned += len(one.json.get("reveals", []))
            player.game = twins.ask("GET", player.path)[0].json
    assert turned
    differ_at_last(twins, player)


def turns_a_new_card(twins, position, request):
    """Whether a request would turn up a card that neither game has seen before."""
    body = request[2]
    moves = body.get("moves") if body else None
    if not isinstance(moves, list) or not all(re.search(MOVE, move) for move in moves):
        return False
    for move in map(parse_move, moves):
        if position.why_not(move) is not None:
            return False
        position, reveals = position.play(move)
        if reveals:
            pairs = zip(position.view.piles, twins.limit.view.piles, strict=True)
            return any(pile.hidden < least.hidden for pile, least in pairs)
    return False


def differ_at_last(twins, player):
    """The first new card is the one that lies there in each pack: the packs do differ."""
    bearer, differing = {"Authorization": f"Bearer {player.token}"}, 0

    def both(action, **body):
        body["version"] = player.version
        answers = twins.ask("POST", f"{player.path}/{action}", body, **bearer)
        assert [answer.status for answer in answers] == [200, 200]
        player.game = answers[0].json["game"]
        return [answer.json.get("reveals", []) for answer in answers]

    if player.game["ply"]:
        both("undo", steps=player.game["ply"])
    for move in twins.moves:
        one, other = both("moves", moves=[format_move(move)])
        assert one == other
    for move in turning(twins.limit):
        one, other = both("moves", moves=[format_move(move)])
        assert [reveal["pile"] for reveal in one] == [reveal["pile"] for reveal in other]
        differing += one != other
        both("undo")
    assert differing


# What is kept and cannot be read


def test_a_game_that_cannot_be_read_tells_nothing_of_what_is_kept(contract, caplog):
    caplog.set_level("DEBUG")
    world = World(contract)
    player = world.api.new_game("astrocyte")
    game = world.store.load(player.game["id"])
    key, state = f"ast:{{{game.id}}}:game", taken_apart(codec.encode_game(game))
    told = ""
    for fault in (
        {"schema": 3},
        {"ruleset": state["position"]},
        {"position": state["position"] + "/A"},
    ):
        world.fake.execute_command("SET", key, put_together(state | fault))
        for answer in (player.read(), player.play("deal"), player.undo()):
            assert known(answer) == (500, "game-unreadable")
            told += answer.body.decode() + str(answer.headers)
    told += caplog.text
    assert "schema 3" in told
    assert faces(told) == Counter()
    for secret in (*secrets_of(game), player.token):
        assert secret not in told
