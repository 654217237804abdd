"""No answer, no log line and no metric tells a face-down card.

Whole games of Astrocyte are played here, sealed and daily deals all of them, with every kind of
request that there is, good and bad. What is answered is compared with what the store knows.
"""

import json
import logging
import random
import re
from base64 import b32encode, b64encode, urlsafe_b64encode
from collections import Counter
from contextlib import contextmanager
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
from service.games.moves import MOVE_PATTERN, format_move, parse_move
from service.play import keys
from service.store import codec
from service.store.encoding import encode_position
from service.telemetry.logs import request_log
from service.telemetry.metrics import count_request
from service.telemetry.middleware import observe_requests
from tests.conftest import CONTRACT
from tests.http.kit import KEY, NOON, TODAY, InMemoryService, known
from tests.support.api import Api, Player, in_process
from tests.support.messages import FORMS
from tests.support.stored import put_together, taken_apart
from tests.support.walks import played

ASTROCYTE = VARIANTS["astrocyte"]
FACE = re.compile("|".join(FACES))
WORDS = re.compile("JSON|HEAD")
"""Words that happen to spell a card."""

BEGINNINGS = {
    "sealed": lambda api: api.new_game("astrocyte"),
    "daily": lambda api: api.new_game("astrocyte", deal={"daily": TODAY}),
    "fair": lambda api: api.fair_game("astrocyte", "0f" * 16),
}
"""The ways in which a game begins whose cards nobody knows."""


def faces(text: str) -> Counter[str]:
    """The cards that a text names, whatever stands around them."""
    return Counter(FACE.findall(WORDS.sub("", text)))


def face_up(position) -> Counter[str]:
    """The cards that truly lie face up."""
    return Counter(card for pile in position.view.piles for card in pile.cards)


def secrets_of(game) -> set[str]:
    """What would give the cards away: the seeds in any writing, and the pack as it is stored."""
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


def documents(body):
    """What a body holds: one JSON object, one a line, or another text."""
    if body.startswith("{"):
        lines = body.splitlines()
    else:
        lines = [line.removeprefix("data: ") for line in body.splitlines()]
    objects = [json.loads(line) for line in lines if line.startswith("{")]
    return objects or [body]


def take_games(value):
    """The games in a JSON value; their piles are taken out of it."""
    if isinstance(value, dict):
        if "counters" in value:
            yield value["version"], value.pop("piles")
        value = list(value.values())
    if isinstance(value, list):
        for below in value:
            yield from take_games(below)


class Seen(NamedTuple):
    """An answer, and the game as it truly was when it was given."""

    request: str
    status: int
    headers: str
    body: str
    game: object


class Witness:
    """Plays a game on a service, and sees every answer that leaves it."""

    def __init__(self, service: InMemoryService, begin) -> None:
        self._send, self._store = in_process(service.app), service.store
        self.api = Api(self._seen, CONTRACT)
        self.player, self.answers = None, []
        self.player = begin(self.api)
        game = self._store.load(self.player.game["id"])
        self.answers = [seen._replace(game=game) for seen in self.answers]
        self.positions = {1: game.position}

    def _seen(self, method, path, headers, body):
        status, received, content = self._send(method, path, headers, body)
        game = self.player and self._store.load(self.player.game["id"])
        if game:
            self.positions[game.version] = game.position
        request = f"{method} {path} {(body or b'')[:200]!r}"
        values = " ".join(value for _, value in received)
        self.answers.append(Seen(request, status, values, content.decode(), game))
        return status, received, content

    def check(self, seen: Seen) -> None:
        """The games in an answer are as they were; all else names face-up cards, once each."""
        assert faces(seen.headers.replace(self.player.token, "")) == Counter(), seen.request
        for document in documents(seen.body.replace(self.player.token, "")):
            known_cards = face_up(seen.game.position)
            for version, piles in take_games(document):
                # An answer that is repeated shows the version that it was first given for.
                position = self.positions[version]
                known_cards = face_up(position)
                assert piles == [
                    {**pile._asdict(), "cards": list(pile.cards)} for pile in position.view.piles
                ], seen.request
            assert faces(json.dumps(document)) <= known_cards, seen.request


