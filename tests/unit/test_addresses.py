"""The address that counts is what our own proxies have written down, whatever is claimed."""

import pytest

from service.addresses import client

PEER = "10.0.0.9"


@pytest.mark.parametrize("forwarded", ["", "203.0.113.5", "203.0.113.5, 198.51.100.7", "nonsense"])
def test_without_proxies_the_header_is_not_looked_at(forwarded):
    assert client(PEER, forwarded, 0) == PEER


@pytest.mark.parametrize(
    ("proxies", "counted"), [(1, "192.0.2.3"), (2, "192.0.2.2"), (3, "192.0.2.1")]
)
def test_each_proxy_counts_one_place_from_the_right(proxies, counted):
    assert client(PEER, "192.0.2.1, 192.0.2.2,192.0.2.3", proxies) == counted


@pytest.mark.parametrize("claimed", ["1.2.3.4", "1.2.3.4, 5.6.7.8", "x" * 60_000, ",,,", " "])
def test_what_a_client_claims_stands_further_left_and_helps_nothing(claimed):
    assert client(PEER, f"{claimed}, 203.0.113.5", 1) == "203.0.113.5"
    assert client(PEER, f"{claimed}, 203.0.113.5, 198.51.100.7", 2) == "203.0.113.5"


@pytest.mark.parametrize(
    "forwarded",
    ["", " ", "unknown", "_hidden", "203.0.113", "203.0.113.256", "localhost", "x" * 60_000],
)
@pytest.mark.parametrize("proxies", [1, 2])
def test_a_request_that_came_past_the_proxies_counts_for_whoever_sent_it(forwarded, proxies):
    assert client(PEER, forwarded, proxies) == PEER


def test_fewer_addresses_than_proxies_are_not_believed():
    assert client(PEER, "203.0.113.5", 2) == PEER


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("2001:DB8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0001"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
    ],
)
def test_addresses_of_one_subscriber_count_as_one(one, other):
    assert client(one, "", 0) == client(other, "", 0)
    assert client(PEER, one, 1) == client(PEER, other, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [("2001:db8:1:2::1", "2001:db8:1:3::1"), ("203.0.113.5", "203.0.113.6"), ("::1", "127.0.0.1")],
)
def test_addresses_of_two_subscribers_count_as_two(one, other):
    assert client(one, "", 0) != client(other, "", 0)


def test_a_peer_without_an_address_is_somebody_too():
    assert client("", "", 0) == ""
    assert client("", "203.0.113.5", 1) == "203.0.113.5"
