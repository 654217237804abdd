"""Settings are read from the environment once; what cannot be meant is refused, by its name."""

import pytest

from service.config import DEFAULT_LIMITS, read_settings
from service.errors import SettingsError

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


SECRETS = ("REDIS_URL", "ASTERISM_SERVER_KEY", "ASTERISM_FORMER_SERVER_KEYS")
OLD, OLDER = "the key that came before this one", "the key that came before that one"


def test_secrets_can_lie_in_files(tmp_path):
    said = {"REDIS_URL": "redis://here", "ASTERISM_SERVER_KEY": "f" * 40}
    said["ASTERISM_FORMER_SERVER_KEYS"] = f"{OLD}@2026-11-30\n{OLDER}@2026-10-31\n"
    for name, text in said.items():
        (tmp_path / name).write_text(f"{text}\n")
    found = read_settings({f"{name}_FILE": str(tmp_path / name) for name in said})
    assert found.redis_url == "redis://here"
    assert found.server_key.secret == b"f" * 40
    assert [(old.key.secret.decode(), str(old.last_day)) for old in found.server_key.former] == [
        (OLD, "2026-11-30"),
        (OLDER, "2026-10-31"),
    ]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_said_once(name, tmp_path):
    (tmp_path / "secret").write_text("x" * 40)
    with pytest.raises(SettingsError, match=f"{name}_FILE, not both"):
        settings(**{name: "x" * 40, f"{name}_FILE": str(tmp_path / "secret")})


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "No such file"), (b"", "empty"), (b" \n", "empty"), (b"\xff", "UTF-8")],
)
def test_a_file_that_holds_no_secret_is_told_by_its_path(name, content, why, tmp_path):
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    environ = {**ENVIRON, f"{name}_FILE": str(file)}
    environ.pop(name, None)
    with pytest.raises(SettingsError, match=f"{name}_FILE: .*secret.*{why}"):
        read_settings(environ)


@pytest.mark.parametrize(
    "text",
    [
        OLD,
        f"{OLD}@",
        f"{OLD}@today",
        f"{OLD}@2026-02-30",
        "short@2026-11-30",
        f"@{OLD}",
        "@2026-11-30",
    ],
)
def test_a_former_key_without_a_day_is_refused_and_not_shown(text):
    with pytest.raises(SettingsError, match="FORMER_SERVER_KEYS, line 2") as refused:
        settings(ASTERISM_FORMER_SERVER_KEYS=f"{OLDER}@2026-11-30\n{text}")
    assert OLD not in str(refused.value)


def test_no_secret_is_shown_by_the_settings():
    found = settings(ASTERISM_FORMER_SERVER_KEYS=f"{OLD}@2026-11-30")
    assert "k" * 32 not in repr(found)
    assert OLD not in repr(found)


@pytest.mark.parametrize(("threads", "searches"), [("1", 1), ("2", 1), ("4", 2), ("9", 4)])
def test_half_of_the_threads_may_think_unless_more_or_fewer_are_told_to(threads, searches):
    assert settings(ASTERISM_THREADS=threads).searches == searches
    assert settings(ASTERISM_THREADS=threads, ASTERISM_SEARCHES="3").searches == 3
