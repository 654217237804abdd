"""JSON is read strictly: what two readers could understand differently is refused."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.json_reader import DEEPEST, parse_json
from service.errors import InvalidJsonError

NOT_JSON = {
    "no UTF-8": b"\xfe",
    "truncated UTF-8": b'{"label": "\xe6\x98"}',
    "overlong UTF-8": b'{"label": "\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"label": "\xed\xa0\x80"}',
    "UTF-16": '{"version": 4}'.encode("utf-16"),
    "UTF-16 without a byte order mark": '{"version": 4}'.encode("utf-16-le"),
    "UTF-32": '{"version": 4}'.encode("utf-32"),
    "a byte order mark": b'\xef\xbb\xbf{"version": 4}',
    "white space": b" ",
    "NUL": b"\x00",
    "a trailing comma": b'{"version": 4,}',
    "half an object": b'{"version": 4',
    "two objects": b'{"version": 4}{"version": 4}',
    "an object and NUL": b'{"version": 4}\x00',
    "single quotes": b"{'version': 4}",
    "a comment": b'{"version": 4 /* four */}',
    "a leading zero": b'{"version": 04}',
    "a plus sign": b'{"version": +4}',
    "hexadecimal": b'{"version": 0x4}',
    "an underscore": b'{"version": 1_0}',
    "a point without digits": b'{"version": 4.}',
    "a control character": b'{"label": "a\tb"}',
    "an unknown escape": b'{"label": "\\x41"}',
    "True": b'{"version": True}',
    "NaN": b"NaN",
    "Infinity": b'{"version": Infinity}',
    "-Infinity": b'{"deal": {"number": [-Infinity]}}',
    "4400 digits": b'{"version": ' + b"4" * 4400 + b"}",
    "minus 4400 digits": b'{"version": -' + b"4" * 4400 + b"}",
    "half a surrogate pair": b'{"label": "\\ud83c"}',
    "a reversed surrogate pair": b'{"label": "\\udca1\\ud83c"}',
    "half a surrogate pair in a key": b'{"\\ud83c": 4}',
    "a repeated key": b'{"version": 4, "version": 4}',
    "a repeated key in two spellings": b'{"version": 4, "vers\\u0069on": 4}',
    "a repeated key inside": b'{"moves": [{"a": 1, "a": 2}]}',
    "a repeated empty key": b'{"": 1, "": 1}',
}


@pytest.mark.parametrize("data", NOT_JSON.values(), ids=NOT_JSON)
def test_text_that_is_not_strict_json_is_refused_in_few_words(data):
    with pytest.raises(InvalidJsonError) as refused:
        parse_json(data)
    assert len(str(refused.value)) < 200


def nested(levels, opening="[", closing="]"):
    return f"{opening * levels}1{closing * levels}".encode()


@pytest.fixture(params=[200, 1_000, 50_000])
def recursion_limit(request):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + request.param)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('{"\\u0061":', "}")])
def test_the_depth_limit_is_ours_whatever_the_recursion_limit_is(recursion_limit, opening, closing):
    assert parse_json(nested(DEEPEST, opening, closing))
    for deeper in (nested(DEEPEST + 1, opening, closing), nested(5_000, opening, closing)):
        with pytest.raises(InvalidJsonError, match="nested too deeply"):
            parse_json(deeper)
    with pytest.raises(InvalidJsonError, match="nested too deeply"):
        parse_json(opening.encode() * 20_000)


def test_brackets_in_strings_are_not_levels():
    text = b'{"a": "' + b"[{" * 1_000 + b'\\"[", "b": [' + b"[1]," * 100 + b"[1]]}"
    assert len(parse_json(text)["b"]) == 101


TEXT = st.text(st.characters(codec="utf-8"), max_size=8)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**70), 2**70) | TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner),
        max_leaves=12,
    )
)
def test_every_other_json_value_is_read_as_it_is(value):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert parse_json(text.encode()) == value
