"""The text form of a replay, to read, to keep in a file or to send.

It has three parts, with empty lines between them: a header of `name: value` lines; the start, as a
text board; and the moves, one a line, each with the cards that it turned face up:

    t7t2 t7=KD
"""

import re
from collections import defaultdict
from collections.abc import Iterator
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
    """The text form of `replay`, without the fields that it does not claim."""
    board = "" if replay.start is None else print_view(replay.start)
    parts = ("\n".join(_head(replay)), board, "\n".join(_lines(replay)))
    return "\n\n".join(part for part in parts if part) + "\n"


def parse_replay(text: str) -> Json:
    """The JSON form of the replay written as `text`. Raises `ReplayTextError`.

    Only the syntax is checked here; the content is validated as JSON. Empty lines are ignored.
    """
    replay: Json = {"deal": {}, "moves": [], "reveals": []}
    for line in filter(None, map(str.strip, text.splitlines())):
        if _PILE.fullmatch(line):
            replay.setdefault("start", []).append(_pile(line))
        elif ":" in line or "variant" not in replay:
            name, value = _match(_HEAD, line, "a name and a value, as in `variant: …`").groups()
            place = replay if name in _NAMES else replay["deal"] if name in _DEAL_NAMES else None
            if place is None or name in place:
                raise ReplayTextError(f"{line[:60]!r} is unknown or repeated")
            place[name] = value
        else:
            move, *turned = line.split()
            replay["moves"].append(move)
            for word in turned:
                pile, card = _match(_REVEAL, word, "a pile and its card, as in t7=KD").groups()
                reveal = {"ply": len(replay["moves"]), "pile": pile, "card": card}
                replay["reveals"].append(reveal)
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
    turned = defaultdict[int, list[RevealAt]](list)
    for reveal in replay.reveals or ():
        turned[reveal.ply].append(reveal)
    for ply, move in enumerate(replay.moves, start=1):
        cards = (f"{reveal.pile}={reveal.card}" for reveal in turned[ply])
        yield " ".join((format_move(move), *cards))


def _pile(line: str) -> Json:
    parts = _match(_PILE, line, "a pile, as in t1: [7] 9H or t1: -")
    id, letter, hidden, cards = parts.groups()
    faces = [] if cards == "-" else cards.split()
    return {"id": id, "kind": KIND_OF[letter], "hidden": int(hidden or 0), "cards": faces}


def _match(pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ReplayTextError(f"{text[:60]!r} is not {what}")
    return found
