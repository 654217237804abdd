"""Request headers are read as their RFCs say; malformed ones are refused or count as absent."""

import pytest
from flask import Flask
from werkzeug.exceptions import NotAcceptable, UnsupportedMediaType

from service.api import request_headers
from service.errors import InvalidRequestError

APP = Flask("headers")


def read(function, header, value, *given):
    """What `function` reads from a request with this header, as bytes on the wire."""
    name = header if header == "CONTENT_TYPE" else f"HTTP_{header}"
    with APP.test_request_context(environ_overrides={name: value.encode().decode("latin-1")}):
        return function(*given)


def each(*values):
    """Every one of these values."""
    return pytest.mark.parametrize("value", values, ids=ascii)


# The media type of the body


@each(
    *("application/json", "Application/Json;Charset=UTF-8", "application/json;", ""),
    *('application/json; charset="utf-8"', "application/json; charset=UTF8", " application/json "),
)
def test_json_in_utf_8_has_many_spellings(value):
    read(request_headers.require_json, "CONTENT_TYPE", value)


@each(
    *("text/plain", "text/json", "*/*", "multipart/form-data; boundary=x", "json", " ", "é/json"),
    *("application/problem+json", "application/json5", "application/", "application json"),
    *("application/json, text/plain", "text/plain; application/json", "; charset=utf-8"),
    *("application/json; charset=latin-1", "application/json;charset=utf-8x"),
)
def test_another_media_type_is_refused(value):
    with pytest.raises(UnsupportedMediaType):
        read(request_headers.require_json, "CONTENT_TYPE", value)


@each("gzip", "br", "deflate", "GZIP", "gzip, identity", "x", "*")
def test_a_body_is_not_encoded(value):
    read(request_headers.require_json, "CONTENT_ENCODING", "Identity")
    with pytest.raises(UnsupportedMediaType):
        read(request_headers.require_json, "CONTENT_ENCODING", value)


# The media type of the response


def accepted(value, *offered):
    return read(request_headers.accepted_media_type, "ACCEPT", value, offered)


@each(
    *("APPLICATION/JSON", "*/*", "application/*", "text/html, */*;q=0.1", "text/html,,*/*"),
    *("application/json;q=0.1", "text/html;q=0.9, application/json;q=0.2", "", " ", " , "),
    *('application/json;charset="UTF-8"', "application/problem+json, application/json"),
    *("application/json;q=1.", "application/json;q=.5", "application/json;q=abc", "*/*; q=.2"),
    *("application/json;q=", "application/json;q=2", "application/json;q=-1", "*/* ; Q = 1."),
    *(",application/json,,", 'application/json;q="0.5"', "*, */*;q=nan"),
    "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
)
def test_json_is_for_every_client_that_accepts_it(value):
    assert accepted(value, "application/json") == "application/json"


@each(
    *("text/html", "image/*", "text/event-stream", "application/jsonl", "json", "/", ";;;"),
    *("application/json;q=0", "*/*;q=0.000", "application/json;q=0, */*", "application/json;v=2"),
    *("application/json;q=.0", "text/html;q=1., ,", "application/problem+json", "*/json"),
    "application/json; charset=utf-16",
)
def test_a_client_that_accepts_no_json_is_refused(value):
    with pytest.raises(NotAcceptable):
        accepted(value, "application/json")


@pytest.mark.parametrize(
    ("value", "chosen"),
    [
        ("text/plain, application/json;q=0.5", "text/plain"),
        ("text/plain;q=0.5, */*", "application/json"),
        ("text/plain, application/json", "application/json"),
        ("text/*", "text/plain"),
    ],
)
def test_the_preferred_one_of_several_media_types_is_chosen(value, chosen):
    assert accepted(value, "application/json", "text/plain") == chosen


# The play token


@pytest.mark.parametrize(
    ("value", "token"),
    [
        *(("Bearer abc", "abc"), ("BeArEr  abc ", "abc"), ("Bearer abc=", "abc=")),
        *(("Bearer abc,", "abc,"), ('Bearer "abc"', '"abc"'), ("Bearer a b", "a b")),
    ],
)
def test_the_play_token_is_a_bearer_token(value, token):
    assert read(request_headers.play_token, "AUTHORIZATION", value) == token


@each(
    *("", " ", "Bearer", "Bearer ", "abc", "Basic OnRva2Vu", "Token abc", "Bear er abc"),
    *("Bearer:abc", "Bearer=abc", "Bearer\tabc", "Bearerabc", ", Bearer abc", "\xff\xfe"),
    'Digest username="abc"',
)
def test_nothing_else_is_a_play_token(value):
    assert read(request_headers.play_token, "AUTHORIZATION", value) is None


def test_a_token_with_an_equals_sign_inside_is_one_that_no_game_has():
    token = read(request_headers.play_token, "AUTHORIZATION", "Bearer token=abc")
    assert token not in (None, "abc")


# Idempotency keys


@each("a" * 16, "A-Z._~09" * 16)
def test_a_well_formed_key_is_taken(value):
    assert read(request_headers.idempotency_key, "IDEMPOTENCY_KEY", value) == value


@each(
    *("", "a" * 15, "a" * 129, "key with spaces in it", "a" * 16 + ",", "a" * 16 + "\n"),
    *('"' + "a" * 20 + '"', "a" * 16 + "/", "a" * 16 + "+", "ä" * 20, "a" * 16 + "\x00"),
)
def test_a_malformed_key_is_refused(value):
    with pytest.raises(InvalidRequestError) as refused:
        read(request_headers.idempotency_key, "IDEMPOTENCY_KEY", value)
    assert [error["header"] for error in refused.value.errors] == ["Idempotency-Key"]


# Entity tags


@each('"v4"', ' "v4" ', '"v3", "v4"', '"v4","v9"', 'W/"v4", "v4"', '"x,y", "v4"')
def test_if_match_names_a_version_by_its_strong_tag(value):
    assert 4 in read(request_headers.if_match, "IF_MATCH", value)


@each("*", " * ")
def test_if_match_with_a_star_is_no_condition(value):
    assert read(request_headers.if_match, "IF_MATCH", value) is None


@each(
    *('"v3"', '"v3", "v5"', 'W/"v4"', 'w/"v4"', "v4", '"4"', '"V4"', '"v04"', '"v4', 'v4"'),
    *('""', "", ",", '"v"', '"v4" "v4"', "'v4'", '"v٤"', '"v' + "4" * 30 + '"', '"*"', '"v4.0"'),
)
def test_any_other_if_match_does_not_name_the_version(value):
    assert 4 not in read(request_headers.if_match, "IF_MATCH", value)


@each('"v4"', 'W/"v4"', "*", '"v3", "v4"', '"x", W/"v4"', '"v4","v3"', ' "v4"')
def test_if_none_match_compares_weakly(value):
    assert read(request_headers.matches_if_none_match, "IF_NONE_MATCH", value, '"v4"')


@each('"v3"', 'W/"v3"', '"v3", "v5"', '""', "", '"4"', '"v04"', '"V4"', '"v44"', "x" * 5000)
def test_if_none_match_names_no_other_version(value):
    assert not read(request_headers.matches_if_none_match, "IF_NONE_MATCH", value, '"v4"')
