"""The shapes that the service takes are those of the contract: as written, and as they behave."""

import json

import pytest
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from jsonschema_rs import Draft202012Validator
from marshmallow import Schema, ValidationError

from service.api.schemas import bodies, queries
from service.api.schemas.cursors import Cursor, cursor
from service.api.schemas.fields import Day, DealNumber, MoveText
from service.errors import ForeignCursorError
from tests.contract.contract import document, pointed_at

SPEC = document()
COMPONENTS = SPEC["components"]["schemas"]
NAMES = COMPONENTS["VariantName"]["enum"]
LIMITS = ("pattern", "minimum", "maximum", "minItems", "maxItems", "enum", "default")
REQUESTS = [
    "NewGame",
    "NewGameDeal",
    "CommitmentRequest",
    "MovesRequest",
    "UndoRequest",
    "RedoRequest",
    "HintRequest",
    "ResignationRequest",
    "ReplayRequest",
    "ReplayDeal",
    "StartPile",
    "TurnedCard",
    "PositionRequest",
    "PositionPile",
]
QUERIES = {
    "LineQuery": "/v1/games/{game_id}/moves",
    "EventsQuery": "/v1/games/{game_id}/events",
    "DealsQuery": "/v1/deals",
    "ResultsQuery": "/v1/deals/{deal_id}/results",
    "StatsQuery": "/v1/stats",
}
NEEDED = {"DealsQuery": {"variant": "astrocyte"}}
"""The queries there are, where each is asked, and what it cannot do without."""


def read_by(name):
    """The marshmallow schema that reads the request `name`."""
    return getattr(queries if name in QUERIES else bodies, f"{name}Schema")()


@pytest.fixture(scope="module")
def written():
    """The schemas of the service, written as components of an OpenAPI document."""
    plugin = MarshmallowPlugin()
    spec = APISpec("Asterism", "1", "3.1.0", plugins=[plugin])
    for field in (DealNumber, Day, MoveText, Cursor):
        plugin.map_to_openapi_type(field, "string", None)
    for name in [*REQUESTS, *QUERIES]:
        if name not in spec.components.schemas:
            spec.components.schema(name, schema=read_by(name))
    return json.loads(json.dumps(spec.to_dict()["components"]["schemas"]))


@pytest.mark.parametrize(("module", "names"), [(bodies, REQUESTS), (queries, QUERIES)])
def test_the_service_reads_the_requests_of_the_contract_and_no_others(module, names):
    readers = {
        name.removesuffix("Schema")
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Schema) and kind is not Schema
    }
    assert readers == set(names)


def query_parameters(name):
    return [p for p in SPEC["paths"][QUERIES[name]]["get"]["parameters"] if p.get("in") == "query"]


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_written_alike(written, name):
    assert fields(written[name], written) == fields(COMPONENTS[name], COMPONENTS)


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_written_alike(written, name):
    parameters = query_parameters(name)
    promised = {
        "properties": {parameter["name"]: parameter["schema"] for parameter in parameters},
        "required": [p["name"] for p in parameters if p.get("required")],
    }
    ours, theirs = fields(written[name], written), fields(promised, COMPONENTS)
    # Without `after` a page starts at the first move: the service needs no default to do so. And
    # what a cursor looks like is the service's own affair.
    if name == "LineQuery":
        assert theirs["after"].pop("default") == 0
    if "cursor" in theirs:
        theirs["cursor"].pop("pattern")
    assert ours == theirs


def fields(schema, components):
    """The fields of a request, each in the same few words, however its schema is put."""
    branches = schema.get("oneOf", [schema])
    found = {}
    for branch in branches:
        for name, field in branch["properties"].items():
            required = len(branches) == 1 and name in branch.get("required", [])
            found[name] = {**said(field, components), "required": required}
    return found


def said(field, components):
    """Type and limits of a field. A reference to an object stays a name, any other is followed."""
    field = field["allOf"][0] if "allOf" in field else field
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        field = components[name]
        if "properties" in field or "oneOf" in field:
            return {"object": name}
    types = field.get("type")
    words = {"type": sorted([types] if isinstance(types, str) else types)}
    words |= {limit: field[limit] for limit in LIMITS if field.get(limit) is not None}
    if "items" in field:
        words["items"] = said(field["items"], components)
    # What apispec cannot tell of the service, the bodies below show: that a truth value must be
    # true, and where the deal numbers end. No pattern tells which days there are.
    if words["type"] == ["boolean"]:
        words.pop("enum", None)
    if words.get("pattern") in (bodies.DEAL_NUMBER_PATTERN, COMPONENTS["DealNumber"]["pattern"]):
        words["pattern"] = "a deal number"
    return words


