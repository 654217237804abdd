"""Whatever is sent, the answer is a refusal in words, and nothing has changed.

Never a fault of the service, never a default that nobody asked for.
"""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.problems import BY_CODE
from tests.api import in_process
from tests.http.kit import ACTIONS, DEMANDING, KEY, WRITES, dump, frozen, known, nothing_changes

LIMIT = 64 * 1024

# What a good request is, so that each bad one is bad for its one reason


def test_a_good_request_is_accepted(door, fake):
    before = dump(fake)
    assert door.knock(door.good).status in (200, 201)
    assert (dump(fake) != before) == (door.name in WRITES)


# No JSON

NOT_JSON = {
    "no UTF-8": b"\xfe",
    "UTF-8 broken off": b'{"label": "\xe6\x98"}',
    "UTF-8 too long": b'{"label": "\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"label": "\xed\xa0\x80"}',
    "UTF-16": '{"version": 4}'.encode("utf-16"),
    "UTF-16 without a mark": '{"version": 4}'.encode("utf-16-le"),
    "UTF-32": '{"version": 4}'.encode("utf-32"),
    "a byte order mark": b'\xef\xbb\xbf{"version": 4}',
    "a byte order mark alone": b"\xef\xbb\xbf",
    "white space": b" ",
    "a line feed": b"\n",
    "NUL": b"\x00",
    "a trailing comma": b'{"version": 4,}',
    "a comma too many": b'{"version": 4,, "moves": []}',
    "half of an object": b'{"version": 4',
    "half of a text": b'{"version',
    "two objects": b'{"version": 4}{"version": 4}',
    "an object and more": b'{"version": 4} x',
    "an object and NUL": b'{"version": 4}\x00',
    "single quotes": b"{'version': 4}",
    "no quotes": b"{version: 4}",
    "a comment": b'{"version": 4 /* four */}',
    "a form": b"version=4&steps=1",
    "XML": b"<version>4</version>",
    "a leading zero": b'{"version": 04}',
    "a plus sign": b'{"version": +4}',
    "hexadecimal": b'{"version": 0x4}',
    "an underscore": b'{"version": 1_0}',
    "a point without digits": b'{"version": 4.}',
    "an exponent without digits": b'{"version": 4e}',
    "a control character": b'{"label": "a\tb"}',
    "a wrong escape": b'{"label": "\\x41"}',
    "True": b'{"version": True}',
    "undefined": b'{"version": undefined}',
    "NaN": b"NaN",
    "Infinity": b"Infinity",
    "a version of NaN": b'{"version": NaN}',
    "a version of Infinity": b'{"version": Infinity}',
    "a version of -Infinity": b'{"version": -Infinity}',
    "a field of NaN": b'{"version": 4, "steps": NaN}',
    "NaN deep down": b'{"deal": {"number": [NaN]}}',
    "4400 digits": b'{"version": ' + b"4" * 4400 + b"}",
    "60000 digits": b'{"version": ' + b"4" * 60_000 + b"}",
    "minus 4400 digits": b'{"version": -' + b"4" * 4400 + b"}",
    "brackets": b"[" * 20_000 + b"]" * 20_000,
    "brackets to the limit": b"[" * 32_768 + b"]" * 32_768,
    "open brackets": b"[" * 60_000,
    "objects": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "objects with an escape": b'{"\\u0061":' * 5_000 + b"1" + b"}" * 5_000,
    "brackets in a field": b'{"version": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "brackets in moves": b'{"version": 4, "moves": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "brackets in a deal": b'{"variant": "astrocyte", "deal": '
    + b"[" * 30_000
    + b"]" * 30_000
    + b"}",
    "half a pair": b'{"label": "\\ud83c"}',
    "the other half": b'{"label": "\\udca1"}',
    "a pair the wrong way round": b'{"label": "\\udca1\\ud83c"}',
    "half a pair in a key": b'{"\\ud83c": 4}',
    "half a pair in a move": b'{"version": 4, "moves": ["\\ud83c"]}',
    "a key twice": b'{"version": 4, "version": 4}',
    "a key twice with other values": b'{"version": 4, "version": 5}',
    "a key twice, written otherwise": b'{"version": 4, "vers\\u0069on": 4}',
    "a key twice in a field": b'{"variant": "astrocyte", "deal": {"number": "1", "number": "2"}}',
    "a key twice in a list": b'{"version": 4, "moves": [{"a": 1, "a": 2}]}',
    "an unknown key twice": b'{"version": 4, "x": 1, "x": 2}',
    "an empty key twice": b'{"": 1, "": 1}',
}


@pytest.mark.parametrize("text", NOT_JSON)
def test_a_body_that_is_no_json_is_refused(door, fake, text):
    with nothing_changes(fake):
        answer = door.knock(raw=NOT_JSON[text])
    assert known(answer) == (400, "invalid-json")
    assert len(answer.body) < 1000


def test_a_key_may_not_come_twice_even_in_a_request_that_is_good_otherwise(door, fake):
    members = json.dumps(door.good)[1:-1]
    with nothing_changes(fake):
        answer = door.knock(raw=f"{{{members}, {members}}}")
    assert known(answer) == (400, "invalid-json")


# JSON of another shape

NO_OBJECT = [
    b"null",
    b"true",
    b"0",
    b"12",
    b"-1.5e3",
    b'"x"',
    b'""',
    b"[]",
    b"[{}]",
    b'["version", 4]',
]


@pytest.mark.parametrize("raw", NO_OBJECT, ids=bytes.decode)
def test_a_body_that_is_no_object_is_refused(door, fake, raw):
    with nothing_changes(fake):
        answer = door.knock(raw=raw)
    assert known(answer) == (422, "invalid-request")
    assert answer.json["errors"] == [{"pointer": "", "detail": "Invalid input type."}]


@pytest.mark.parametrize("door", DEMANDING, indirect=True)
@pytest.mark.parametrize("raw", [None, b"{}", b" {} "], ids=["none", "empty", "empty with space"])
def test_an_empty_body_lacks_what_is_required(door, fake, raw):
    api, bearer = door.player.api, f"Bearer {door.player.token}"
    with nothing_changes(fake):
        answer = api.request("POST", door.path, raw=raw, Authorization=bearer)
    assert known(answer) == (422, "invalid-request")
    required = {
        "games": {"/variant"},
        "moves": {"/version", "/moves"},
        "referee/verify": {"/variant", "/deal", "/moves"},
        "referee/positions": {"/variant", "/piles"},
    }
    missing = {fault["pointer"] for fault in answer.json["errors"]}
    assert missing == required.get(door.name, {"/version"})


FIELDS = [
    *(("games", field) for field in ("variant", "deal", "label")),
    *(("moves", field) for field in ("version", "moves")),
    *((action, field) for action in ("undo", "redo") for field in ("version", "steps")),
    ("hint", "version"),
    ("resignation", "version"),
]
REQUIRED = [(name, field) for name, field in FIELDS if field in ("variant", "version", "moves")]
WHOLE = [(name, field) for name, field in FIELDS if field in ("version", "steps")]


@pytest.mark.parametrize(("name", "field"), REQUIRED)
def test_a_field_that_is_required_must_be_there(at, fake, name, field):
    door = at(name)
    with nothing_changes(fake):
        answer = door.knock({key: value for key, value in door.good.items() if key != field})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == [f"/{field}"]


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ("x", "/x"),
        ("", "/"),
        ("Version", "/Version"),
        ("versions", "/versions"),
        ("a/b", "/a~1b"),
        ("a~b", "/a~0b"),
        ("_schema", ""),
        ("__proto__", "/__proto__"),
        ("__class__", "/__class__"),
        ("id", "/id"),
        ("🂡", "/🂡"),
        ("x" * 60_000, "/" + "x" * 80),
    ],
    ids=lambda text: ascii(text)[:14],
)
def test_a_field_that_is_not_known_is_refused(door, fake, field, pointer):
    with nothing_changes(fake):
        answer = door.knock({**door.good, field: 1})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == [pointer]


