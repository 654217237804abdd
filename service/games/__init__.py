"""The games of the service, one line each; no other room lists them."""

from service.errors import UnknownVariantError
from service.games.astrocyte import ASTROCYTE
from service.games.base import Variant
from service.games.binary_star import BINARY_STAR

VARIANTS: dict[str, Variant] = {game.name: game for game in (BINARY_STAR, ASTROCYTE)}
"""Every game of the service, by name."""


def find_variant(name: str) -> Variant:
    """The game called `name`; `UnknownVariantError` if there is none."""
    try:
        return VARIANTS[name]
    except KeyError:
        known = ", ".join(VARIANTS)
        raise UnknownVariantError(f"No variant is called {name[:40]!r}. Known: {known}.") from None
