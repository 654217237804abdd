"""Whether a revealed deal is what it claims to be: each claim is worked out again, offline."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from service.deals.deal import Deal, PublicDeal, SealedDeal, shuffled_pack
from service.deals.shuffle import SCHEME, deal_number
from service.errors import RevealError
from service.games import VARIANTS

_SERVER_SEED = re.compile("[0-9a-f]{64}")
_PLAYER_SEED = re.compile("([0-9a-f]{2})*")


class Check(NamedTuple):
    """One claim of a revealed deal, whether it is right, and what it was held against."""

    claim: str
    ok: bool
    against: str


def deal_from_reveal(told: Mapping[str, Any]) -> Deal:
    """The deal that `told`, the JSON object of a reveal, describes.

    Raises `RevealError` if it describes none, `DealNumberError` for a number that is none.
    """
    game = VARIANTS.get(str(told.get("variant")))
    if told.get("scheme") != SCHEME or game is None or told.get("ruleset") != game.ruleset:
        raise RevealError("its scheme, variant or ruleset is not known here")
    match told:
        case {"number": str(number)}:
            return PublicDeal(game, deal_number(number))
        case {"number": None, "server_seed": str(server), "player_seed": str(player)}:
            if _SERVER_SEED.fullmatch(server) and _PLAYER_SEED.fullmatch(player):
                return SealedDeal(game, bytes.fromhex(server), bytes.fromhex(player))
    raise RevealError("it tells neither a number nor both seeds")


def verify_reveal(
    told: Mapping[str, Any], commitment: str | None = None, player_seed: str | None = None
) -> Iterator[Check]:
    """Each claim of `told`, the JSON object of a reveal, held against what follows from its seeds.

    `commitment` is the one that was shown before the cards were, `player_seed` the one that was
    brought, both in hexadecimal digits, where they have been noted. Raises as `deal_told` does.
    """
    deal = deal_from_reveal(told)
    if commitment is not None:
        told_it = deal.commitment == commitment.lower()
        yield Check("noted commitment", told_it, "the digest of the server's seed")
    if player_seed is not None:
        right = deal.player_seed is not None and deal.player_seed.hex() == player_seed.lower()
        yield Check("noted seed", right, "the player's seed")
    if deal.commitment is not None:
        right = told.get("commitment") == deal.commitment
        yield Check("commitment", right, "the digest of the server's seed")
    source = "the number" if isinstance(deal, PublicDeal) else "both sides' seeds"
    yield Check("seed", told.get("seed") == deal.seed.hex(), f"what follows from {source}")
    yield Check("pack", told.get("pack") == list(shuffled_pack(deal)), "the shuffle by that seed")