def test_a_field_that_is_not_known_is_refused_in_a_deal_too(api, fake):
    body = {"variant": "astrocyte", "deal": {"number": "1", "seed": "abc"}}
    with nothing_changes(fake):
        answer = api.post("/v1/games", body)
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/deal/seed"]


def test_a_field_of_another_action_is_not_known(at, fake):
    for name, field, value in (
        ("moves", "steps", 1),
        ("undo", "moves", ["deal"]),
        ("hint", "steps", 1),
        ("resignation", "steps", 1),
        ("redo", "label", "x"),
    ):
        door = at(name)
        with nothing_changes(fake):
            answer = door.knock({**door.good, field: value})
        assert known(answer) == (422, "invalid-request")
        assert [fault["pointer"] for fault in answer.json["errors"]] == [f"/{field}"]


# Fields of another type

NO_WHOLE_NUMBER = [
    *(
        "true",
        "false",
        "null",
        '"1"',
        '"4"',
        '""',
        "1.5",
        "4.000001",
        "[4]",
        "[]",
        "{}",
        '{"a": 4}',
    ),
    *("0", "-1", "-4.0", "0.0", "-0", "1e400", "-1e400", "1e-400", "1e22", "9007199254740992"),
    *("18446744073709551620", "4" * 4000, "1" + "0" * 308, '"٤"', '" 4"', '"4.0"', '"0x4"'),
]