DIGEST = "0f" * 32
PILE = {"id": "t1", "kind": "tableau", "hidden": 7, "cards": ["9H"]}
TURNED = {"ply": 1, "pile": "t1", "card": "9H"}
REVEALED = {"commitment": DIGEST, "server_seed": DIGEST, "player_seed": ""}
FORK = {"replay": {"variant": NAMES[0], "deal": {"number": "7"}, "moves": []}, "ply": 0}
VALID = {
    "NewGame": [
        {"variant": name, **more}
        for name in NAMES
        for more in (
            {},
            {"deal": {"number": "1"}, "label": "x"},
            {"deal": {"random": True}, "label": None},
            {"deal": {"daily": "2028-02-29"}},
            {"deal": FORK},
            {"deal": {"commitment_id": "a2" * 13, "player_seed": "0f" * 16}},
        )
    ],
    "CommitmentRequest": [{}],
    "MovesRequest": [
        {"version": 1, "moves": ["t1f1"]},
        {"version": 17.0, "moves": ["t3t5x4", "deal"] * 100},
    ],
    "UndoRequest": [{"version": 2}, {"version": 2, "steps": 3}],
    "RedoRequest": [{"version": 2}, {"version": 2, "steps": 10_000.0}],
    "HintRequest": [{"version": 7}, {"version": 7, "line": True}, {"version": 7, "line": False}],
    "ResignationRequest": [{"version": 2**53 - 1}],
    "ReplayRequest": [
        {"variant": name, "deal": deal, "moves": [], **more}
        for name in NAMES
        for deal, more in (
            ({"number": "7"}, {}),
            ({"commitment": DIGEST}, {"start": [PILE], "reveals": [TURNED] * 104}),
            (REVEALED, {"format": "asterism-replay/1", "ruleset": f"{name}/1", "status": "won"}),
        )
    ],
    "StartPile": [PILE, {**PILE, "hidden": 0.0, "cards": ["9H"] * 104}],
    "TurnedCard": [TURNED, {**TURNED, "ply": 1e6}],
    "PositionRequest": [
        {"variant": name, "piles": piles, **more}
        for name in NAMES
        for piles, more in (
            ([], {}),
            ([{"id": "t1", "under": ["9H"], "cards": ["AS"]}], {"moves": []}),
        )
    ],
    "PositionPile": [{"id": "c4", "under": [], "cards": []}],
}
SEEDS = [
    *(digits * size for digits in ("0f", "0F", "0", "x") for size in (15, 16, 32, 63, 64, 65)),
    *("0f" * 16 + "\n", "0f" * 16 + " ", "٣" * 32, "", None, 1, 1e31, ["0f" * 16]),
]
PLIES = [0, 0.0, 5000, 5001, -1, 0.5, "0", None, True]
ODD = [
    *(None, True, False, [], {}, [1], [None], {"a": 1}),
    *(0, 1, 17, 1.0, 17.0, 1.5, 0.0, -1, -1.0, 1e300, 200, 201, 10_000, 10_001, 10_001.0),
    *(2**53 - 1, 2**53, float(2**53), 2**64, 10**30),
    *("", "0", "1", "01", "+1", "-1", "1.0", "1_0", " 1", "1 ", "1\n", "\n", "٣", "true", "null"),
    *(str(2**64 + step) for step in (-7, -6, -1, 0, 4)),
    *("9" * 19, "9" * 20, "9" * 200),
    *(name for known in NAMES for name in (known, known.title(), f"{known}\n", f" {known}")),
    *("x" * 64, "x" * 65, "é" * 64, "🂡" * 64, "🂡" * 65, "a\tb", "a\u007fb", "a\u0085b"),
    *("a\u2028b", "a\u00a0b", "\u00ad", "a\x00", "evening table", "evening table\n"),
    *(["t1f1"] * 200, ["t1f1"] * 201, ["t1f1", None], ["t1f1", 1], "t1f1", ["deal"], ["DEAL"]),
    *([move] for move in ("t3t5x4", "t3t5x1", "t3t5x13", "t3t5x14", "t0f1", "t1f1\n", " t1f1")),
    *([move] for move in ("s1t1", "t1s", "t100f1", "t99c99", "t1f1x02", "t٣f1", "T1F1", "", "t1")),
    *({"number": number} for number in ("1", "0", "01", 1, 1.0, None, "", "1\n", "٣")),
    *({"number": str(2**64 + step)} for step in (-10, -2, -1, 0, 1, 10)),
    *({"random": truth} for truth in (True, False, 1, 1.0, "true", None, [])),
    *({"daily": day} for day in ("2026-11-30", "20261130", "2026-11-3", "2026-11-30\n", 20261130)),
    *({"daily": day} for day in (" 2026-11-30", "2026-11-30T00:00", "٢٠٢٦-11-30", "", None, True)),
    *({"commitment_id": "a2" * 13, "player_seed": seed} for seed in SEEDS),
    *({"commitment_id": id, "player_seed": "0f" * 16} for id in ("a" * 26, "A" * 26, "a1" * 13, 1)),
    *({"commitment_id": "a" * 26}, {"player_seed": "0f" * 16}, {"player_seed": None}),
    {"number": "1", "commitment_id": "a" * 26, "player_seed": "0f" * 16},
    *([card] for card in ("9H", "AS", "10H", "9h", "9H\n", " 9H", "9", 9, None)),
    *(["9H"] * 104, ["9H"] * 105, [PILE] * 40, [PILE] * 41, [TURNED] * 104, [TURNED] * 105),
    *("t1", "s", "c4", "t0", "s1", "t100", "T1", "t1\n", "9H", "tableau", "stock", "won", "lost"),
    *(DIGEST, DIGEST[:-1], DIGEST.upper(), DIGEST + "\n", "0f", 104, 105, 10**6, 10**6 + 1),
    *({**REVEALED, name: odd} for name in REVEALED for odd in (DIGEST, DIGEST * 4, "", "0f0", 7)),
    *({"commitment": DIGEST, "server_seed": DIGEST}, {"player_seed": ""}, {**REVEALED, "x": 1}),
    *("asterism-replay/1", "asterism-replay/2", *(f"{name}/1" for name in NAMES), "klondike/1"),
    *(
        {"replay": {"variant": NAMES[0], "deal": {"number": "7"}, "moves": []}, "ply": ply}
        for ply in PLIES
    ),
    *({"replay": replay, "ply": 0} for replay in ({}, None, [], {"variant": NAMES[0]}, "x")),
    {"replay": {"variant": NAMES[0], "deal": {"number": "7"}, "moves": []}},
    *({"number": "1", "random": True}, {"number": "1", "daily": True}, {"random": True, "x": 1}),
]


