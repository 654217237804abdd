"""The address that counts is what our own proxies have written down, whatever a client claims."""

import logging

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from service.api import client_address as module
from service.api.client_address import TrustedProxies, client_address

PEER = "10.0.0.9"
FLASK = Flask("addresses")


def counted(peer, forwarded, proxies):
    """What a request from `peer` counts for, with this text in X-Forwarded-For."""
    found = []

    def application(environ, start_response):
        with FLASK.request_context(environ):
            found.append(client_address())
        return []

    environ = EnvironBuilder(environ_base={"REMOTE_ADDR": peer}).get_environ()
    if forwarded is not None:
        environ["HTTP_X_FORWARDED_FOR"] = forwarded
    behind = TrustedProxies(application, proxies) if proxies else application
    behind(environ, lambda *_: None)
    return found[0]


@pytest.fixture(autouse=True)
def warnings(caplog):
    """The warnings of one process."""
    module._warn_of_unreadable_address.cache_clear()
    caplog.set_level(logging.WARNING, logger="asterism")
    return caplog


@pytest.mark.parametrize(
    "forwarded", [None, "203.0.113.5", "203.0.113.5, 198.51.100.7", "nonsense"]
)
def test_without_proxies_the_header_is_not_looked_at(forwarded):
    assert counted(PEER, forwarded, 0) == PEER


@pytest.mark.parametrize(
    ("proxies", "client"), [(1, "192.0.2.3"), (2, "192.0.2.2"), (3, "192.0.2.1")]
)
def test_each_proxy_counts_one_place_from_the_right(proxies, client):
    assert counted(PEER, "192.0.2.1, 192.0.2.2,192.0.2.3", proxies) == client


@pytest.mark.parametrize(
    "claimed",
    [
        *("1.2.3.4", "1.2.3.4, 5.6.7.8", "x" * 60_000, ",,,", " ", "[", "[::1", "for=1.2.3.4"),
        *('"', '1.2.3.4, "', '1.2.3.4, "\\', '"1.2.3.4', '1.2.3.4, "", "', '"' * 60_000, "\xff"),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_what_a_client_claims_stands_further_left_and_changes_nothing(claimed):
    assert counted(PEER, f"{claimed}, 203.0.113.5", 1) == "203.0.113.5"
    assert counted(PEER, f"{claimed}, 203.0.113.5, 198.51.100.7", 2) == "203.0.113.5"


@pytest.mark.parametrize(
    ("written", "client"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:51234", "203.0.113.7"),
        ('"203.0.113.7"', "203.0.113.7"),
        ('"203.0.113.7:51234"', "203.0.113.7"),
        ("\t203.0.113.7 ", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::FFFF:cb00:7107", "203.0.113.7"),
        ("[::ffff:203.0.113.7]:443", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ('"[2001:db8::1]:443"', "2001:db8::/64"),
        ("[2001:DB8:0:0:ffff:ffff:ffff:ffff]:65535", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("[fe80::1%25eth0]:443", "fe80::/64"),
    ],
)
@pytest.mark.parametrize("proxies", [1, 2])
def test_an_address_is_read_in_every_form_that_proxies_write(written, client, proxies, warnings):
    inner = ", 198.51.100.7" * (proxies - 1)
    assert counted(PEER, f"192.0.2.1, {written}{inner}", proxies) == client
    assert not warnings.records


@pytest.mark.parametrize(
    "written",
    [
        *("unknown", "_hidden", "203.0.113", "203.0.113.256", "localhost", "x" * 60_000),
        *("[2001:db8::1", "2001:db8::1]:443", "[203.0.113.7", "::g", "1.2.3.4.5:80", "\xff"),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_where_a_proxy_writes_no_address_the_connection_s_counts_and_one_warning_says_so(
    written, warnings
):
    for _ in range(3):
        assert counted(PEER, f"192.0.2.1, {written}", 1) == PEER
    assert [record.levelname for record in warnings.records] == ["WARNING"]
    assert "ASTERISM_PROXIES" in warnings.text
    assert written not in warnings.text


@pytest.mark.parametrize(
    ("forwarded", "proxies"), [(None, 1), ("", 1), (" ", 1), ("203.0.113.5", 2), ("1.2.3.4,", 2)]
)
def test_a_request_that_came_past_the_proxies_counts_for_its_own_address(
    forwarded, proxies, warnings
):
    assert counted(PEER, forwarded, proxies) == PEER
    assert not warnings.records


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:DB8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0001", True),
        ("::ffff:203.0.113.5", "203.0.113.5", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("203.0.113.5", "203.0.113.6", False),
        ("::1", "127.0.0.1", False),
    ],
)
def test_addresses_count_as_one_exactly_if_they_are_of_one_subscriber(one, other, alike):
    assert (counted(one, None, 0) == counted(other, None, 0)) == alike
    assert (counted(PEER, one, 1) == counted(PEER, other, 1)) == alike


def test_a_connection_without_an_address_is_no_fault(warnings):
    assert counted("", None, 0) == ""
    assert counted("", None, 1) == ""
    assert counted("", "unknown", 1) == ""
    assert counted("", "203.0.113.5", 1) == "203.0.113.5"
