"""Replays: a game to export and share, with as much of its deal as may be public."""

from typing import NamedTuple

from service.deals.deal import Deal
from service.games.base import Variant, View
from service.games.cards import Card
from service.games.moves import Move
from service.records.game import Game, Status
from service.records.record import Record

FORMAT = "asterism-replay/1"


class RevealAt(NamedTuple):
    """A card that the move at `ply`, counted from 1, turned face up on `pile`."""

    ply: int
    pile: str
    card: Card


class Replay(NamedTuple):
    """The start of a game, its moves, and the cards that they turned face up.

    If the deal is still sealed, `deal` is None and `commitment` identifies it. A replay claims
    nothing about the other fields that are None.
    """

    variant: Variant
    moves: tuple[Move, ...]
    deal: Deal | None = None
    commitment: str | None = None
    start: View | None = None
    reveals: tuple[RevealAt, ...] | None = None
    status: Status | None = None
    ruleset: str | None = None

    @property
    def deal_members(self) -> dict[str, str]:
        """The deal as JSON members: its number, or its commitment and, if public, both seeds."""
        deal = self.deal
        if deal is not None and deal.number is not None:
            return {"number": str(deal.number)}
        members = {} if self.commitment is None else {"commitment": self.commitment}
        if deal is None or deal.server_seed is None or deal.player_seed is None:
            return members
        return {
            **members,
            "server_seed": deal.server_seed.hex(),
            "player_seed": deal.player_seed.hex(),
        }


def replay_of(game: Game, record: Record, *, whole: bool) -> Replay:
    """The replay of `game`, with its deal if `whole`, otherwise with the cards seen alone.

    Raises `GameUnreadableError` if the record does not lead to the position of the game.
    """
    line = list(record.replay())
    game.require_position(line[-1].position)
    return Replay(
        game.variant,
        record.line,
        game.deal if whole else None,
        game.deal.commitment,
        line[0].position.view,
        tuple(
            RevealAt(ply, pile, card)
            for ply, played in enumerate(line)
            for pile, card in played.reveals
        ),
        game.status,
        game.variant.ruleset,
    )
