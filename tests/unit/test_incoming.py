"""A request is there when its last byte is, in whatever pieces it has come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.incoming import MOST, Incoming

HEAD = b"POST /v1/games HTTP/1.1\r\nHost: here\r\n"
REQUESTS = {
    "no body": b"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
    "a body": HEAD + b"Content-Length: 5\r\n\r\n12345",
    "no bytes of a body": HEAD + b"content-length:0\r\n\r\n",
    "a body like an end": HEAD + b"Content-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n",
    "chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n",
    "a chunk like a last one": HEAD
    + b"Transfer-Encoding: chunked\r\n\r\n9\r\n\r\n0\r\n\r\nab\r\n0\r\n\r\n",
    "a chunk with an extension": HEAD
    + b"Transfer-Encoding: gzip, chunked\r\n\r\n2;a=b\r\n12\r\n0\r\nT: x\r\n\r\n",
    "a wait for a word": HEAD + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_it_is_ready_with_its_last_byte_and_not_before(request_, size):
    incoming = Incoming()
    for start in range(0, len(request_), size):
        assert not incoming.is_ready()
        incoming.data += request_[start : start + size]
    assert incoming.is_ready()
    assert not incoming.is_cut


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_what_comes_ahead_of_the_next_request_takes_nothing_from_this_one(request_):
    incoming = Incoming(request_ + b"GET / HTTP/1.1\r\n")
    assert incoming.is_ready()
    assert not incoming.is_cut


@pytest.mark.parametrize(
    "endless",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * MOST,
        b"x" * MOST,
        HEAD + b"Content-Length: 200000\r\n\r\n",
        HEAD + b"Content-Length: 999999999999999999\r\n\r\n" + b"x" * 100,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * (MOST // 6),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n" + b"x" * MOST,
    ],
    ids=lambda data: ascii(data[-30:]),
)
def test_what_is_too_long_is_not_waited_for(endless):
    incoming = Incoming(endless)
    assert incoming.is_ready()
    assert incoming.is_cut


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"-1\r\n", b"\r\n", b"5" * 1200])
def test_what_is_no_chunk_is_told_so_at_once(chunk):
    assert Incoming(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk).is_ready()


def test_who_waits_for_a_word_is_known_by_the_head_alone():
    request_ = REQUESTS["a wait for a word"]
    incoming = Incoming(request_[:-3])
    assert not incoming.is_ready()
    assert incoming.awaits_word


@given(st.binary(max_size=300), st.integers(1, 50))
def test_bytes_of_any_kind_are_looked_through_alike_in_any_pieces(data, size):
    whole, pieces = Incoming(data), Incoming()
    ready = False
    for start in range(0, len(data), size):
        pieces.data += data[start : start + size]
        ready = ready or pieces.is_ready()
    assert ready == whole.is_ready()
