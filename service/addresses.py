"""Whose address a request counts for: that of the client, behind a counted number of proxies."""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

_LONGEST = 64
_SUBSCRIBER = 64
"""Bits of an IPv6 address that a subscriber is given: all the others are theirs to choose."""


def client(peer: str, forwarded: str, proxies: int) -> str:
    """The address that a request from `peer` counts for.

    Each of our own `proxies` has added to `forwarded`, the text of `X-Forwarded-For`, the address
    that it was called from, so the client's is that many from the right; what stands further left
    the client may have written itself. `peer` counts where there are no proxies, and where the
    text has no address in that place: then the request came past them.
    """
    if proxies and forwarded:
        named = forwarded.rsplit(",", proxies)
        if len(named) >= proxies:
            return _counted(named[-proxies].strip()[:_LONGEST]) or _counted(peer) or peer
    return _counted(peer) or peer


@lru_cache(maxsize=4096)
def _counted(text: str) -> str | None:
    """The address, or for IPv6 its network of 64 bits; None if `text` is no address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), _SUBSCRIBER), strict=False))