@pytest.mark.parametrize("value", NO_WHOLE_NUMBER, ids=lambda value: value[:20])
@pytest.mark.parametrize(("name", "field"), WHOLE)
def test_a_whole_number_above_nought_is_nothing_else(at, fake, name, field, value):
    door = at(name)
    members = {key: json.dumps(given) for key, given in door.good.items()} | {field: value}
    raw = ", ".join(f'"{key}": {given}' for key, given in members.items())
    with nothing_changes(fake):
        answer = door.knock(raw=f"{{{raw}}}")
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == [f"/{field}"]


@pytest.mark.parametrize("value", ["{}.0", "{}.000", "{}e0", "{}0e-1", "{}.0e0"])
@pytest.mark.parametrize(("name", "field"), WHOLE)
def test_a_whole_number_may_be_written_as_a_float(at, name, field, value):
    door = at(name)
    members = {key: json.dumps(given) for key, given in door.good.items()}
    members[field] = value.format(members[field])
    raw = ", ".join(f'"{key}": {given}' for key, given in members.items())
    assert door.knock(raw=f"{{{raw}}}").status == 200


@pytest.mark.parametrize("steps", [0, -1, 10_001, 2**31, 2**63])
@pytest.mark.parametrize("name", ["undo", "redo"])
def test_steps_are_1_to_10000(at, fake, name, steps):
    door = at(name)
    with nothing_changes(fake):
        answer = door.knock({**door.good, "steps": steps})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/steps"]


@pytest.mark.parametrize(
    "value", [1, 0, 1.0, "true", "yes", "", False, None, [], [True], {}], ids=str
)
def test_true_is_nothing_but_true(api, fake, value):
    body = {"variant": "astrocyte", "deal": {"random": value}}
    with nothing_changes(fake):
        answer = api.post("/v1/games", body)
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/deal/random"]


@pytest.mark.parametrize("value", [1, 1.5, True, [], ["a"], {}, {"text": "a"}], ids=str)
def test_a_label_is_a_text(api, fake, value):
    with nothing_changes(fake):
        answer = api.post("/v1/games", {"variant": "astrocyte", "label": value})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/label"]


@pytest.mark.parametrize("value", [None, "deal", "", 1, True, {}, {"0": "deal"}, []], ids=str)
def test_moves_are_a_list_and_not_an_empty_one(player, fake, value):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": value})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/moves"]


