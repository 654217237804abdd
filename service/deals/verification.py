"""Offline verification of a revealed deal: each claim is computed again."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from service.deals.deal import Deal, PublicDeal, SealedDeal, shuffled_pack
from service.deals.shuffle import DIGEST_PATTERN, SCHEME, deal_number
from service.errors import RevealError
from service.games import VARIANTS

_PLAYER_SEED = re.compile("([0-9a-f]{2})*")


class Check(NamedTuple):
    """One claim of a revealed deal, whether it holds, and what it was compared with."""

    claim: str
    ok: bool
    against: str


def deal_from_reveal(reveal: Mapping[str, Any]) -> Deal:
    """The deal that the JSON object of a reveal describes.

    Raises `RevealError` if it describes none, `InputError` for an invalid number.
    """
    game = VARIANTS.get(str(reveal.get("variant")))
    if reveal.get("scheme") != SCHEME or game is None or reveal.get("ruleset") != game.ruleset:
        raise RevealError("unknown scheme, variant or ruleset")
    match reveal:
        case {"number": str(number)}:
            return PublicDeal(game, deal_number(number))
        case {"number": None, "server_seed": str(server), "player_seed": str(player)}:
            if re.fullmatch(DIGEST_PATTERN, server) and _PLAYER_SEED.fullmatch(player):
                return SealedDeal(game, bytes.fromhex(server), bytes.fromhex(player))
    raise RevealError("it has neither a number nor both seeds")


def verify_reveal(
    reveal: Mapping[str, Any], commitment: str | None = None, player_seed: str | None = None
) -> Iterator[Check]:
    """Compares each claim of `reveal`, the JSON object, with what follows from its seeds.

    `commitment` is the one published before the game and `player_seed` the one the player chose,
    both in hexadecimal digits, if the player has kept them. Raises as `deal_from_reveal` does.
    """
    deal = deal_from_reveal(reveal)
    if commitment is not None:
        kept = deal.commitment == commitment.lower()
        yield Check("noted commitment", kept, "the digest of the server's seed")
    if player_seed is not None:
        kept = deal.player_seed is not None and deal.player_seed.hex() == player_seed.lower()
        yield Check("noted seed", kept, "the player's seed")
    if deal.commitment is not None:
        same = reveal.get("commitment") == deal.commitment
        yield Check("commitment", same, "the digest of the server's seed")
    source = "the number" if isinstance(deal, PublicDeal) else "both sides' seeds"
    yield Check("seed", reveal.get("seed") == deal.seed.hex(), f"what follows from {source}")
    yield Check("pack", reveal.get("pack") == list(shuffled_pack(deal)), "the shuffle by that seed")
