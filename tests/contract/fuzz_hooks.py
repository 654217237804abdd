"""What schemathesis cannot know of the service, and what is checked besides its own checks.

A made-up request to a made-up game is answered 404, and nothing has been tried. So most requests
to a game are put to one that a player has just begun, with that player's token and for the version
the game is at. Every fourth is left as it was made up.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import urlsplit
from uuid import uuid4

import schemathesis
from schemathesis.core.parameters import ParameterLocation

from tests.contract.contract import Contract
from tests.support.api import Api, Player, over_http

KEY, TOKEN = "Idempotency-Key", "Authorization"
NOT_EVERY_FOURTH = (True, True, True, False)

contract = Contract.load()


@dataclass
class Table:
    """A game that has been created: who may play it, and how the latest answer left it."""

    token: str
    version: int
    moves: list[str]  # the first legal one, if there is any
    linked: bool  # created while links were followed
    deleted: bool = False


tables: dict[str, Table] = {}
used_keys: set[str] = set()


def table_of(case) -> Table | None:
    return tables.get(str(case.path_parameters.get("game_id")))


def follows_links(case) -> bool:
    return case.meta.phase.name == "stateful"


def needs_token(case) -> bool:
    security = case.operation.definition.raw["security"]
    return bool(security) and {} not in security


def is_the_operation(request, case) -> bool:
    """Whether the request is one to the operation, and not a try of a method that is none."""
    return request.method == case.operation.method.upper()


class Unjudged:
    def check(self, *answer) -> None:
        """Nothing: the checks below judge the answers to the requests that are the test."""


@contextmanager
def new_player(case) -> Iterator[Player]:
    """A player whose game has something to play, to take back and to play again."""
    # Astrocyte has cards to turn up and rows to deal.
    with over_http(urlsplit(case.operation.base_url).port) as transport:
        player = Api(transport, Unjudged()).new_game("astrocyte", 1)
        for _ in range(2):
            assert player.play(player.game["legal_moves"][0]).status == 200
        assert player.undo().status == 200
        yield player


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="{game_id}")
class Seat:
    """A seat at a table: the id of a game, and the token that goes with it."""

    taken = cycle(NOT_EVERY_FOURTH)

    def get(self, case, context):
        if case.meta.is_negative_at(ParameterLocation.PATH):
            return None
        if follows_links(case):
            # A link says which game is meant. What is remembered of other phases may be over.
            table = table_of(case)
            if table and table.linked:
                return case.path_parameters["game_id"]
        elif not next(self.taken):
            return None
        with new_player(case) as player:
            id = player.game["id"]
            moves = player.game["legal_moves"][:1]
            tables[id] = Table(player.token, player.version, moves, follows_links(case))
        return id

    def set(self, case, game_id, context):
        case.path_parameters["game_id"] = game_id
        if needs_token(case):
            case.headers[TOKEN] = f"Bearer {tables[game_id].token}"


up_to_date = cycle(NOT_EVERY_FOURTH)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.path.endswith("/events") and not case.meta.is_negative_at(ParameterLocation.QUERY):
        case.query["wait"] = 0  # whatever there is comes at once
    # A key stands for one request, but examples and links offer it for others too.
    if case.headers.get(KEY) in used_keys:
        case.headers[KEY] = str(uuid4())
    table = table_of(case)
    if table is None:
        return
    right = {"version": table.version, "steps": 1}
    if case.meta.generation.mode.is_negative:
        put(case, {name: tempting(case.body, name, value) for name, value in right.items()})
    elif follows_links(case) or next(up_to_date):
        if follows_links(case) and table.moves:
            right["moves"] = table.moves
        put(case, right)
        if "If-Match" in case.headers:
            case.headers["If-Match"] = f'"v{table.version}"'


def put(case, fields):
    """Changes those fields that the body has."""
    if isinstance(case.body, dict):
        case.body = {name: fields.get(name, value) for name, value in case.body.items()}


def tempting(body, name, right):
    """A value as wrong as the one in the body, which a careless reader takes for the right one."""
    wrong = body.get(name) if isinstance(body, dict) else None
    if wrong is False:
        return True
    if isinstance(wrong, str):
        return str(right)
    return right + 0.5 if isinstance(wrong, float) and wrong % 1 else wrong


@schemathesis.check
def service_conformance(ctx, response, case):
    """The answer is one that the contract promises, and no game answers to a stranger."""
    request, status = response.request, response.status_code
    if status < 300 and KEY in request.headers:
        used_keys.add(request.headers[KEY])
    headers = [(name, value) for name, values in response.headers.items() for value in values]
    contract.check(request.method, request.url, status, headers, response.content)
    if request.body and not request.headers["Content-Type"].startswith("application/json"):
        assert status in (405, 415), f"{status} to a body that is not said to be JSON"
    if is_the_operation(request, case):
        check_table(request, status, case)
        if status < 300:
            take_note(request, response, case)


def check_table(request, status, case):
    table = table_of(case)
    if table is None:
        return
    if table.deleted:
        assert status >= 400, f"{status} from a game that has been deleted"
        return
    assert status != 404, "404 from a game that is there"
    if needs_token(case):
        if request.headers.get(TOKEN) == f"Bearer {table.token}":
            assert status not in (401, 403), f"{status} to the token of the game"
        else:
            assert status >= 400, f"{status} to a token that is not the game's"


def take_note(request, response, case):
    answer = response.json() if request.method == "POST" else {}
    if "game" in answer:
        game = answer["game"]
        id, version, moves = game["id"], game["version"], game["legal_moves"][:1]
        if response.status_code == 201:
            tables[id] = Table(answer["play_token"], version, moves, follows_links(case))
        elif id in tables:
            tables[id].version, tables[id].moves = version, moves
    elif request.method == "DELETE" and (table := table_of(case)):
        table.deleted = True


@schemathesis.check
def ignored_auth_of_delete(ctx, response, case):
    """A game is not deleted without its token. It takes a new one to ask: the other is gone."""
    if is_the_operation(response.request, case) and response.status_code == 204:
        with new_player(case) as player:
            stranger = f"Bearer {player.token[::-1]}"
            assert player.api.request("DELETE", player.path).status == 401
            assert player.delete(Authorization=stranger).status == 403
            assert player.read().status == 200


@schemathesis.check
class EveryOperationSucceeds:
    """An operation that has refused every request has not been tried.

    What is under /v1/games has to succeed where links are followed: they lead everywhere there.
    """

    def __init__(self):
        self.phases = defaultdict(set)

    def after_response(self, ctx, response, case):
        phases = self.phases[case.operation.label]
        if response.status_code < 300 and is_the_operation(response.request, case):
            phases.add(ctx.phase)

    def after_run(self, ctx):
        missed = [
            name
            for name, phases in self.phases.items()
            if not phases or (" /v1/games" in name and "stateful" not in phases)
        ]
        assert not missed, f"never a success: {', '.join(missed)}"
