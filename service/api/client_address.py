"""The client address that a request counts for, also behind proxies."""

import logging
from collections.abc import Iterable
from functools import cache, lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication

from flask import request
from werkzeug.middleware.proxy_fix import ProxyFix

_log = logging.getLogger("asterism")

_LONGEST = 64
"""Characters of one address, as proxies write it."""
_SUBSCRIBER_BITS = 64
"""Bits of an IPv6 address that a subscriber is given: all the others are theirs to choose."""


class TrustedProxies(ProxyFix):
    """ProxyFix for X-Forwarded-For alone, safe against what a client has put into it."""

    def __init__(self, application: WSGIApplication, proxies: int) -> None:
        """Each of our own `proxies` adds the address it was called from, so the client's is that
        many from the right.
        """
        super().__init__(application, x_for=proxies, x_proto=0)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Sets REMOTE_ADDR to the client's, unless the header has fewer addresses than proxies."""
        forwarded: str | None = environ.get("HTTP_X_FORWARDED_FOR")
        if forwarded:
            # To ProxyFix a comma between quotes is text: with one quote of its own, a client could
            # hide the addresses that the proxies add. Of a long header only the end matters.
            environ["HTTP_X_FORWARDED_FOR"] = forwarded[-_LONGEST * self.x_for :].replace('"', "")
        return super().__call__(environ, start_response)


def client_address() -> str:
    """The IPv4 address that the request counts for, or the /64 network of its IPv6 address.

    Where a proxy has written something that is no address, the address of the connection counts.
    """
    environ = request.environ
    address: str = environ.get("REMOTE_ADDR") or ""
    peer: str = environ.get("werkzeug.proxy_fix.orig", environ).get("REMOTE_ADDR") or ""
    counted = _network(address[:_LONGEST])
    if counted is None and address != peer:
        _warn_of_unreadable_address()
        counted = _network(peer)
    return counted or peer


@lru_cache(maxsize=4096)
def _network(text: str) -> str | None:
    """What an address counts as, None if `text` is none; it may have brackets and a port."""
    try:
        address = ip_address(text)
    except ValueError:
        try:
            address = ip_address(urlsplit(f"//{text}").hostname or "")
        except ValueError:
            return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _SUBSCRIBER_BITS), strict=False))


@cache
def _warn_of_unreadable_address() -> None:
    """Warns once in a process; without the text, which a client may have written."""
    _log.warning(
        "X-Forwarded-For has no address where ASTERISM_PROXIES looks for the client's: such "
        "requests count for the proxy. Check ASTERISM_PROXIES, and what the proxies write."
    )
