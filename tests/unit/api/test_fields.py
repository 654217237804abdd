"""The schemas' own fields accept one form of each value."""

import pytest
from marshmallow import ValidationError

from service.api.schemas.bodies import HINT, UNDO
from service.api.schemas.fields import Yes


@pytest.mark.parametrize("value", [4, 4.0])
def test_a_whole_number_may_be_written_as_a_float(value):
    assert HINT.load({"version": value}) == {"version": 4}


@pytest.mark.parametrize(
    "value",
    [
        *(True, False, None, "1", "4", "", 1.5, 4.000001, [4], [], {}, {"a": 4}),
        *(0, -1, -4.0, 0.0, float("inf"), -float("inf"), 1e-400, 1e22, 2**53, 2**64 + 4),
        *(int("4" * 4000), 1e308, "٤", " 4", "4.0", "0x4"),
    ],
    ids=lambda value: (
        repr(value)[:20]
        if not isinstance(value, int)
        else f"{value:.3g}"[:20]
        if abs(value) < 2**70
        else "4000 digits"
    ),
)
def test_a_version_is_a_whole_number_above_zero_and_nothing_else(value):
    with pytest.raises(ValidationError):
        HINT.load({"version": value})


@pytest.mark.parametrize("steps", [0, -1, 10_001, 2**31, 2**63, None, True])
def test_steps_are_1_to_10000(steps):
    assert UNDO.load({"version": 1, "steps": 10_000})["steps"] == 10_000
    with pytest.raises(ValidationError):
        UNDO.load({"version": 1, "steps": steps})


@pytest.mark.parametrize("value", [1, 0, 1.0, "true", "yes", "", False, None, [], [True], {}])
def test_true_is_nothing_but_true(value):
    assert Yes().deserialize(True) is True
    with pytest.raises(ValidationError):
        Yes().deserialize(value)
