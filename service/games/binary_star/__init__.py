"""Binary Star: seventeen open fans, two black holes, one rank up or down."""

from service.games.binary_star.rules import BINARY_STAR

__all__ = ["BINARY_STAR"]