def requests(choice, player, sent):
    """Requests of every kind: method, path, body, headers. Likely ones come often.

    A path that does not begin with /v1 is one below the game. The last requests of those that were
    `sent` with a key are among them.
    """
    version, moves = player.version, player.game["legal_moves"]
    nonsense = [format_move(move) for move in choice.sample(ASTROCYTE.actions, 3)]
    legal = [choice.choice(moves)] if moves else nonsense
    bearer, etag = player.bearer, f'"v{version}"'
    keyed = {**bearer, "Idempotency_Key": f"{choice.getrandbits(80):020x}"}
    play, good = ("POST", "/moves"), {"version": version, "moves": legal}
    return [
        *[(*play, good, bearer)] * 12,
        *[(*play, {"version": version, "moves": legal + nonsense}, keyed)] * 6,
        *[(*play, {"version": version, "moves": nonsense}, bearer)] * 4,
        *[(*play, {"version": version, "moves": nonsense + legal}, keyed)] * 2,
        (*play, {"version": version, "moves": ["deal", "deal"]}, bearer),
        (*play, {"version": max(1, version - 1), "moves": legal}, bearer),
        (*play, {"version": version + 1, "moves": legal}, keyed),
        (*play, good, {}),
        (*play, good, {"Authorization": "Bearer x"}),
        (*play, good, {**bearer, "If_Match": '"v0"'}),
        (*play, good, {**bearer, "If_Match": etag}),
        (*play, {"version": version, "moves": ["s", "t1t2x99", "x"]}, bearer),
        (*play, {**good, "seed": True}, bearer),
        (*play, {"version": str(version), "moves": 1}, bearer),
        *[
            ("POST", "/undo", {"version": version, "steps": steps}, bearer)
            for steps in (1, 1, 2, 9)
        ],
        *[("POST", "/redo", {"version": version, "steps": steps}, keyed) for steps in (1, 1, 2)],
        ("POST", "/undo", {"version": version, "steps": 9999}, bearer),
        ("POST", "/hint", {"version": version}, bearer),
        ("POST", "/resignation", {"version": version + 5}, bearer),
        *[("GET", "", None, headers) for headers in ({}, bearer, {"Accept": "text/html"})],
        ("GET", "", None, {**bearer, "If_None_Match": etag}),
        ("HEAD", "", None, {}),
        ("OPTIONS", "", None, {}),
        ("GET", "/legal-moves", None, bearer),
        ("GET", "/legal-moves", None, {"If_None_Match": "*"}),
        ("GET", f"/moves?limit={choice.choice([1, 5, 500])}", None, {}),
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
        *[
            ("GET", part, None, {**bearer, "Accept": form})
            for part in ("", "/replay")
            for form in ("*/*", "text/plain")
        ],
        *past_the_hidden_cards(player, f"{choice.getrandbits(128):032x}"),
        ("POST", "/v1/commitments", None, keyed),
        *sent[-6:],
    ]


def past_the_hidden_cards(player, seed):
    """Requests that would use the deal of a game elsewhere: they guess its seeds, or fork it."""
    sealed = {"commitment": player.game["deal"]["commitment"]}
    guessed = {**sealed, "server_seed": "0" * 64, "player_seed": ""}
    replay = {"variant": "astrocyte", "deal": guessed, "moves": ["deal"]}
    yield "POST", "/v1/referee/verify", replay, {}
    for begin in (
        {"replay": replay, "ply": 0},
        {"replay": {**replay, "deal": sealed, "moves": []}, "ply": 0},
        {"commitment_id": player.game["id"], "player_seed": seed},
    ):
        yield "POST", "/v1/games", {"variant": "astrocyte", "deal": begin}, {}


def at(player, path):
    """The whole path of a request."""
    return path if path.startswith("/v1") else player.path + path


def long_game(witness, seed, length):
    """Sends `length` requests at random; then hides a card again, and sends one of every kind."""
    choice, player, sent = random.Random(seed), witness.player, []

    def reads_first():
        """Requests of every kind, those first that change nothing."""
        return sorted(requests(choice, player, sent), key=lambda request: request[0] != "GET")

    def send(method, path, body, headers):
        if "Idempotency_Key" in headers:
            sent.append((method, path, body, headers))
        answer = witness.api.request(method, at(player, path), body, **headers)
        if answer.status == 200 and method == "POST":
            player.read(**player.bearer)

    for _ in range(length):
        send(*choice.choice(requests(choice, player, sent)))
    while not player.play(choice.choice(player.game["legal_moves"])).json["reveals"]:
        pass
    player.undo()
    for place in range(len(reads_first())):
        send(*reads_first()[place])
    id = player.game["deal"]["id"]
    for path in ("deals/daily", f"deals/{id}", f"deals/{id}/results", "stats", "stats?label=ada"):
        witness.api.get(f"/v1/{path}", **player.bearer)


