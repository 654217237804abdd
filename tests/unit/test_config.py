"""Settings are read from environment variables, and wrong ones are refused by name."""

import pytest

from service.config import DEFAULT_LIMITS, VARIABLES, read_settings
from service.errors import SettingsError

ENVIRON = {"REDIS_URL": "redis://nowhere", "ASTERISM_SERVER_KEY": "k" * 32}


@pytest.fixture(autouse=True)
def environ(monkeypatch):
    """An environment with the required settings and no others."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in ENVIRON.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.fixture
def settings(environ):
    """Reads the settings after setting some variables; None unsets one."""

    def read(**variables):
        for name, value in variables.items():
            if value is None:
                environ.delenv(name)
            else:
                environ.setenv(name, value)
        return read_settings()

    return read


def test_by_default_limits_apply_and_no_proxy_is_trusted(settings):
    assert (settings().limits, settings().proxies) == (DEFAULT_LIMITS, 0)
    assert settings(ASTERISM_LIMITS="off").limits == {}


@pytest.mark.parametrize(
    "text", ["creation=60 hints=off", "creation=60, hints=off", " hints=off,creation=60 "]
)
def test_limits_can_differ_one_by_one(settings, text):
    different = {**DEFAULT_LIMITS, "creation": 60}
    del different["hints"]
    assert settings(ASTERISM_LIMITS=text).limits == different


@pytest.mark.parametrize(
    "text",
    [
        *("on", "60", "creation", "creation=", "creation=0", "creation=-1", "creation=1.5"),
        *("hint=5", "creation=60/1", "off off", "moves=١"),
    ],
)
def test_a_wrong_limit_is_refused(settings, text):
    with pytest.raises(SettingsError, match="ASTERISM_LIMITS"):
        settings(ASTERISM_LIMITS=text)


@pytest.mark.parametrize("text", ["-1", "x", "1.0", "17", "true"])
def test_the_number_of_proxies_is_checked(settings, text):
    assert settings(ASTERISM_PROXIES="2").proxies == 2
    with pytest.raises(SettingsError, match="ASTERISM_PROXIES"):
        settings(ASTERISM_PROXIES=text)


SECRETS = ("REDIS_URL", "ASTERISM_SERVER_KEY", "ASTERISM_FORMER_SERVER_KEYS")
OLD, OLDER = "the key that came before this one", "the key that came before that one"


def test_secrets_can_be_read_from_files(settings, tmp_path):
    content = {"REDIS_URL": "redis://here", "ASTERISM_SERVER_KEY": "f" * 40}
    content["ASTERISM_FORMER_SERVER_KEYS"] = f"{OLD}@2026-11-30\n{OLDER}@2026-10-31\n"
    for name, text in content.items():
        (tmp_path / name).write_text(f"{text}\n")
    unset = dict.fromkeys(ENVIRON)
    found = settings(**unset, **{f"{name}_FILE": str(tmp_path / name) for name in content})
    assert found.redis_url == "redis://here"
    assert found.server_key.secret == b"f" * 40
    assert [(old.key.secret.decode(), str(old.last_day)) for old in found.server_key.former] == [
        (OLD, "2026-11-30"),
        (OLDER, "2026-10-31"),
    ]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_set_only_once(settings, name, tmp_path):
    (tmp_path / "secret").write_text("x" * 40)
    with pytest.raises(SettingsError, match=f"{name} is set, and so is"):
        settings(**{name: "x" * 40, f"{name}_FILE": str(tmp_path / "secret")})


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "No such file"), (b"", "empty"), (b" \n", "empty"), (b"\xff", "UTF-8")],
)
def test_a_file_without_a_secret_is_reported_by_its_path(settings, name, content, why, tmp_path):
    file = tmp_path / "secret"
    if content is not None:
        file.write_bytes(content)
    unset = {name: None} if name in ENVIRON else {}
    with pytest.raises(SettingsError, match=f"{name} cannot be read from its file .*secret.*{why}"):
        settings(**unset, **{f"{name}_FILE": str(file)})


@pytest.mark.parametrize(
    "text",
    [
        *(OLD, f"{OLD}@", f"{OLD}@today", f"{OLD}@2026-02-30"),
        *("short@2026-11-30", f"@{OLD}", "@2026-11-30"),
    ],
)
def test_a_wrong_former_key_is_refused_but_not_shown(settings, text):
    with pytest.raises(SettingsError, match="FORMER_SERVER_KEYS needs in line 2") as refused:
        settings(ASTERISM_FORMER_SERVER_KEYS=f"{OLDER}@2026-11-30\n{text}")
    assert OLD not in str(refused.value)


def test_no_secret_is_in_the_repr_of_settings(settings):
    found = settings(ASTERISM_FORMER_SERVER_KEYS=f"{OLD}@2026-11-30")
    assert "k" * 32 not in repr(found)
    assert OLD not in repr(found)


def test_all_errors_are_reported_at_once(settings):
    with pytest.raises(SettingsError) as refused:
        settings(PORT="80a", ASTERISM_LOG="yes", REDIS_URL="http://here")
    faults = [fault.split()[0] for fault in refused.value.args]
    assert faults == ["REDIS_URL", "PORT", "ASTERISM_LOG"]


def test_an_empty_variable_counts_as_unset(settings):
    assert settings(PORT="", ASTERISM_METRICS="", ASTERISM_LOG="", ASTERISM_LIMITS="") == settings()


def test_metrics_need_a_port_of_their_own(settings):
    with pytest.raises(SettingsError, match="ASTERISM_METRICS must have another port"):
        settings(ASTERISM_METRICS="127.0.0.1:8000")


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://games.example", "https://games.example"),
        ("https://games.example/", "https://games.example"),
        ("HTTPS://Games.Example:8443", "https://games.example:8443"),
        ("http://192.0.2.7:80", "http://192.0.2.7:80"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080"),
    ],
)
def test_the_public_url_is_an_origin(settings, text, origin):
    assert settings(ASTERISM_PUBLIC_URL=text).public_url == origin


@pytest.mark.parametrize(
    "text",
    [
        "here",
        "ftp://games.example",
        "https://",
        "https:///",
        "https://:443",
        "https://games.example/asterism/",
        "https://games.example?x=1",
        "https://games.example/#a",
        "https://games.example:99999",
        "https://games.example:0",
        "https://games.example:x",
        "https://user@games.example",
        "https://games example",
        "https://spiele.exämple",
    ],
)
def test_a_public_url_that_links_could_not_honour_is_refused(settings, text):
    with pytest.raises(SettingsError, match=r"ASTERISM_PUBLIC_URL must be an origin .* host name"):
        settings(ASTERISM_PUBLIC_URL=text)
