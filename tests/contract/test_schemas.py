"""The requests that the service accepts are those of the contract."""

import pytest
from jsonschema_rs import Draft202012Validator
from marshmallow import Schema, ValidationError

from service.api.schemas import bodies, queries
from service.api.schemas.cursors import cursor
from service.errors import ForeignCursorError
from tests.contract.contract import document, pointed_at

SPEC = document()
COMPONENTS = SPEC["components"]["schemas"]
NAMES = COMPONENTS["VariantName"]["enum"]
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
    "LeaderboardQuery": "/v1/leaderboards/{variant}",
    "StatsQuery": "/v1/stats",
}
NEEDED = {"DealsQuery": {"variant": "astrocyte"}}
"""The queries there are, where each is asked, and what it cannot do without."""


READERS = {
    type(schema).__name__: schema
    for module in (bodies, queries)
    for schema in vars(module).values()
    if isinstance(schema, Schema)
}
"""The marshmallow schemas that read requests, by the names of these."""


def test_the_service_reads_the_requests_of_the_contract_and_no_others():
    assert READERS.keys() == {*REQUESTS, *QUERIES}


def query_parameters(name):
    return [p for p in SPEC["paths"][QUERIES[name]]["get"]["parameters"] if p.get("in") == "query"]


def branches(schema):
    return [pointed_at(SPEC, branch) for branch in schema.get("oneOf", [schema])]


@pytest.mark.parametrize("name", [*REQUESTS, *QUERIES])
def test_a_request_has_the_fields_of_the_contract_and_no_others(name):
    read = {field.data_key or known for known, field in READERS[name].fields.items()}
    if name in QUERIES:
        assert read == {parameter["name"] for parameter in query_parameters(name)}
    else:
        assert read == {field for b in branches(COMPONENTS[name]) for field in b["properties"]}


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
            {"label": "x", "label_key": "aZ9_-" * 8 + "key"},
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
    "TurnedCard": [TURNED, {**TURNED, "ply": 1e4}],
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
PLIES = [0, 0.0, 10_000, 10_001, -1, 0.5, "0", None, True]
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


def resolved(field):
    """The schema of a field, references followed."""
    return pointed_at(SPEC, field["allOf"][0] if "allOf" in field else field)


def edges(field, known):
    """Values on both sides of each limit of a field of which a value is `known`."""
    for limit, unit in (("minimum", 0), ("maximum", 0), ("minItems", known), ("maxItems", known)):
        if limit in field and unit is not None:
            for size in (field[limit] - 1, field[limit], field[limit] + 1):
                yield size if unit == 0 else unit[:1] * size


@pytest.mark.parametrize("name", VALID)
def test_a_request_behaves_alike(name):
    """One field at a time is given every odd value, left out, or added."""
    promise, reader = validator(name), READERS[name]
    for body in VALID[name]:
        assert promise.is_valid(body), body
        assert is_read(reader, body), body
    for body in mutants(name):
        assert promise.is_valid(body) == is_read(reader, body), body


def mutants(name):
    properties = COMPONENTS[name]["properties"]
    yield from (odd for odd in ODD if not isinstance(odd, dict))
    for valid in VALID[name]:
        if valid.get("variant") == NAMES[-1]:
            continue  # as odd as with the first variant
        for field in (*properties, "unknown", "", "Version"):
            limited = edges(resolved(properties.get(field, {})), valid.get(field) or ["t1f1"])
            for value in (*ODD, *limited):
                yield {**valid, field: value}
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
    reader, needed = READERS[name], NEEDED.get(name, {})
    for parameter in query_parameters(name):
        schema = resolved(parameter["schema"])
        if schema["type"] == "integer":
            values = (0, 1, 999_999_999, 10**12, *edges(schema, None))
            given = {str(value): value for value in values if value >= 0}
            given |= dict.fromkeys(("-1", "+1", "1.0", "1_0", " 1", "1\n", "٣", "0x1", "1e2"))
        elif parameter["name"] in ("cursor", "deal"):
            continue  # what they look like is the affair of the service
        else:
            given = {text: text for text in ODD if isinstance(text, str)}
        for text, value in given.items():
            promised = Draft202012Validator(schema).is_valid(value)
            assert is_read(reader, {**needed, parameter["name"]: text}) == promised, text


ID = "a" * 26
LISTS = {"LineQuery": "line", "DealsQuery": "deals", "ResultsQuery": "results"}
"""The queries of lists in pages, and what kind of list each is about."""
PLACES = {"line": "100", "deals": "100", "results": f"01{'7' * 21}{ID}"}
"""A place in a list of each kind."""


def test_a_page_has_one_beginning():
    reader = READERS["LineQuery"]
    assert not is_read(reader, {"after": "0", "cursor": cursor("line", ID, 100)})
    assert is_read(reader, {"cursor": cursor("line", ID, 100)})


@pytest.mark.parametrize(("name", "kind"), LISTS.items())
def test_a_cursor_belongs_to_the_kind_of_list_that_gave_it(name, kind):
    for other, place in PLACES.items():
        given = {**NEEDED.get(name, {}), "cursor": cursor(other, "a", place)}
        if other == kind:
            assert READERS[name].load(given)["cursor"].in_list("a") == place
            with pytest.raises(ForeignCursorError):
                READERS[name].load(given)["cursor"].in_list("b")
        else:
            with pytest.raises(ForeignCursorError):
                READERS[name].load(given)


def test_a_cursor_has_the_form_that_the_contract_gives_it():
    promise = Draft202012Validator(COMPONENTS["Cursor"])
    for place in ("0", "1", "100", "9999", "10000"):
        assert promise.is_valid(cursor("line", ID, place))
    for name in NAMES:
        place = PLACES["results"]
        assert promise.is_valid(cursor("results", f"{name}-{2**64 - 1}", place))
