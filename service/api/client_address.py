"""The client address for rate limits, also behind proxies."""

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
"""Characters of one address as proxies write it, at most."""
_SUBSCRIBER_BITS = 64
"""Bits of the prefix that an IPv6 subscriber is assigned: they choose all others freely."""


class TrustedProxies(ProxyFix):
    """ProxyFix for X-Forwarded-For alone, safe against forged entries."""

    def __init__(self, application: WSGIApplication, proxies: int) -> None:
        """Each of our own `proxies` appends the address that connected to it, so the client's is
        that many from the right.
        """
        super().__init__(application, x_for=proxies, x_proto=0)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Sets REMOTE_ADDR to the client's, unless the header has fewer addresses than proxies."""
        forwarded: str | None = environ.get("HTTP_X_FORWARDED_FOR")
        if forwarded:
            # ProxyFix takes a comma between quotes for text: with a single quote character, a
            # client could hide the addresses that the proxies append. Only the end of a long
            # header matters.
            environ["HTTP_X_FORWARDED_FOR"] = forwarded[-_LONGEST * self.x_for :].replace('"', "")
        return super().__call__(environ, start_response)


def client_address() -> str:
    """The client's IPv4 address, or the /64 network of its IPv6 address.

    If a proxy has written something that is not an address, that of the connection counts.
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
    """The address or network of `text`, which may have brackets and a port; None if malformed."""
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
    """Warns once per process; without the text, which may come from a client."""
    _log.warning(
        "X-Forwarded-For has no valid client address where ASTERISM_PROXIES expects it: such "
        "requests count for the proxy. Check ASTERISM_PROXIES and the proxies' configuration."
    )
