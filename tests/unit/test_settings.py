"""Settings are read from the environment once; what cannot be meant is refused, by its name."""

import pytest

from service.config import read_settings
from service.errors import SettingsError
from service.limits import DEFAULT_LIMITS

ENVIRON = {"REDIS_URL": "redis://nowhere", "ASTERISM_SERVER_KEY": "k" * 32}


def settings(**environ):
    return read_settings({**ENVIRON, **environ})


def test_without_a_word_the_limits_hold_and_no_proxy_is_believed():
    assert settings().limits == DEFAULT_LIMITS
    assert settings().proxies == 0


def test_limits_can_be_off():
    assert settings(ASTERISM_LIMITS="off").limits == {}


@pytest.mark.parametrize(
    "text", ["creation=60 hints=off", "creation=60, hints=off", " hints=off,creation=60 "]
)
def test_limits_can_differ_one_by_one(text):
    different = {**DEFAULT_LIMITS, "creation": 60}
    del different["hints"]
    assert settings(ASTERISM_LIMITS=text).limits == different


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "60",
        "creation",
        "creation=",
        "creation=0",
        "creation=-1",
        "creation=1.5",
        "hint=5",
        "creation=60/1",
        "off off",
        "moves=١",
    ],
)
def test_a_limit_that_cannot_be_meant_is_refused(text):
    with pytest.raises(SettingsError, match="ASTERISM_LIMITS"):
        settings(ASTERISM_LIMITS=text)


@pytest.mark.parametrize("text", ["-1", "x", "1.0", "17", "true"])
def test_proxies_are_counted(text):
    assert settings(ASTERISM_PROXIES="2").proxies == 2
    with pytest.raises(SettingsError, match="ASTERISM_PROXIES"):
        settings(ASTERISM_PROXIES=text)