@pytest.fixture(scope="module", params=BEGINNINGS)
def witness(request):
    """A long game that has been seen as a whole, with what the service has logged meanwhile."""
    service, choice = InMemoryService(), random.Random(request.param)
    written = observe(service)
    with pytest.MonkeyPatch.context() as patch, everything_logged() as lines:
        patch.setattr(keys, "new_seed", lambda: choice.randbytes(32))
        patch.setattr(services_of(service.app).play, "_clock", lambda: NOON)
        seen = Witness(service, BEGINNINGS[request.param])
        long_game(seen, request.param, 200)
        patch.setattr(services_of(service.app).play, "_clock", out_of_order)
        for body in ({"moves": seen.player.game["legal_moves"][:1]}, {"moves": ["deal"]}):
            seen.player.post("moves", {"version": seen.player.version, **body})
    seen.logged, seen.written, seen.metrics = lines, written, generate_latest().decode()
    return seen


def observe(service):
    """Adds all observers to a service, and gives the list of the lines that they write."""
    written = []
    logs = [request_log(form, written.append) for form in ("json", "text")]
    service.app.wsgi_app = observe_requests(service.app.wsgi_app, [*logs, count_request])
    return written


def out_of_order():
    """A clock that fails: a fault in the midst of a request, with a traceback in the log."""
    raise RuntimeError("the clock is out of order")


@contextmanager
def everything_logged():
    """All that is logged meanwhile, with everything a record holds, tracebacks too."""
    lines, root = [], logging.getLogger()

    class Collector(logging.Handler):
        def emit(self, record):
            lines.append(f"{self.format(record)} {record.__dict__}")

    collector, level = Collector(), root.level
    root.addHandler(collector)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(collector)
    root.setLevel(level)


def test_every_card_in_every_answer_lies_face_up(witness):
    for seen in witness.answers:
        witness.check(seen)


def test_no_answer_tells_the_seed_or_the_order_of_the_pack(witness):
    secrets = secrets_of(witness.answers[0].game)
    for seen in witness.answers:
        for secret in secrets:
            assert secret not in seen.body, seen.request
            assert secret not in seen.headers, seen.request


def test_no_log_and_no_metric_tells_a_card_a_secret_or_where_to_watch(witness):
    assert "the clock is out of order" in witness.logged[-1]
    logged = re.sub(r"0x[0-9a-f]+", "", "\n".join(witness.logged))
    written = b"".join(witness.written).decode() + witness.metrics
    assert faces(logged) == faces(written) == Counter()
    for secret in (*secrets_of(witness.answers[0].game), witness.player.token):
        assert secret not in logged
        assert secret not in written
    assert witness.player.game["id"] not in written
    assert "cursor=" not in written


def test_log_lines_have_their_fields_and_no_others(witness):
    lines = [json.loads(line) for line in witness.written if line.startswith(b"{")]
    fields = {event: set() for event in ("request", "refused-move")}
    for line in lines:
        fields[line["event"]] |= set(line)
    who = {"at", "event", "request_id", "variant", "game"}
    assert fields == {
        "request": who | {"method", "route", "status", "code", "ms", "store_ms"},
        "refused-move": who | {"rule"},
    }
    assert sum(line["event"] == "request" for line in lines) >= len(witness.answers)


def test_the_games_were_long_and_met_with_every_kind_of_answer(witness):
    """Were they not, the tests above would show little."""
    statuses = {seen.status for seen in witness.answers}
    assert {200, 204, 304, 401, 403, 405, 406, 409, 412, 422, 500} <= statuses
    hidden = [seen.game.position.view.hidden for seen in witness.answers]
    assert hidden[0] == 96
    assert min(hidden) < 75
    assert any(later > earlier for earlier, later in pairwise(hidden))
    assert all(seen.game.status == "in_progress" for seen in witness.answers)


