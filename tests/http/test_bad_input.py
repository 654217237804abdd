"""Whatever is sent, the answer is a refusal in words, and nothing has changed.

Which texts are JSON, and which headers are well formed, is told by the unit tests of the readers:
here each endpoint shows that it uses them.
"""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.problems import BY_CODE
from tests.http.kit import ACTIONS, DEMANDING, KEY, WRITES, dump, frozen, known, nothing_changes
from tests.support.api import in_process

LIMIT = 256 * 1024


def pointers(answer):
    """Where a request is wrong, as its refusal tells."""
    assert known(answer) == (422, "invalid-request")
    return [fault["pointer"] for fault in answer.json["errors"]]


def test_a_good_request_is_accepted(door, fake):
    before = dump(fake)
    assert door.knock(door.good).status in (200, 201)
    assert (dump(fake) != before) == (door.name in WRITES)


# What every endpoint refuses

REFUSED = {
    "half an object": (b'{"version": 4', {}, 400, "invalid-json"),
    "no UTF-8": (b"\xfe", {}, 400, "invalid-json"),
    "a repeated key": (b'{"version": 4, "version": 4}', {}, 400, "invalid-json"),
    "brackets": (b"[" * 30_000 + b"]" * 30_000, {}, 400, "invalid-json"),
    "no object": (b"[]", {}, 422, "invalid-request"),
    "an unknown field": (b'{"x": 1}', {}, 422, "invalid-request"),
    "another media type": (b"{}", {"Content_Type": "text/plain"}, 415, "unsupported-media-type"),
    "an encoded body": (b"{}", {"Content_Encoding": "gzip"}, 415, "unsupported-media-type"),
    "an unwanted answer": (b"{}", {"Accept": "text/html"}, 406, "not-acceptable"),
    "a malformed key": (b"{}", {"Idempotency_Key": "x"}, 422, "invalid-request"),
    "a byte too many": (b"{}".ljust(LIMIT + 1), {}, 413, "body-too-large"),
}


@pytest.mark.parametrize(("raw", "headers", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_a_bad_request_is_refused_in_few_words(door, fake, raw, headers, status, code):
    raw = json.dumps(door.good).encode() if raw == b"{}" else raw
    with nothing_changes(fake):
        answer = door.knock(raw=raw, **headers)
    assert known(answer) == (status, code)
    assert len(answer.body) < 1000
    assert door.knock(door.good).status in (200, 201), "the next good request is accepted"


def test_a_body_of_the_very_limit_is_read(door):
    raw = json.dumps(door.good).encode().ljust(LIMIT)
    assert door.knock(raw=raw).status in (200, 201)


def test_a_body_without_a_media_type_counts_as_json(door, app):
    headers = {"Authorization": f"Bearer {door.player.token}"}
    status, _, _ = in_process(app)("POST", door.path, headers, json.dumps(door.good).encode())
    assert status in (200, 201)


@pytest.mark.parametrize("door", DEMANDING, indirect=True)
def test_an_empty_body_lacks_what_is_required_whatever_it_is_called(door, fake):
    required = {
        "games": {"/variant"},
        "moves": {"/version", "/moves"},
        "referee/verify": {"/variant", "/deal", "/moves"},
        "referee/positions": {"/variant", "/piles"},
    }
    with nothing_changes(fake):
        for raw, content_type in ((b"", "text/plain"), (b" {} ", "application/json")):
            missing = pointers(door.knock(raw=raw, Content_Type=content_type))
            assert set(missing) == required.get(door.name, {"/version"})


def test_the_size_is_told_before_anything_else_is_looked_at(door, fake):
    with nothing_changes(fake):
        answer = door.knock(
            raw=b"\xff" * 5_000_000,
            Authorization="",
            Content_Type="text/plain",
            Idempotency_Key="x",
        )
    assert known(answer) == (413, "body-too-large")


def test_a_malformed_body_is_told_before_a_missing_token_or_an_unknown_game(action, fake):
    unknown = action.path.replace(action.player.game["id"], "a" * 26)
    with nothing_changes(fake):
        for raw, code in ((b"{", "invalid-json"), (b"{}", "invalid-request")):
            assert action.knock(raw=raw, Authorization="").code == code
            assert action.player.api.request("POST", unknown, raw=raw).code == code


def test_a_refusal_is_not_kept_under_an_idempotency_key(door, fake):
    with nothing_changes(fake):
        assert door.knock(raw=b"{", Idempotency_Key=KEY).status == 400
        assert door.knock({"x": 1}, Idempotency_Key=KEY).status == 422
    assert door.knock(door.good, Idempotency_Key=KEY).status in (200, 201)


# Fields

WRONG = [
    *(("games", field, 7) for field in ("variant", "deal", "label")),
    ("games", "deal", {"number": "1", "seed": "abc"}),
    ("games", "deal", {"random": 1}),
    *(("moves", "moves", value) for value in (None, "deal", {}, [])),
    *((action, "version", "4") for action in ACTIONS),
    *((action, "steps", 0) for action in ("undo", "redo")),
    *((action, "steps", 1) for action in ("moves", "hint", "resignation")),
    *((action, "label", "x") for action in ("undo", "redo")),
]


@pytest.mark.parametrize(("name", "field", "value"), WRONG, ids=str)
def test_a_field_of_another_shape_or_of_another_action_is_named(at, fake, name, field, value):
    door = at(name)
    with nothing_changes(fake):
        [pointer] = pointers(door.knock({**door.good, field: value}))
    assert pointer.startswith(f"/{field}")


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        *(("x", "/x"), ("", "/"), ("Version", "/Version"), ("a/b", "/a~1b"), ("a~b", "/a~0b")),
        *(("🂡", "/🂡"), ("x" * 5000, "/" + "x" * 80), ("_schema", ""), ("__proto__", "/__proto__")),
    ],
    ids=lambda text: text[:10],
)
def test_an_unknown_field_is_named_by_a_pointer(player, fake, field, pointer):
    with nothing_changes(fake):
        answer = player.post("undo", {"version": 4, field: 1})
    assert pointers(answer) == [pointer]


@pytest.mark.parametrize("value", [None, 1, True, [], ["deal"], {}, {"move": "deal"}], ids=str)
def test_a_move_is_a_text(player, fake, value):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": ["t1c2", value]})
    assert pointers(answer) == ["/moves/1"]


def test_every_fault_is_named(player, fake):
    body = {"version": "4", "moves": ["deal", "x", 3], "steps": 1}
    with nothing_changes(fake):
        answer = player.post("moves", body)
    assert set(pointers(answer)) == {"/version", "/moves/1", "/moves/2", "/steps"}


@pytest.mark.parametrize("moves", [["x"] * 9000, ["9" * 50_000]], ids=["many", "long"])
def test_faults_are_answered_in_short(player, fake, moves):
    with nothing_changes(fake):
        answer = player.post("moves", {"version": 4, "moves": moves})
    assert known(answer) == (422, "invalid-request")
    assert len(answer.body) < 5000


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

    @settings(max_examples=60)
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
