"""How games begin: of a numbered, a random or a daily deal, or of a commitment and a seed."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from service import keys
from service.commitments import LIFETIME, Commitment
from service.daily import Calendar
from service.deals import Deal, PublicDeal, SealedDeal, start_of
from service.errors import CommitmentUsedError, GameNotFoundError, IdempotencyKeyReusedError
from service.events import Event
from service.game import Game, Outcome, Receipt
from service.keys import ServerKey
from service.standings import Standings
from service.store import Change, Saved, Store
from service.variant import Variant


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
        self, store: Store, key: ServerKey, calendar: Calendar, standings: Standings
    ) -> None:
        """`calendar` knows the time, and which daily deals can be begun; `standings` who was first.

        The deals that many play are looked up by the key first: a request that is refused for its
        key must not count as an attempt.
        """
        self._store = store
        self._key = key
        self._calendar = calendar
        self._standings = standings

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
        return self._earlier(new) or self._begun(new, self._calendar.begun(new.variant, day))

    def fair(self, new: NewGame, commitment_id: str, player_seed: bytes) -> Created:
        """A new game of a sealed deal that neither side has chosen; it spends the commitment.

        Raises `CommitmentUnknownError`, and `CommitmentUsedError` unless the game that was made
        of the commitment is the very one that is asked for again.
        """
        commitment = self._store.commitment(commitment_id)
        deal = SealedDeal(new.variant, commitment.server_seed, player_seed)
        game = self._game(new, deal, commitment.id)
        saved = self._store.save(_change(new, game, spends_commitment=True))
        if saved.fresh or saved.answered or saved.game.receipt.fingerprint == new.fingerprint:
            return self._created(new, saved)
        raise CommitmentUsedError

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
        key = new.idempotency_key
        game = self._game(new, deal, self._key.game_id_for(key) if key else keys.new_game_id())
        return self._created(new, self._store.save(_change(new, game)))

    def _earlier(self, new: NewGame) -> Created | None:
        """What the request came to when it was sent before, if it brings a key that is known."""
        if new.idempotency_key is None:
            return None
        id = self._key.game_id_for(new.idempotency_key)
        with suppress(GameNotFoundError):
            game, answered = self._store.load_with_answer(
                id, keys.fingerprint(new.idempotency_key.encode())
            )
            return self._created(new, Saved(answered or game, fresh=False))
        return None

    def _game(self, new: NewGame, deal: Deal, game_id: str) -> Game:
        now = self._calendar.now()
        return Game(
            id=game_id,
            deal=deal,
            position=start_of(deal),
            created_at=now,
            updated_at=now,
            receipt=Receipt(new.fingerprint, Outcome()),
            label=new.label,
            first_attempt=self._standings.is_first_attempt(deal, new.label, game_id),
        )

    def _created(self, new: NewGame, saved: Saved) -> Created:
        if not saved.fresh and saved.game.receipt.fingerprint != new.fingerprint:
            raise IdempotencyKeyReusedError
        token = self._key.play_token(saved.game.id, saved.game.epoch)
        return Created(saved.game, token, not saved.fresh)


def _change(new: NewGame, game: Game, *, spends_commitment: bool = False) -> Change:
    key = new.idempotency_key
    return Change(
        game,
        Event(1, "created", game.created_at),
        answer_key=None if key is None else keys.fingerprint(key.encode()),
        spends_commitment=spends_commitment,
    )
