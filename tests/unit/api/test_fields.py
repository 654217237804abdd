"""The schemas' own fields accept one form of each value."""

from base64 import urlsafe_b64encode

import pytest
from marshmallow import ValidationError

from service.api.schemas.bodies import HINT, UNDO
from service.api.schemas.cursors import cursor
from service.api.schemas.fields import Digits, Flag
from service.api.schemas.queries import LINE


@pytest.mark.parametrize(
    "value",
    [
        *(True, False, None, "1", "4", "", 1.5, 4.000001, [4], {"a": 4}, "٤", " 4", "4.0", "0x4"),
        *(0, -1, -4.0, 0.0, float("inf"), -float("inf"), 1e-400, 1e22, 2**53, int("4" * 4000)),
    ],
    ids=lambda value: "4000 digits" if value == int("4" * 4000) else repr(value),
)
def test_a_version_is_a_whole_number_above_zero_and_nothing_else(value):
    assert HINT.load({"version": 4.0})["version"] == 4
    with pytest.raises(ValidationError):
        HINT.load({"version": value})


@pytest.mark.parametrize("steps", [0, -1, 10_001, 2**31, 2**63, None, True])
def test_steps_are_1_to_10000(steps):
    assert UNDO.load({"version": 1, "steps": 10_000})["steps"] == 10_000
    with pytest.raises(ValidationError):
        UNDO.load({"version": 1, "steps": steps})


@pytest.mark.parametrize("value", [1, 0, 1.0, "true", "yes", "", None, [], [True], {}])
def test_a_flag_is_true_or_false_and_nothing_else(value):
    assert Flag().deserialize(True) is True
    assert Flag().deserialize(False) is False
    with pytest.raises(ValidationError):
        Flag().deserialize(value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "-1", "+1", "-0", "1.0", "1_0", " ", " 1", "1 ", "0x1", "1e2", "one", "true", "null"),
        *("٣", "１", "\x00", "1\x00", "9" * 5000, "1,2", "[1]", "1\n", "\ufffd"),
    ],
    ids=lambda text: ascii(text)[:12],
)
def test_a_number_in_a_query_is_decimal_digits_and_nothing_else(text):
    with pytest.raises(ValidationError):
        Digits().deserialize(text)


def encoded(text):
    return urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "!!!!", "0", "null", "\x00", "\xff", "====", "a" * 200, "A" * 5000),
        *map(encoded, ("line", "line ", "line a -1", "line a x", "line a 1 2", "line a 1.0")),
        *map(encoded, (" a 1", "lines a 1", "events a 1", "LINE a 1", "line a +1", "line a 1 ")),
        *map(encoded, ("line a  1", "line a\n1", "line a 1\n", "line a ٣", "line a 01")),
        *(encoded("line a 9999999999"), encoded("line a 1").rstrip("="), encoded("line a 1") + "="),
        *(encoded("line a 1").replace("b", "!b"), " " + encoded("line a 1")),
    ],
    ids=lambda text: ascii(text)[:24],
)
def test_a_cursor_has_the_one_form_in_which_it_was_given_out(text):
    assert LINE.load({"cursor": cursor("line", "a", 1)})["cursor"].in_list("a") == "1"
    with pytest.raises(ValidationError):
        LINE.load({"cursor": text})