def test_the_check_notices_a_hidden_card(witness):
    read = next(seen for seen in witness.answers if seen.body.startswith('{"id"'))
    shown = face_up(read.game.position)
    card = next(card for card in shuffled_pack(read.game.deal) if not shown[card])
    for leak in (
        read._replace(body=read.body.replace('"cards":["', f'"cards":["{card}","', 1)),
        read._replace(body=json.dumps({"reveals": [{"pile": "t1", "card": card}]})),
        read._replace(body=f'data: {{"game": null, "reveals": ["{card}"]}}\n\n'),
        read._replace(body=f"format: asterism-replay/1\n\nt1: [7] {card}\n\nt1t2\n"),
        read._replace(headers=f"{read.headers} {card}"),
    ):
        with pytest.raises(AssertionError):
            witness.check(leak)


# What everybody plays on one day


@pytest.mark.parametrize("end", ["in progress", "resigned", "deleted"])
def test_nobody_reads_a_hidden_card_of_a_daily_deal_before_the_day_is_over(
    service, api, app, clock, end
):
    """Every path that can be read is read, with the token and without, however the game stands."""
    player = api.new_game("astrocyte", deal={"daily": TODAY}, label="ada")
    player.play("deal")
    player.undo()
    game = service.store.load(player.game["id"])
    shown, secrets = face_up(game.position), secrets_of(game)
    if end == "resigned":
        player.resign()
    elif end == "deleted":
        player.delete()
    ids = {"<game_id>": player.game["id"], "<deal_id>": player.game["deal"]["id"]}
    paths = [
        re.sub("<[a-z_]+>", lambda name: ids[name[0]], rule.rule)
        for rule in app.url_map.iter_rules()
        if "GET" in rule.methods and rule.rule.startswith(("/v1/games", "/v1/deals", "/v1/stats"))
    ]
    assert len(paths) > 6
    for path in paths:
        for headers in ({}, player.bearer):
            answer = api.get(path, **headers)
            text = answer.body.decode() + str(answer.headers)
            may_watch = headers and path.startswith("/v1/games")
            assert faces(text) <= (shown if may_watch else Counter()), path
            assert not any(secret in text for secret in secrets), path


# What would lay the same table out


def test_nothing_that_a_sealed_game_shows_lays_its_table_out_again(api):
    """Its numbers, and its digests read as numbers, are tried as the number of a deal."""
    game = api.new_game("astrocyte").game
    tried = set(re.findall("[0-9]+", json.dumps(game)))
    for hexadecimal in re.findall("[0-9a-f]{16,}", json.dumps(game)):
        tried.add(str(int(hexadecimal[:16], 16)))
    made = 0
    for number in tried:
        body = {"variant": "astrocyte", "deal": {"number": number}}
        answer = api.post("/v1/games", body)
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
        first = shuffled_pack(deal.SealedDeal(ASTROCYTE, choice.randbytes(32)))
        start = ASTROCYTE.start(first)
        walk, position = [], start
        for _ in range(choice.randrange(1, 35)):
            if not position.legal_moves():
                break
            walk.append(choice.choice(position.legal_moves()))
            position = position.after(walk[-1])
        while not turning(played(start, walk).end):
            walk.pop()
        self.moves, self.limit = walk, played(start, walk).end
        self.packs = [first, other_pack(choice, first, self.limit)]
        self.services = [InMemoryService(), InMemoryService()]
        self._written = [observe(service) for service in self.services]
        self._pack = {}
        monkeypatch.setattr(deal, "shuffled_pack", lambda deal: self._pack["now"])
        monkeypatch.setattr(keys, "new_seed", lambda: b"\x07" * 32)
        self._number = 0

    def ask(self, method, path, body=None, **headers):
        """The two answers to a request; the lines that are logged of it are alike."""
        self._number += 1
        answers = []
        for service, pack in zip(self.services, self.packs, strict=True):
            self._pack["now"], headers["Request_Id"] = pack, str(self._number)
            answers.append(service.api.request(method, path, body, **headers))
        one, other = ([untimed(line) for line in written] for written in self._written)
        assert one == other
        for written in self._written:
            written.clear()
        return answers


def untimed(line):
    """What a line of the log says, but when and how long."""
    return re.sub(rb'("at":"|at=)[^" ]+|(ms"?[:=])[0-9.]+', rb"\1\2", line)


def content(answer):
    """All that an answer says, but when, and when to come back, which is random."""
    headers = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
    return answer.status, headers, RETRY.sub("…", TIME.sub("…", answer.body.decode()))


def turning(position):
    """The moves that turn up a card."""
    return [move for move in position.legal_moves() if position.play(move).reveals]


