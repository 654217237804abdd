"""How games begin: of a numbered, a random or a daily deal, of a commitment, of a replay."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from service.deals.commitment import LIFETIME, Commitment
from service.deals.deal import Deal, PublicDeal, SealedDeal, start_position
from service.errors import (
    CommitmentUsedError,
    GameNotFoundError,
    GameOverError,
    IdempotencyKeyReusedError,
    ReplaySealedError,
    ReplayWrongError,
)
from service.games.base import Position, Variant
from service.games.moves import Move, format_move
from service.play import keys
from service.play.calendar import Calendar
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.referee import play_through
from service.play.standings import Standings
from service.records.events import Event
from service.records.game import Game, Outcome, Receipt
from service.records.replay import Replay
from service.store import Change, Saved, Store


@dataclass(frozen=True, slots=True)
class NewGame:
    """What every creation brings along, whatever deal it is of.

    `fingerprint` tells the request from every other; label and idempotency key are None where
    the request brought none.
    """

    variant: Variant
    label: str | None
    fingerprint: str
    idempotency_key: str | None = None


class Created(NamedTuple):
    """A game as it was created, its play token, and whether it had been created before."""

    game: Game
    play_token: str
    replayed: bool


class Committed(NamedTuple):
    """A commitment, and whether it had been made before."""

    commitment: Commitment
    replayed: bool


class Creation:
    """The use cases that make something new in one store; keeps nothing between two calls.

    Where an idempotency key has created another game, each raises `IdempotencyKeyReusedError`.
    """

    def __init__(
        self,
        store: Store,
        key: ServerKey,
        calendar: Calendar,
        standings: Standings,
        pool: ComputePool,
    ) -> None:
        """`calendar` knows the time, and which daily deals can be begun; `standings` who was first.

        The deals that many play are looked up by the key first: a request that is refused for its
        key must not count as an attempt.
        """
        self._store = store
        self._key = key
        self._calendar = calendar
        self._standings = standings
        self._pool = pool

    def numbered(self, new: NewGame, number: int) -> Created:
        """A new game of the numbered deal."""
        return self._earlier(new) or self._begun(new, PublicDeal(new.variant, number))

    def random(self, new: NewGame) -> Created:
        """A new game of a sealed deal."""
        return self._begun(new, SealedDeal(new.variant, keys.new_seed()))

    def daily(self, new: NewGame, day: date) -> Created:
        """A new game of the deal of the day; `NotTodayError` if it is another day's.

        The earlier answer comes first: a repeat that arrives after midnight finds its game.
        """
        return self._earlier(new) or self._begun(new, self._calendar.todays_deal(new.variant, day))

    def from_commitment(self, new: NewGame, commitment_id: str, player_seed: bytes) -> Created:
        """A new game of a sealed deal that neither side has chosen; it spends the commitment.

        Raises `CommitmentUnknownError`, and `CommitmentUsedError` unless the game that was made
        of the commitment is the very one that is asked for again. The earlier answer comes first:
        a repeat finds its game when the commitment has expired.
        """
        earlier = self._earlier(new, commitment_id)
        if earlier is not None:
            return earlier
        commitment = self._store.commitment(commitment_id)
        deal = SealedDeal(new.variant, commitment.server_seed, player_seed)
        game = self._attempt(new, self._game(new, deal, commitment.id))
        saved = self._store.save(_change(new, game, spends_commitment=True))
        if saved.fresh or saved.answered or saved.game.receipt.fingerprint == new.fingerprint:
            return self._created(new, saved)
        raise CommitmentUsedError

    def fork(self, new: NewGame, replay: Replay, ply: int) -> Created:
        """A new game that goes on from a replay after `ply` moves, for practice alone.

        Raises `ReplaySealedError` where the replay does not tell its deal, `ReplayWrongError`
        where it is not right or shorter than `ply`, `GameOverError` where the game is won, and
        `TooManySearchesError` where others are followed just now.
        """
        if replay.deal is None:
            raise ReplaySealedError
        position = self._pool.search(_reached, new.variant, replay, ply)
        if position.view.won:
            raise GameOverError("won")
        line = replay.moves[:ply]
        start = self._game(new, replay.deal, self._new_id(new))
        game = start._replace(position=position, ply=ply, length=ply, forked_at=ply)
        return self._created(new, self._store.save(_change(new, game, line)))

    def commit(self, idempotency_key: str | None) -> Committed:
        """A commitment that waits an hour for its game."""
        commitment = Commitment(
            self._key.commitment_id_for(idempotency_key) if idempotency_key else keys.new_game_id(),
            keys.new_seed(),
            self._calendar.now() + LIFETIME * 1000,
        )
        try:
            kept = self._store.commit(commitment)
        except CommitmentUsedError:
            # Of the commitment that this key has made, only the game is left.
            raise IdempotencyKeyReusedError from None
        return Committed(kept, replayed=kept != commitment)

    def _begun(self, new: NewGame, deal: Deal) -> Created:
        game = self._attempt(new, self._game(new, deal, self._new_id(new)))
        return self._created(new, self._store.save(_change(new, game)))

    def _attempt(self, new: NewGame, game: Game) -> Game:
        """`game`, marked if it is the first of its label at its deal."""
        first = self._standings.is_first_attempt(game.deal, new.label, game.id)
        return game._replace(first_attempt=first)

    def _new_id(self, new: NewGame) -> str:
        key = new.idempotency_key
        return keys.new_game_id() if key is None else self._key.game_id_for(key)

    def _earlier(self, new: NewGame, game_id: str | None = None) -> Created | None:
        """What the request came to when it was sent before, if it brings a key that is known.

        `game_id` is that of the game it makes, where it does not follow from the key.
        """
        if new.idempotency_key is None:
            return None
        answer_key = keys.fingerprint(new.idempotency_key.encode())
        with suppress(GameNotFoundError):
            loaded = self._store.load_with_answers(game_id or self._new_id(new), answer_key)
            if loaded.answered is not None:
                return self._created(new, Saved(loaded.answered, fresh=False))
        return None

    def _game(self, new: NewGame, deal: Deal, game_id: str) -> Game:
        now = self._calendar.now()
        return Game(
            id=game_id,
            deal=deal,
            position=start_position(deal),
            created_at=now,
            updated_at=now,
            receipt=Receipt(new.fingerprint, Outcome()),
            label=new.label,
            epoch=self._key.epoch,
        )

    def _created(self, new: NewGame, saved: Saved) -> Created:
        if not saved.fresh and saved.game.receipt.fingerprint != new.fingerprint:
            raise IdempotencyKeyReusedError
        if not saved.fresh:
            self._store.confirm(saved.game.id)
        token = self._key.play_token(saved.game.id, saved.game.epoch)
        return Created(saved.game, token, not saved.fresh)


def _reached(game: Variant, replay: Replay, ply: int) -> Position:
    """The position after `ply` moves of `replay`, which is right from its start to its end."""
    if replay.variant is not game:
        detail = f"The replay is one of {replay.variant.title}."
        raise ReplayWrongError("variant-differs", 0, detail)
    positions, fault = play_through(replay)
    if fault is not None:
        move = None if fault.move is None else format_move(fault.move)
        raise ReplayWrongError(fault.code, fault.ply, fault.detail, move, fault.rule)
    if ply >= len(positions):
        detail = f"The replay has {len(positions) - 1} moves and no ply {ply}."
        raise ReplayWrongError("too-short", len(positions) - 1, detail)
    return positions[ply]


def _change(
    new: NewGame, game: Game, played: Sequence[Move] = (), *, spends_commitment: bool = False
) -> Change:
    key = new.idempotency_key
    return Change(
        game,
        Event(1, "created", game.created_at),
        {},
        played,
        answer_key=None if key is None else keys.fingerprint(key.encode()),
        spends_commitment=spends_commitment,
    )
