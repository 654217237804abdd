"""Request headers are read as their RFCs say; malformed ones are refused or count as absent."""

import pytest
from flask import Flask
from werkzeug.exceptions import NotAcceptable, UnsupportedMediaType

from service.api import request_headers
from service.errors import InvalidRequestError

APP = Flask("headers")
JSON = ("application/json",)


def under(**headers):
    """A request with these headers, as bytes on the wire."""
    environ = {
        name if name.startswith("CONTENT_TYPE") else f"HTTP_{name}": value.encode().decode(
            "latin-1"
        )
        for name, value in headers.items()
    }
    return APP.test_request_context(environ_overrides=environ)


# The media type of the body


@pytest.mark.parametrize(
    "content_type",
    [
        *("application/json", "APPLICATION/JSON", "Application/Json;Charset=UTF-8", ""),
        *("application/json; charset=utf-8", "application/json;", " application/json "),
        *('application/json; charset="utf-8"', "application/json; charset=UTF8"),
    ],
    ids=ascii,
)
def test_json_in_utf_8_has_many_spellings(content_type):
    with under(CONTENT_TYPE=content_type):
        request_headers.require_json()


@pytest.mark.parametrize(
    "content_type",
    [
        *("text/plain", "text/json", "*/*", "multipart/form-data; boundary=x", "json", " "),
        *("application/problem+json", "application/json5", "application/", "application json"),
        *("application/json, text/plain", "application/jsonx", "text/plain; application/json"),
        *("application/json; charset=latin-1", "application/json; charset=utf-16", "é/json"),
        *("application/json; charset=ascii", "application/json;charset=utf-8x", "; charset=utf-8"),
    ],
    ids=ascii,
)
def test_another_media_type_is_refused(content_type):
    with under(CONTENT_TYPE=content_type), pytest.raises(UnsupportedMediaType):
        request_headers.require_json()


def test_a_body_is_not_encoded():
    for encoding in ("identity", "Identity"):
        with under(CONTENT_ENCODING=encoding):
            request_headers.require_json()
    for encoding in ("gzip", "br", "deflate", "GZIP", "gzip, identity", "x", "*"):
        with under(CONTENT_ENCODING=encoding), pytest.raises(UnsupportedMediaType):
            request_headers.require_json()


# The media type of the response


@pytest.mark.parametrize(
    "accept",
    [
        *("application/json", "*/*", "application/*", "text/html, */*;q=0.1", "APPLICATION/JSON"),
        *("application/json;q=0.1", "text/html;q=0.9, application/json;q=0.2", "", " "),
        *("application/json; charset=utf-8", 'application/json;charset="UTF-8"', "text/x, */*"),
        *("application/problem+json, application/json", "application/json, text/plain, */*"),
        *("application/json;q=1.", "application/json;q=.5", "application/json;q=abc", "*/*; q=.2"),
        *("application/json;q=", "application/json;q=2", "application/json;q=-1", "*/* ; Q = 1."),
        *(",application/json,,", ",", " , ", "text/html,,*/*", "*/*;q=0.1, application/json"),
        *('application/json;q="0.5"', "application/json;charset=utf-8;q=1.", "*, */*;q=nan"),
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
    ],
    ids=ascii,
)
def test_json_is_for_every_client_that_accepts_it(accept):
    with under(ACCEPT=accept):
        assert request_headers.accepted_media_type(JSON) == "application/json"


@pytest.mark.parametrize(
    "accept",
    [
        *("text/html", "image/*", "application/xml", "text/event-stream", "application/jsonl"),
        *("application/json;q=0", "*/*;q=0", "application/json;q=0, */*", "application/json;v=2"),
        *("application/json;q=0.", "application/json;q=.0", "*/*;q=0.000", "text/html;q=1., ,"),
        *("application/problem+json", "json", "/", ";;;", "*/json"),
        "application/json; charset=utf-16",
    ],
)
def test_a_client_that_accepts_no_json_is_refused(accept):
    with under(ACCEPT=accept), pytest.raises(NotAcceptable):
        request_headers.accepted_media_type(JSON)


def test_the_preferred_one_of_several_media_types_is_chosen():
    offered = ("application/json", "text/plain")
    for accept, chosen in (
        ("text/plain, application/json;q=0.5", "text/plain"),
        ("text/plain;q=0.5, */*", "application/json"),
        ("text/plain, application/json", "application/json"),
        ("text/*", "text/plain"),
    ):
        with under(ACCEPT=accept):
            assert request_headers.accepted_media_type(offered) == chosen