def other_pack(choice, pack, position):
    """`pack` with the cards that are hidden in `position` in another order."""
    *columns, stock = position.under[:8] + position.under[-1:]
    places = [8 * depth + n for n, under in enumerate(columns) for depth in range(len(under))]
    places += range(104 - len(stock), 104)
    hidden = [pack[place] for place in places]
    assert Counter(hidden) == Counter(card for under in position.under for card in under)
    choice.shuffle(hidden)
    other = list(pack)
    for place, card in zip(places, hidden, strict=True):
        other[place] = card
    return tuple(other)


@pytest.mark.parametrize("seed", range(4))
def test_tables_that_differ_in_hidden_cards_alone_get_the_same_answers(monkeypatch, seed):
    twins, choice = Twins(monkeypatch, seed), random.Random(seed)
    created = twins.ask("POST", "/v1/games", {"variant": "astrocyte"}, Idempotency_Key=KEY)
    assert content(created[0]) == content(created[1])
    player = Player(twins.services[0].api, created[0].json["game"], created[0].json["play_token"])
    sent, asked, turned, rest = [], 0, 0, list(twins.moves)
    while asked < 150 or rest:
        asked += 1
        position = twins.services[0].store.load(player.game["id"]).position
        request = choice.choice(requests(choice, player, sent))
        if rest and choice.random() < 0.5:
            move = rest.pop(0)
            if position.why_not(move) is not None:
                continue
            body = {"version": player.version, "moves": [format_move(move)]}
            request = ("POST", "/moves", body, player.bearer)
        if turns_a_new_card(twins, position, request):
            continue
        method, path, body, headers = request
        if "Idempotency_Key" in headers:
            sent.append(request)
        one, other = twins.ask(method, at(player, path), body, **headers)
        assert content(one) == content(other), request
        if method == "POST" and one.status == 200:
            turned += len(one.json.get("reveals", []))
            player.game = twins.ask("GET", player.path)[0].json
    assert turned
    assert_different_at_last(twins, player)


def turns_a_new_card(twins, position, request):
    """Whether a request would turn up a card that neither game has seen before."""
    body = request[2]
    moves = body.get("moves") if body else None
    if not isinstance(moves, list) or not all(re.search(MOVE_PATTERN, move) for move in moves):
        return False
    for move in map(parse_move, moves):
        if position.why_not(move) is not None:
            return False
        position, reveals = position.play(move)
        if reveals:
            pairs = zip(position.view.piles, twins.limit.view.piles, strict=True)
            return any(pile.hidden < least.hidden for pile, least in pairs)
    return False


def assert_different_at_last(twins, player):
    """The first new card is the one that lies there in each pack: the packs do differ."""

    def both(action, **body):
        body["version"] = player.version
        answers = twins.ask("POST", f"{player.path}/{action}", body, **player.bearer)
        assert [answer.status for answer in answers] == [200, 200]
        player.game = answers[0].json["game"]
        return [answer.json.get("reveals") for answer in answers]

    if player.game["ply"]:
        both("undo", steps=player.game["ply"])
    for move in twins.moves:
        one, other = both("moves", moves=[format_move(move)])
        assert one == other
    differing = 0
    for move in turning(twins.limit):
        one, other = both("moves", moves=[format_move(move)])
        assert [reveal["pile"] for reveal in one] == [reveal["pile"] for reveal in other]
        differing += one != other
        both("undo")
    assert differing


# What cannot be read


@pytest.mark.parametrize("fault", ["schema", "ruleset", "position"])
def test_a_game_that_cannot_be_read_tells_nothing_of_what_is_stored(
    api, store, fake, caplog, fault
):
    caplog.set_level("DEBUG")
    player = api.new_game("astrocyte")
    game = store.load(player.game["id"])
    state = taken_apart(codec.encode_game(game))
    wrong = {"schema": 3, "ruleset": state["position"], "position": state["position"] + "/A"}
    data = put_together(state | {fault: wrong[fault]})
    fake.execute_command("SET", f"ast:{{{game.id}}}:game", data)
    text = ""
    for answer in (player.read(), player.play("deal"), player.undo()):
        assert known(answer) == (500, "game-unreadable")
        text += answer.body.decode() + str(answer.headers)
    text += caplog.text
    assert ("schema 3" in text) == (fault == "schema")
    assert faces(text) == Counter()
    for secret in (*secrets_of(game), player.token):
        assert secret not in text