@pytest.mark.parametrize("value", [None, 1, True, [], ["deal"], {}, {"move": "deal"}], ids=str)
def test_a_move_is_a_text(player, fake, value):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": ["t1c2", value]})
    assert known(answer) == (422, "invalid-request")
    assert [fault["pointer"] for fault in answer.json["errors"]] == ["/moves/1"]


def test_every_fault_is_named(player, fake):
    body = {"version": "4", "moves": ["deal", "x", 3], "steps": 1}
    with nothing_changes(fake):
        answer = player.post("moves", body)
    pointers = {fault["pointer"] for fault in answer.json["errors"]}
    assert pointers == {"/version", "/moves/1", "/moves/2", "/steps"}


def test_a_request_with_very_many_faults_is_answered_in_short(player, fake):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": ["x"] * 9000})
    assert known(answer) == (422, "invalid-request")
    assert len(answer.body) < 10_000


def test_a_long_text_that_is_no_move_is_not_repeated_at_length(player, fake):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": ["9" * 50_000]})
    assert known(answer) == (422, "invalid-request")
    assert len(answer.body) < 1000


# Media types


@pytest.mark.parametrize(
    "content_type",
    [
        *("text/plain", "text/json", "text/html", "application/x-www-form-urlencoded", "*/*"),
        *("multipart/form-data; boundary=x", "application/octet-stream", "application/xml", "json"),
        *(
            "application/problem+json",
            "application/vnd.api+json",
            "application/json5",
            "application/",
        ),
        *("application/json, text/plain", "application/jsonx", "text/plain; application/json"),
        *(
            "application/json; charset=latin-1",
            "application/json; charset=utf-16",
            "; charset=utf-8",
        ),
        *("application/json; charset=utf-32", "application/json; charset=ascii", " ", "é/json"),
        *(
            "application/json;charset=utf-8x",
            "application json",
        ),
    ],
    ids=ascii,
)
def test_a_body_of_another_media_type_is_refused(door, fake, content_type):
    with nothing_changes(fake):
        answer = door.knock(door.good, Content_Type=content_type.encode().decode("latin-1"))
    assert known(answer) == (415, "unsupported-media-type")


@pytest.mark.parametrize(
    "content_type",
    [
        *("application/json", "APPLICATION/JSON", "Application/Json;Charset=UTF-8", ""),
        *("application/json; charset=utf-8", "application/json;charset=utf-8", "application/json;"),
        *(
            'application/json; charset="utf-8"',
            "application/json; charset=UTF8",
            " application/json ",
        ),
    ],
    ids=ascii,
)
def test_json_in_utf_8_may_be_called_so_in_many_ways(door, content_type):
    assert door.knock(door.good, Content_Type=content_type).status in (200, 201)


def test_a_body_without_a_media_type_counts_as_json(door, app):
    headers = {"Authorization": f"Bearer {door.player.token}"}
    status, _, _ = in_process(app)("POST", door.path, headers, json.dumps(door.good).encode())
    assert status in (200, 201)


@pytest.mark.parametrize("door", DEMANDING, indirect=True)
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "x"]
)
def test_no_body_counts_as_an_empty_one_whatever_it_is_called(door, fake, content_type):
    with nothing_changes(fake):
        answer = door.knock(raw=b"", Content_Type=content_type)
    assert known(answer) == (422, "invalid-request")


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "GZIP", "gzip, identity", "x", "*"])
def test_an_encoded_body_is_refused(door, fake, encoding):
    with nothing_changes(fake):
        answer = door.knock(door.good, Content_Encoding=encoding)
    assert known(answer) == (415, "unsupported-media-type")


@pytest.mark.parametrize("encoding", ["identity", "Identity"])
def test_an_encoding_that_is_none_is_none(door, encoding):
    assert door.knock(door.good, Content_Encoding=encoding).status in (200, 201)


# Size


@pytest.mark.parametrize("size", [LIMIT + 1, LIMIT + 2, 5_000_000])
def test_a_body_beyond_the_limit_is_refused(door, fake, size):
    raw = json.dumps(door.good).encode().ljust(size)
    with nothing_changes(fake):
        answer = door.knock(raw=raw)
    assert known(answer) == (413, "body-too-large")