@pytest.mark.parametrize("name", VALID)
def test_a_request_behaves_alike(name):
    """One field at a time is given every odd value, left out, or added."""
    promise, reader = validator(name), read_by(name)
    for body in VALID[name]:
        assert promise.is_valid(body), body
        assert is_read(reader, body), body
    for body in mutants(name):
        assert promise.is_valid(body) == is_read(reader, body), body


def mutants(name):
    schema = COMPONENTS[name]
    yield from (odd for odd in ODD if not isinstance(odd, dict))
    for valid in VALID[name]:
        if valid.get("variant") == NAMES[-1]:
            continue  # as odd as with the first variant
        for field in (*schema["properties"], "unknown", "", "Version"):
            for odd in ODD:
                yield {**valid, field: odd}
            yield {key: value for key, value in valid.items() if key != field}


def is_read(reader, body):
    try:
        reader.load(body)
    except ValidationError:
        return False
    return True


def validator(name):
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": {"schemas": COMPONENTS}}
    )


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_behaves_alike(name):
    """Query parameters come as texts: their digits are what is judged."""
    reader, needed = read_by(name), NEEDED.get(name, {})
    for parameter in query_parameters(name):
        schema = pointed_at(SPEC, parameter["schema"])
        if schema["type"] != "integer":
            continue
        for number in (0, 1, 17, 500, 501, 10_000, 10_001, 999_999_999, 10**12):
            promised = Draft202012Validator(schema).is_valid(number)
            given = {**needed, parameter["name"]: str(number)}
            assert is_read(reader, given) == promised, number
        for text in ("", "-1", "+1", "1.0", "1_0", " 1", "1\n", "٣", "one", "0x1", "1e2"):
            assert not is_read(reader, {**needed, parameter["name"]: text}), text


ID = "a" * 26
LISTS = {"LineQuery": "line", "DealsQuery": "deals", "ResultsQuery": "results"}
"""The queries of lists in pages, and what kind of list each is about."""
PLACES = {"line": "100", "deals": "100", "results": f"01{'7' * 21}{ID}"}
"""A place in a list of each kind."""


def test_a_page_has_one_beginning():
    reader = read_by("LineQuery")
    assert not is_read(reader, {"after": "0", "cursor": cursor("line", ID, 100)})
    assert is_read(reader, {"cursor": cursor("line", ID, 100)})


@pytest.mark.parametrize(("name", "kind"), LISTS.items())
def test_a_cursor_belongs_to_the_kind_of_list_that_gave_it(name, kind):
    for other, place in PLACES.items():
        given = {**NEEDED.get(name, {}), "cursor": cursor(other, "a", place)}
        if other == kind:
            assert read_by(name).load(given)["cursor"].in_list("a") == place
            with pytest.raises(ForeignCursorError):
                read_by(name).load(given)["cursor"].in_list("b")
        else:
            with pytest.raises(ForeignCursorError):
                read_by(name).load(given)


def test_a_cursor_has_the_form_that_the_contract_gives_it():
    promise = Draft202012Validator(COMPONENTS["Cursor"])
    for place in ("0", "1", "100", "9999", "10000"):
        assert promise.is_valid(cursor("line", ID, place))
    for name in NAMES:
        place = PLACES["results"]
        assert promise.is_valid(cursor("results", f"{name}-{2**64 - 1}", place))
