"""A replay: a game as it can be handed on, with as much of its deal as may be known."""

from typing import NamedTuple

from service.deals.deal import Deal, start_position
from service.games.base import Played, Variant, View
from service.games.cards import Card
from service.games.moves import Move
from service.records.game import Game, Status
from service.records.record import Record

FORMAT = "asterism-replay/1"


class RevealAt(NamedTuple):
    """A card that was turned face up: by the move at `ply`, counted from 1, on `pile`."""

    ply: int
    pile: str
    card: Card


class Replay(NamedTuple):
    """How a table lay, the moves that were played on it, and the cards that they turned.

    Of a sealed deal whose seeds are not told, `deal` is None and `commitment` all that stands for
    it. Whatever else is None is not claimed.
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
        """What is told of the deal: its number, or the commitment and, if known, both seeds."""
        deal = self.deal
        if deal is not None and deal.number is not None:
            return {"number": str(deal.number)}
        told = {} if self.commitment is None else {"commitment": self.commitment}
        if deal is None or deal.server_seed is None or deal.player_seed is None:
            return told
        return {
            **told,
            "server_seed": deal.server_seed.hex(),
            "player_seed": deal.player_seed.hex(),
        }


def replay_of(game: Game, record: Record, *, whole: bool) -> Replay:
    """The replay of `game`, with its deal if it is told `whole`; else with what was seen alone.

    Raises `IllegalMoveError` where the record holds a move that the rules refuse, and
    `GameUnreadableError` where it does not lead to the position of the game.
    """
    start = Played(start_position(game.deal), ())
    line = [start, *record.replay()]
    game.require_position(line[-1].position)
    return Replay(
        game.variant,
        record.line,
        game.deal if whole else None,
        game.deal.commitment,
        start.position.view,
        tuple(
            RevealAt(ply, pile, card)
            for ply, played in enumerate(line)
            for pile, card in played.reveals
        ),
        game.status,
        game.variant.ruleset,
    )
