"""The catalogue of numbered deals: which can be won, and how hard that is, decided beforehand.

One file a variant lies beside this module, `<variant>.json.gz`, written by `asterism catalogue`
from the lines of `asterism solve` and, where a deal hides cards, of `asterism play`. It covers
deals 1, 2, 3 … without a gap.
"""

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import orjson

from service.games.base import VerdictName

Row = dict[str, Any]
LETTERS: dict[VerdictName, str] = {"winnable": "w", "unwinnable": "x", "unknown": "?"}
_WORDS: dict[str, VerdictName] = {letter: word for word, letter in LETTERS.items()}

LEVELS = (120, 200, 400, 1200)
"""Difficulty 1 … 5 of a winnable deal: how many of these the solver's positions reach.

Of a deal without hidden cards it measures how many positions had to be looked at until a line to
the win was found: where most sensible play wins, a narrow search does, and a few are enough.
Of any other, how often a bot lost that sees what a player sees: never is 1, always is 5.
"""


HARDEST = 1 + len(LEVELS)


class Entry(NamedTuple):
    """What is known of a numbered deal.

    `moves` and `transfers` count the moves of a line that wins, and those of them from hole to
    hole; they and `difficulty` (1 easy … 5 hard) are None unless the verdict is winnable.
    """

    number: int
    verdict: VerdictName
    moves: int | None
    transfers: int | None
    difficulty: int | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is known of the deals 1 … `len(self)` of one variant."""

    verdicts: str
    difficulties: str
    moves: int
    """Moves of the lines that win, where `lengths` does not say otherwise."""
    lengths: dict[int, int]
    transfers: dict[int, int]
    command: str
    """What has to be run to decide the same deals again."""

    def __len__(self) -> int:
        return len(self.verdicts)

    def entry(self, number: int) -> Entry | None:
        """What is known of a deal, or None if the catalogue does not go so far."""
        if not 1 <= number <= len(self):
            return None
        verdict = _WORDS[self.verdicts[number - 1]]
        if verdict != "winnable":
            return Entry(number, verdict, None, None, None)
        return Entry(
            number,
            verdict,
            self.lengths.get(number, self.moves),
            self.transfers.get(number, 0),
            int(self.difficulties[number - 1]),
        )

    def entries(
        self, after: int, verdict: VerdictName | None, difficulty: int | None
    ) -> Iterator[Entry]:
        """The deals above `after`, of one verdict and one difficulty where these are given."""
        letter = None if verdict is None else LETTERS[verdict]
        level = None if difficulty is None else str(difficulty)
        for place in range(after, len(self)):
            if letter in (None, self.verdicts[place]) and level in (None, self.difficulties[place]):
                entry = self.entry(place + 1)
                assert entry is not None
                yield entry


NOTHING = Catalogue("", "", 0, {}, {}, "")


@cache
def catalogue(variant: str) -> Catalogue:
    """The catalogue of a variant; an empty one where none has been made."""
    file = files(__package__).joinpath(f"{variant}.json.gz")
    if not file.is_file():
        return NOTHING
    kept = orjson.loads(gzip.decompress(file.read_bytes()))
    return Catalogue(
        verdicts=kept["verdicts"],
        difficulties=kept["difficulties"],
        moves=kept["moves"],
        lengths=_numbered(kept["lengths"]),
        transfers=_numbered(kept["transfers"]),
        command=kept["command"],
    )


def compile_rows(variant: str, rows: Sequence[Row], runs: Sequence[Sequence[Row]] = ()) -> bytes:
    """The file that keeps `rows`, lines of `asterism solve` for deals 1, 2, 3 …, as bytes.

    `runs` are lines of `asterism play` for the same deals, to tell difficulty by; without any it
    is told by positions. Equal rows give equal bytes.
    """
    played = [
        _command("play", variant, run, f" --bot {run[0]['bot']} --seed {run[0]['seed']}")
        for run in runs
    ]
    levels = [
        difficulty_by_positions(row["positions"])
        if not runs
        else difficulty_by_losses([run[n]["won"] for run in runs])
        for n, row in enumerate(rows)
    ]
    won = {int(row["deal"]): row for row in rows if row["verdict"] == "winnable"}
    lengths = Counter(row["moves"] for row in won.values())
    usual = max(lengths, key=lambda moves: (lengths[moves], -moves), default=0)
    kept = {
        "variant": variant,
        "command": "; ".join([_command("solve", variant, rows), *played]),
        "verdicts": "".join(LETTERS[row["verdict"]] for row in rows),
        "difficulties": "".join(
            str(level) if row["verdict"] == "winnable" else "-"
            for row, level in zip(rows, levels, strict=True)
        ),
        "moves": usual,
        "lengths": {str(n): row["moves"] for n, row in won.items() if row["moves"] != usual},
        "transfers": {str(n): row["transfers"] for n, row in won.items() if row["transfers"]},
    }
    return gzip.compress(orjson.dumps(kept), mtime=0)


def difficulty_by_positions(positions: int) -> int:
    """How hard a winnable deal is, 1 … 5, by the positions looked at for it."""
    return 1 + sum(positions >= level for level in LEVELS)


def difficulty_by_losses(won: Sequence[bool]) -> int:
    """How hard a winnable deal is, 1 … 5, by the games in which a bot won it or did not."""
    return 1 + round(len(LEVELS) * won.count(False) / len(won))


def _command(verb: str, variant: str, rows: Sequence[Row], more: str = "") -> str:
    return f"asterism {verb} {variant}{more} --deal 1..{len(rows)}"


def _numbered(kept: dict[str, int]) -> dict[int, int]:
    return {int(number): value for number, value in kept.items()}
