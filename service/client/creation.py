"""What a request for a new game asks for."""

from collections.abc import Mapping
from datetime import date
from typing import Any, TypeAlias

from service.client.deals import Commitment
from service.client.models import Replay

Recorded: TypeAlias = Replay | Mapping[str, Any]
"""A replay, as the service gave it or as a JSON object of one's own."""


def deal_of(  # noqa: PLR0913 - the ways to get a deal
    *,
    number: int | str | None,
    day: date | str | None,
    commitment: Commitment | str | None,
    player_seed: str | None,
    replay: Recorded | None,
    ply: int | None,
) -> dict[str, Any]:
    """The `deal` of a creation, random if nothing is given.

    Raises `ValueError` if more than one deal is given, or half of one.
    """
    if sum(given is not None for given in (number, day, commitment, replay)) > 1:
        raise ValueError("Give one of deal, daily, commitment and replay.")
    if (commitment is None) != (player_seed is None):
        raise ValueError("Give both commitment and player_seed, or neither.")
    if ply is not None and replay is None:
        raise ValueError("Give ply together with replay.")
    if number is not None:
        return {"number": str(number)}
    if day is not None:
        return {"daily": str(day)}
    if commitment is not None:
        id = commitment.commitment_id if isinstance(commitment, Commitment) else commitment
        return {"commitment_id": id, "player_seed": player_seed}
    if replay is not None:
        moves = replay.moves if isinstance(replay, Replay) else replay["moves"]
        return {"replay": replay, "ply": len(moves) if ply is None else ply}
    return {"random": True}
