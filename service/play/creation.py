"""Creates games: of a numbered, random or daily deal, of a commitment, or as a fork of a replay."""

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
    ReplaySealedError,
    ReplayWrongError,
)
from service.games.base import Position, Variant
from service.games.moves import format_move
from service.play import idempotency, keys
from service.play.calendar import Calendar
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.play.labels import Labels
from service.play.referee import play_through
from service.play.standings import Standings
from service.records.events import Event
from service.records.game import Game, Outcome, Receipt
from service.records.replay import Replay
from service.store import CHECKPOINT_PLIES, Change, Saved, Store


@dataclass(frozen=True, slots=True)
class NewGame:
    """What every request has that creates a game, whatever its deal.

    `fingerprint` identifies the request; label and keys are None where it has none.
    """

    variant: Variant
    label: str | None
    fingerprint: str
    idempotency_key: str | None = None
    label_key: str | None = None


class Created(NamedTuple):
    """A game as it was created, its play token, and whether an earlier request created it.

    `label_key` is None unless the game is the first of its label.
    """

    game: Game
    play_token: str
    label_key: str | None
    replayed: bool


class Creation:
    """The use cases that create games and commitments in one store; stateless.

    Each raises `IdempotencyKeyReusedError` if its idempotency key was used for another request, or
    for what has been deleted or has expired, and `LabelKeyWrongError`.
    """

    def __init__(
        self,
        store: Store,
        key: ServerKey,
        calendar: Calendar,
        standings: Standings,
        pool: ComputePool,
    ) -> None:
        """`calendar` knows the time and the daily deals, `standings` the first attempts.

        Where something is shared by many players, a deal or a label, the idempotency key is looked
        up first: a request that is refused for its key must not count as an attempt or own a label.
        """
        self._store = store
        self._key = key
        self._calendar = calendar
        self._standings = standings
        self._pool = pool
        self.labels = Labels(store, key, calendar.now)

    def numbered(self, new: NewGame, number: int) -> Created:
        """A new game of the numbered deal."""
        return self._earlier(new) or self._begin(new, PublicDeal(new.variant, number))

    def random(self, new: NewGame) -> Created:
        """A new game of a sealed deal."""
        earlier = None if new.label is None else self._earlier(new)
        return earlier or self._begin(new, SealedDeal(new.variant, keys.new_seed()))

    def daily(self, new: NewGame, day: date) -> Created:
        """A new game of the deal of the day; `NotTodayError` if it is another day's.

        The key is looked up first, so that a repeat after midnight finds its game.
        """
        return self._earlier(new) or self._begin(new, self._calendar.todays_deal(new.variant, day))

    def from_commitment(self, new: NewGame, commitment_id: str, player_seed: bytes) -> Created:
        """A new game of a sealed deal that neither side could choose; it spends the commitment.

        Raises `CommitmentUnknownError`, and `CommitmentUsedError` unless this is a repeat of the
        request that spent it. The key is looked up first, so that a repeat finds its game when the
        commitment has expired.
        """
        earlier = self._earlier(new, commitment_id)
        if earlier is not None:
            return earlier
        commitment = self._store.commitment(commitment_id)
        deal = SealedDeal(new.variant, commitment.server_seed, player_seed)
        game = self._game(new, deal, commitment.id)
        if not commitment.used:  # else this is a repeat, or refused, and must own no label
            game = self._with_attempt(new, game)
        saved = self._store.save(_change(new, game)._replace(spends_commitment=True))
        if saved.fresh or saved.answered or saved.game.receipt.fingerprint == new.fingerprint:
            return self._created(new, saved)
        raise CommitmentUsedError

    def fork(self, new: NewGame, replay: Replay, ply: int) -> Created:
        """A new practice game that goes on from a replay after `ply` moves.

        Raises `ReplaySealedError` if the replay does not tell its deal, `ReplayWrongError` if it is
        wrong or shorter than `ply`, `GameOverError` if the game is won by then, and
        `TooManySearchesError` while too many others are computed.
        """
        if replay.deal is None:
            raise ReplaySealedError
        earlier = None if new.label is None else self._earlier(new)
        if earlier is not None:
            return earlier
        positions = self._pool.search(_positions, new.variant, replay, ply)
        position = positions[ply]
        if position.view.won:
            raise GameOverError("won")
        line = replay.moves[:ply]
        start = self._game(new, replay.deal, self._new_id(new))
        owned = self.labels.admit(new.label, new.label_key, start.id)
        game = start._replace(
            position=position, ply=ply, length=ply, forked_at=ply, label_owned=owned
        )
        checkpoints = {at: positions[at] for at in range(0, ply, CHECKPOINT_PLIES)}
        change = _change(new, game)._replace(played=line, positions=checkpoints)
        return self._created(new, self._store.save(change))

    def commit(self, idempotency_key: str | None) -> tuple[Commitment, bool]:
        """A commitment that can be used for a game within an hour, and whether it is repeated.

        `IdempotencyKeyReusedError` if the one that this key made has expired.
        """
        commitment = Commitment(
            self._key.commitment_id_for(idempotency_key) if idempotency_key else keys.new_game_id(),
            keys.new_seed(),
            self._calendar.now() + LIFETIME * 1000,
        )
        kept = self._store.commit(commitment, idempotency.answer_key(idempotency_key))
        return kept, kept != commitment

    def _begin(self, new: NewGame, deal: Deal) -> Created:
        game = self._with_attempt(new, self._game(new, deal, self._new_id(new)))
        return self._created(new, self._store.save(_change(new, game)))

    def _with_attempt(self, new: NewGame, game: Game) -> Game:
        """`game`, marked if it is one of its label's owner, and the first of its label at its deal.

        At a deal that it shares, it is not the first under a label that somebody else owns.
        """
        owned = self.labels.admit(new.label, new.label_key, game.id)
        label = new.label if owned else None
        first = self._standings.is_first_attempt(game.deal, label, game.id)
        return game._replace(label_owned=owned, first_attempt=first)

    def _new_id(self, new: NewGame) -> str:
        key = new.idempotency_key
        return keys.new_game_id() if key is None else self._key.game_id_for(key)

    def _earlier(self, new: NewGame, game_id: str | None = None) -> Created | None:
        """The game that an earlier request with the same idempotency key created, if one did.

        `game_id` is the id of the new game, where it does not follow from the key.
        """
        if new.idempotency_key is None:
            return None
        answer_key = idempotency.answer_key(new.idempotency_key)
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
        game = saved.game
        if not saved.fresh:
            idempotency.repeated(self._store, game, new.fingerprint)
        label_key = None
        if game.label_owned and new.label_key is None:
            label_key = self.labels.key_given_with(game)
        play_token = self._key.play_token(game.id, game.epoch)
        return Created(game, play_token, label_key, not saved.fresh)


def _positions(game: Variant, replay: Replay, ply: int) -> Sequence[Position]:
    """Every position of `replay`; `ReplayWrongError` unless it is valid and has `ply` moves."""
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
    return positions


def _change(new: NewGame, game: Game) -> Change:
    created = Event(1, "created", game.created_at)
    return Change(game, created, {}, answer_key=idempotency.answer_key(new.idempotency_key))