# The play token


@pytest.mark.parametrize(
    ("header", "token"),
    [
        *(("Bearer abc", "abc"), ("bearer abc", "abc"), ("BeArEr  abc ", "abc")),
        *(("Bearer abc,", "abc,"), ('Bearer "abc"', '"abc"'), ("Bearer a b", "a b")),
        ("Bearer abc=", "abc="),
        *(("", None), (" ", None), ("Bearer", None), ("Bearer ", None), ("abc", None)),
        *(("Basic abc", None), ("Token abc", None), ("Bear er abc", None), ("Bearer:abc", None)),
        *(("Bearer=abc", None), ("Bearer\tabc", None), ('Digest username="abc"', None)),
        *(
            ("Basic OnRva2Vu", None),
            ("\xff\xfe", None),
            (", Bearer abc", None),
            ("Bearerabc", None),
        ),
    ],
    ids=ascii,
)
def test_the_play_token_is_a_bearer_token_and_nothing_else(header, token):
    with under(AUTHORIZATION=header):
        assert request_headers.play_token() == token


def test_a_token_with_an_equals_sign_inside_is_one_that_no_game_has():
    with under(AUTHORIZATION="Bearer token=abc"):
        assert request_headers.play_token() not in (None, "abc")


# Idempotency keys


@pytest.mark.parametrize("key", ["a" * 16, "A-Z._~09" * 16, "-" * 16])
def test_a_well_formed_key_is_taken(key):
    with under(IDEMPOTENCY_KEY=key):
        assert request_headers.idempotency_key() == key


@pytest.mark.parametrize(
    "key",
    [
        *("", "x", "a" * 15, "a" * 129, "key with spaces in it", "a" * 16 + ",", "a" * 16 + "\n"),
        *('"' + "a" * 20 + '"', "a" * 16 + ";", "a" * 16 + "/", "a" * 16 + "=", "a" * 16 + "+"),
        *("ä" * 20, "\xff" * 20, "a" * 16 + "\x00", "*" * 16, "a" * 16 + ", " + "b" * 16),
    ],
    ids=ascii,
)
def test_a_malformed_key_is_refused(key):
    with under(IDEMPOTENCY_KEY=key), pytest.raises(InvalidRequestError) as refused:
        request_headers.idempotency_key()
    assert [error["header"] for error in refused.value.errors] == ["Idempotency-Key"]


# Entity tags


@pytest.mark.parametrize(
    "header", ['"v4"', ' "v4" ', '"v3", "v4"', '"v4","v9"', 'W/"v4", "v4"', '"x,y", "v4"']
)
def test_if_match_names_a_version_by_its_strong_tag(header):
    with under(IF_MATCH=header):
        assert 4 in request_headers.if_match()


@pytest.mark.parametrize("header", ["*", " * "])
def test_if_match_with_a_star_is_no_condition(header):
    with under(IF_MATCH=header):
        assert request_headers.if_match() is None


@pytest.mark.parametrize(
    "header",
    [
        *(
            '"v3"',
            '"v3", "v5"',
            'W/"v4"',
            'w/"v4"',
            "v4",
            "4",
            '"4"',
            '"V4"',
            '"v04"',
            '"v4',
            'v4"',
        ),
        *('""', "", ",", '"v"', '"v4" "v4"', "'v4'", '"v٤"', '"v' + "4" * 30 + '"', '"*"', "**"),
        '"v4.0"',
    ],
)
def test_any_other_if_match_does_not_name_the_version(header):
    with under(IF_MATCH=header):
        assert 4 not in request_headers.if_match()


@pytest.mark.parametrize(
    "header", ['"v4"', 'W/"v4"', "*", '"v3", "v4"', '"x", W/"v4"', '"v4","v3"', ' "v4"']
)
def test_if_none_match_compares_weakly(header):
    with under(IF_NONE_MATCH=header):
        assert request_headers.matches_if_none_match('"v4"')


@pytest.mark.parametrize(
    "header",
    ['"v3"', 'W/"v3"', '"v3", "v5"', '""', "", '"4"', '"v04"', '"V4"', '"v44"', "x" * 5000],
)
def test_if_none_match_names_no_other_version(header):
    with under(IF_NONE_MATCH=header):
        assert not request_headers.matches_if_none_match('"v4"')
