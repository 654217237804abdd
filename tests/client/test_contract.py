"""The client reads nothing but what the contract promises, and knows which operations it covers."""

import re
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import msgspec
import pytest

from service.client import errors, models, results
from service.client.asterism import Asterism, Service
from service.client.calls import Open, Send
from service.client.drivers import Sync
from service.client.models import Game, Model
from service.client.played_game import GameHandle
from service.client.retries import Link
from tests.contract.contract import METHODS, document, pointed_at
from tests.contract.examples import example, examples

OTHER_NAMES = {
    models.Outcome: "MovesAnswer",
    models.Hint: "HintAnswer",
    models.KnownPile: "PositionPile",
    results.Stats: "StatsItem",
    errors._Document: "Problem",
}
NOT_OF_THE_CONTRACT = {Model, errors.Fault}
SCHEMAS = document()["components"]["schemas"]


def every_model(kind=Model):
    for below in kind.__subclasses__():
        yield below
        yield from every_model(below)


MODELS = sorted(set(every_model()) - NOT_OF_THE_CONTRACT, key=lambda kind: kind.__name__)


def schema_of(model):
    return OTHER_NAMES.get(model, model.__name__)


def members(schema) -> dict[str, Any]:
    """The members of an object, and whether each is always there."""
    schema = pointed_at(document(), schema)
    found = {name: name in schema.get("required", ()) for name in schema.get("properties", {})}
    for part in schema.get("allOf", ()):
        found |= members(part)
    return found


def may_be_null(schema) -> bool:
    schema = pointed_at(document(), schema)
    return "null" in schema.get("type", ()) or any(map(may_be_null, schema.get("oneOf", ())))


def is_optional(kind) -> bool:
    return get_origin(kind) is UnionType and NoneType in get_args(kind)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_member_that_is_read_is_promised(model):
    promised = members(SCHEMAS[schema_of(model)])
    for field in msgspec.structs.fields(model):
        if model is errors._Document and field.name in ("code", "rule", "errors"):
            continue  # of some problems: see below
        assert field.name in promised, f"{schema_of(model)} has no {field.name}"
        assert promised[field.name] or not field.required, f"{field.name} may be missing"
        node = SCHEMAS[schema_of(model)].get("properties", {}).get(field.name, {})
        assert is_optional(field.type) or not may_be_null(node), f"{field.name} may be null"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_example_is_read(model):
    wanted = f"#/components/schemas/{schema_of(model)}"
    for given in examples():
        if given.schema.get("$ref") == wanted:
            msgspec.convert(given.value, model)


def test_every_problem_is_an_exception():
    kinds = {name: schema for name, schema in SCHEMAS.items() if name.endswith("Problem")}
    assert kinds.pop("Problem")
    for name, schema in kinds.items():
        assert {"code", "detail", "title"} <= members(schema).keys(), name
    codes = set(SCHEMAS["ProblemCode"]["enum"])
    assert errors._BY_CODE.keys() <= codes
    assert {"move", "index", "rule", "piles"} <= members(SCHEMAS["IllegalMoveProblem"]).keys()
    faults = SCHEMAS["Fault"]["oneOf"]
    read = {field.name for field in msgspec.structs.fields(errors.Fault)}
    assert read == {name for fault in faults for name in members(fault)}


OWNER = Service(Sync(None, Link("http://asterism.test", 0)))  # type: ignore[arg-type]
GAME = GameHandle(OWNER._driver, msgspec.convert(example("AstrocyteGame"), Game), "token")

COVERED = {
    "listVariants": Service.variants(OWNER),
    "readVariant": Service.variant(OWNER, "astrocyte"),
    "listDeals": Service.deals(OWNER, "astrocyte"),
    "listDailyDeals": Service.daily(OWNER),
    "readDeal": Service.deal(OWNER, "astrocyte-1"),
    "commit": Service.commit(OWNER),
    "listResults": Service.results(OWNER, "astrocyte-1"),
    "readStats": Service.stats(OWNER),
    "readLeaderboard": Service.leaderboard(OWNER, "astrocyte"),
    "createGame": Service.new_game(OWNER, "astrocyte"),
    "readGame": Service.game(OWNER, GAME.id),
    "verifyReplay": Service.verify(OWNER, {}),
    "judgePosition": Service.judge(OWNER, "astrocyte", ()),
    "deleteGame": GameHandle.delete(GAME),
    "playMoves": GameHandle.play(GAME, "t7t2"),
    "listMoves": GameHandle.moves(GAME),
    "undoMoves": GameHandle.undo(GAME),
    "redoMoves": GameHandle.redo(GAME),
    "askHint": GameHandle.hint(GAME),
    "resign": GameHandle.resign(GAME),
    "listLegalMoves": GameHandle.read_legal_moves(GAME),
    "followGame": GameHandle.events(GAME),
    "readReplay": GameHandle.replay(GAME),
    "revealDeal": GameHandle.reveal(GAME),
}
NOT_COVERED = {
    *("readRoot", "readContract", "readDocs", "readDocsAsset", "readRules", "readVerifyDeal"),
    *("readPlay", "readPlayAsset"),  # pages for people
    *("listProblems", "readProblem"),  # the exceptions say it
    *("checkAlive", "checkReady"),  # for operators
}
OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method in METHODS
}


def test_every_operation_is_covered_or_left_out_by_name():
    assert COVERED.keys() | NOT_COVERED == OPERATIONS.keys()
    assert not COVERED.keys() & NOT_COVERED


@pytest.mark.parametrize("name", COVERED)
def test_a_method_requests_its_operation(name):
    method, path = OPERATIONS[name]
    step = next(COVERED[name])
    assert isinstance(step, Send | Open)
    assert step.call.method == method
    assert re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), step.call.path)


def test_both_clients_have_the_methods_of_one():
    assert Asterism.new_game is Service.new_game
