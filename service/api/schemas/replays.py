"""Builds a `Replay` from a request that its schema has validated."""

from typing import Any

from service.deals.deal import Deal, PublicDeal, RevealedDeal
from service.games import find_variant
from service.games.base import Variant, View
from service.games.piles import Pile
from service.records.replay import Replay, RevealAt

Input = dict[str, Any]


def load_replay(given: Input) -> Replay:
    """The replay in the output of `bodies.REPLAY`."""
    game = find_variant(given["variant"])
    return Replay(
        game,
        tuple(given["moves"]),
        _deal(game, given["deal"]),
        given["deal"].get("commitment"),
        _start(game, given["start"]) if "start" in given else None,
        tuple(RevealAt(**turned) for turned in given["reveals"]) if "reveals" in given else None,
        given.get("status"),
        given.get("ruleset"),
    )


def _deal(game: Variant, given: Input) -> Deal | None:
    match given:
        case {"number": number}:
            return PublicDeal(game, number)
        case {"server_seed": server_seed, "player_seed": player_seed}:
            return RevealedDeal(game, bytes.fromhex(server_seed), bytes.fromhex(player_seed))
    return None


def _start(game: Variant, piles: list[Input]) -> View:
    return View(game, tuple(Pile(**{**pile, "cards": tuple(pile["cards"])}) for pile in piles))
