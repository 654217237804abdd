"""Whatever is sent, the answer is a refusal in words, and nothing has changed.

Which texts are JSON, and which headers are well formed, is shown by the unit tests of the readers:
here each endpoint shows that it uses them.
"""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.problems import BY_CODE
from tests.http.kit import (
    ACTIONS,
    KEY,
    UNKNOWN_ID,
    WRITES,
    dump,
    faults,
    frozen,
    known,
    nothing_changes,
)
from tests.support.api import in_process

LIMIT = 256 * 1024

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
def test_a_bad_request_is_refused_in_few_words(endpoint, fake, raw, headers, status, code):
    raw = json.dumps(endpoint.good).encode() if raw == b"{}" else raw
    with nothing_changes(fake):
        answer = endpoint.post(raw=raw, **{"Idempotency_Key": KEY} | headers)
    assert known(answer) == (status, code)
    assert len(answer.body) < 1000
    good = endpoint.post(endpoint.good, Idempotency_Key=KEY)
    assert good.status in (200, 201), "the refusal is not stored under the key"


def test_a_body_of_the_very_limit_is_read_whatever_it_is_sent_as(endpoint, app):
    body = json.dumps(endpoint.good).encode().ljust(LIMIT)
    status, _, _ = in_process(app)("POST", endpoint.path, endpoint.player.bearer, body)
    assert status in (200, 201)


REQUIRED = {
    **{action: {"/version"} for action in ACTIONS},
    "games": {"/variant"},
    "moves": {"/version", "/moves"},
    "referee/verify": {"/variant", "/deal", "/moves"},
    "referee/positions": {"/variant", "/piles"},
}


@pytest.mark.parametrize("endpoint", REQUIRED, indirect=True)
def test_an_empty_body_lacks_what_is_required_whatever_its_media_type(endpoint, fake):
    with nothing_changes(fake):
        for raw, content_type in ((b"", "text/plain"), (b" {} ", "application/json")):
            answer = endpoint.post(raw=raw, Content_Type=content_type)
            assert set(faults(answer)) == REQUIRED[endpoint.name]


def test_the_size_is_checked_before_anything_else(endpoint, fake):
    wrong = {"Authorization": "", "Content_Type": "text/plain", "Idempotency_Key": "x"}
    with nothing_changes(fake):
        answer = endpoint.post(raw=b"\xff" * 5_000_000, **wrong)
    assert known(answer) == (413, "body-too-large")


def test_a_malformed_body_is_refused_before_a_missing_token_or_an_unknown_game(action, fake):
    unknown = action.path.replace(action.player.game["id"], UNKNOWN_ID)
    with nothing_changes(fake):
        for raw, code in ((b"{", "invalid-json"), (b"{}", "invalid-request")):
            assert action.post(raw=raw, Authorization="").code == code
            assert action.player.api.request("POST", unknown, raw=raw).code == code


# Fields: which values each takes is shown by tests/contract/test_schemas.py


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
        assert faults(player.post("undo", {"version": 4, field: 1})) == [pointer]


def test_every_fault_is_named(player, fake):
    body = {"version": "4", "moves": ["deal", "x", 3], "steps": 1}
    with nothing_changes(fake):
        answer = player.post("moves", body)
    assert set(faults(answer)) == {"/version", "/moves/1", "/moves/2", "/steps"}


@pytest.mark.parametrize("moves", [["x"] * 9000, ["9" * 50_000]], ids=["many", "long"])
def test_faults_are_answered_in_short(player, fake, moves):
    with nothing_changes(fake):
        answer = player.play(*moves)
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


@pytest.mark.parametrize("endpoint", WRITES, indirect=True)
def test_any_body_is_answered_and_changes_nothing_unless_it_is_accepted(endpoint, fake):
    answered, restore, before = Counter(), frozen(fake), dump(fake)

    @settings(max_examples=60)
    @given(bodies)
    def posted(raw):
        answer = endpoint.post(raw=raw)
        answered[answer.status] += 1
        if answer.status in (200, 201):
            assert dump(fake) != before
            fake.execute_command("FLUSHALL")
            restore()
        else:
            assert answer.code in BY_CODE
            assert dump(fake) == before

    posted()
    accepted = 200 if endpoint.name in ACTIONS else 201
    assert set(answered) <= {accepted, 400, 409, 422}
    assert all(answered[status] for status in (accepted, 400, 422))