def test_a_body_of_the_very_limit_is_read(door):
    raw = json.dumps(door.good).encode().ljust(LIMIT)
    assert door.knock(raw=raw).status in (200, 201)


def test_the_size_is_told_before_anything_else_is_looked_at(door, fake):
    with nothing_changes(fake):
        answer = door.knock(
            raw=b"\xff" * (LIMIT + 1),
            Authorization="",
            Content_Type="text/plain",
            Idempotency_Key="x",
        )
    assert known(answer) == (413, "body-too-large")


# Which refusal comes first


def test_a_malformed_body_is_told_before_a_missing_token(action, fake):
    with nothing_changes(fake):
        for raw, code in ((b"{", "invalid-json"), (b"{}", "invalid-request")):
            assert action.knock(raw=raw, Authorization="").code == code


def test_a_malformed_body_is_told_before_an_unknown_game(action):
    path = action.path.replace(action.player.game["id"], "a" * 26)
    answer = action.player.api.request("POST", path, raw=b"{")
    assert known(answer) == (400, "invalid-json")


def test_after_a_refused_body_the_next_good_one_is_accepted(door):
    for raw in (NOT_JSON["brackets to the limit"], NOT_JSON["60000 digits"], b"\xfe"):
        assert door.knock(raw=raw).status == 400
    assert door.knock(door.good).status in (200, 201)


def test_a_refusal_is_not_kept_under_an_idempotency_key(door, fake):
    with nothing_changes(fake):
        assert door.knock(raw=b"{", Idempotency_Key=KEY).status == 400
        assert door.knock({"x": 1}, Idempotency_Key=KEY).status == 422
    assert door.knock(door.good, Idempotency_Key=KEY).status in (200, 201)


# Anything at all

names = st.sampled_from(
    ["version", "moves", "steps", "variant", "deal", "label", "number", "random", "player_seed", ""]
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.sampled_from([4, 4.0, 1, "astrocyte", "binary-star", "deal", "t1c2", "t3t4", "t1t1", "1"]),
    st.text(max_size=8),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(names, st.text(max_size=4)), inner)
    ),
    max_leaves=12,
)
moves = st.lists(st.sampled_from(["t1c2", "c1c2", "t3t4", "deal", "t1t1", "t1c9", 3]), max_size=4)
likely = st.one_of(
    st.fixed_dictionaries(
        {"version": st.sampled_from([4, 4.0, 5, "4"])}, optional={"steps": scalars, "moves": moves}
    ),
    st.fixed_dictionaries(
        {"variant": st.sampled_from(["astrocyte", "binary-star", "x"])},
        optional={"label": scalars, "deal": st.dictionaries(names, scalars, max_size=1)},
    ),
)
bodies = st.one_of(
    st.one_of(likely, values, st.dictionaries(names, values, max_size=4)).map(
        lambda value: json.dumps(value).encode()
    ),
    st.binary(max_size=60),
    st.binary(max_size=20).map(lambda noise: b'{"version": 4, "moves": ["t1c2' + noise + b'"]}'),
    st.text(alphabet='{}[]",:0123456789.eE+-truefalsn\\u ', max_size=60).map(str.encode),
)


@pytest.mark.parametrize("door", WRITES, indirect=True)
def test_anything_at_all_is_answered_and_changes_nothing_unless_it_is_accepted(door, fake):
    answered, as_it_was, before = Counter(), frozen(fake), dump(fake)

    @settings(max_examples=250)
    @given(bodies)
    def posted(raw):
        answer = door.knock(raw=raw)
        answered[answer.status] += 1
        if answer.status in (200, 201):
            fake.execute_command("FLUSHALL")
            as_it_was()
        else:
            assert answer.code in BY_CODE
            assert dump(fake) == before

    posted()
    accepted = 200 if door.name in ACTIONS else 201
    assert set(answered) <= {accepted, 400, 409, 422}
    assert all(answered[status] for status in (accepted, 400, 422))
