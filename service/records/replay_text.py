"""The text form of a replay: to read, to keep in a file, to send in a letter.

It has three parts with an empty line between them: what it is, one `name: value` a line; the table
at the start, as a text board; and the moves, one a line, each with the cards that it turned:

    t7t2 t7=KD
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from service.errors import ReplayTextError
from service.games.boards import print_view
from service.games.moves import format_move
from service.games.piles import KIND_OF
from service.records.replay import FORMAT, Replay, RevealAt

Json = dict[str, Any]

_NAMES = ("format", "variant", "ruleset", "status")
_DEAL_NAMES = ("number", "commitment", "server_seed", "player_seed")
_HEAD = re.compile(r"([a-z_]+): ?(.*)")
_PILE = re.compile(r"(([tcfs])[0-9]{0,2}): (?:\[([0-9]{1,3})\] ?)?(.*)", re.ASCII)
_REVEAL = re.compile(r"([a-z0-9]{1,3})=([A-Z0-9]{2})", re.ASCII)


def print_replay(replay: Replay) -> str:
    """The text form of `replay`; what it does not claim is left out."""
    board = "" if replay.start is None else print_view(replay.start)
    parts = ("\n".join(_head(replay)), board, "\n".join(_lines(replay)))
    return "\n\n".join(part for part in parts if part) + "\n"


def parse_replay(written: str) -> Json:
    """The JSON form of the replay that `written` writes; `ReplayTextError` for no replay.

    Its lines are taken apart and no more: what they say is judged as in JSON.
    """
    head, *parts = re.split(r"\n[ \t]*\n+", written.strip())
    replay: Json = {"deal": {}, "moves": [], "reveals": []}
    for line in head.splitlines():
        name, value = _taken_apart(_HEAD, line, "a name and a value, as in `variant: …`").groups()
        place = replay if name in _NAMES else replay["deal"] if name in _DEAL_NAMES else None
        if place is None or name in place:
            raise ReplayTextError(f"{line[:60]!r} is not known, or stands there twice")
        place[name] = value
    if parts and _PILE.fullmatch(parts[0].splitlines()[0].strip()):
        board, *parts = parts
        replay["start"] = [_pile(line) for line in board.splitlines()]
    for ply, line in enumerate((line for part in parts for line in part.splitlines()), start=1):
        move, *turned = line.split()
        replay["moves"].append(move)
        for word in turned:
            pile, card = _taken_apart(_REVEAL, word, "a pile and its card, as in t7=KD").groups()
            replay["reveals"].append({"ply": ply, "pile": pile, "card": card})
    return replay


def _head(replay: Replay) -> Iterator[str]:
    yield f"format: {FORMAT}"
    yield f"variant: {replay.variant.name}"
    if replay.ruleset is not None:
        yield f"ruleset: {replay.ruleset}"
    for name, value in replay.deal_members.items():
        yield f"{name}: {value}".rstrip()
    if replay.status is not None:
        yield f"status: {replay.status}"


def _lines(replay: Replay) -> Iterator[str]:
    turned: dict[int, list[RevealAt]] = {}
    for reveal in replay.reveals or ():
        turned.setdefault(reveal.ply, []).append(reveal)
    for ply, move in enumerate(replay.moves, start=1):
        yield " ".join((format_move(move), *_words(turned.get(ply, ()))))


def _words(reveals: Iterable[RevealAt]) -> Iterator[str]:
    return (f"{reveal.pile}={reveal.card}" for reveal in reveals)


def _pile(line: str) -> Json:
    parts = _taken_apart(_PILE, line.strip(), "a pile, as in t1: [7] 9H or t1: -")
    id, letter, hidden, cards = parts.groups()
    faces = [] if cards == "-" else cards.split()
    return {"id": id, "kind": KIND_OF[letter], "hidden": int(hidden or 0), "cards": faces}


def _taken_apart(form: re.Pattern[str], line: str, what: str) -> re.Match[str]:
    found = form.fullmatch(line)
    if found is None:
        raise ReplayTextError(f"{line[:60]!r} is not {what}")
    return found
