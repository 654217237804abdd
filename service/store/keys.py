"""The names of all Redis keys and channels; a hash tag puts those of a game in one cluster slot."""

import re
from hashlib import blake2b
from typing import NamedTuple

GAMES = "ast:{*}:game"
"""The pattern of the keys of all games."""

CHANNELS = "ast:{*}:events"
"""The pattern of the channels on which scripts publish that a game has changed."""

_CHANNEL = re.compile(rb"ast:\{(.+)\}:events")


class GameKeys(NamedTuple):
    """The keys of a game: `events` is a channel, each other one the name of a value."""

    game: str
    line: str
    log: str
    answers: str
    checkpoints: str
    used: str
    events: str


def game_keys(game_id: str) -> GameKeys:
    """The keys of a game."""
    return GameKeys._make([f"ast:{{{game_id}}}:{part}" for part in GameKeys._fields])


def game_id_of(game_key: bytes) -> str:
    """The id of the game whose state has this key, one that `GAMES` matches."""
    return game_key.decode().removeprefix("ast:{").removesuffix("}:game")


def changed_game(channel: bytes) -> str | None:
    """The id of the game that a channel is about; None if it is about none."""
    match = _CHANNEL.fullmatch(channel)
    return match[1].decode() if match else None


def commitment_key(id: str) -> str:
    """The key of a commitment, in the slot of the game that will be made of it."""
    return f"ast:{{{id}}}:commitment"


class ListKeys(NamedTuple):
    """The keys of a list of results: a hash, two sorted sets and a string."""

    results: str
    order: str
    ranking: str
    revision: str


def list_keys(name: str) -> ListKeys:
    """The keys of the list called `name`.

    The number grows when results are written in another form: a sweep fills the new lists.
    """
    return ListKeys(*(f"ast:list/3:{{{name}}}:{part}" for part in ListKeys._fields))


class TallyKeys(NamedTuple):
    """The keys of the tallies of a day: two hashes and a string."""

    games: str
    sums: str
    revision: str


def tally_keys(variant: str, day: int) -> TallyKeys:
    """The keys of the tallies of a variant on a `day`, counted since 1970."""
    return TallyKeys(*(f"ast:tally/1:{{{variant}}}:{day}:{part}" for part in TallyKeys._fields))


def owner_key(label: str) -> str:
    """The key that holds who owns a label."""
    return f"ast:label/1:{{{label}}}"


def first_attempt_key(deal_id: str, label: str) -> str:
    """The key that holds the id of the first game of `label` at a deal."""
    return f"ast:first:{{{deal_id}:{label}}}"


def claim_mark(deal_id: str, label: str) -> str:
    """What a game leaves behind that has made the first attempt of `label` at a deal."""
    return blake2b(first_attempt_key(deal_id, label).encode(), digest_size=6).hexdigest()
