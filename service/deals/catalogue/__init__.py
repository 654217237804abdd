"""The catalogue of numbered deals: which of them can be won, and how difficult they are.

A variant has one file here, `<variant>.json.gz`, which `asterism catalogue` writes from the output
of `asterism solve` and, if the deals hide cards, of `asterism bot`. It covers deals 1, 2, 3 …
without a gap.
"""

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
import orjson

from service.games.base import VerdictName

Row = dict[str, Any]
LETTERS: dict[VerdictName, str] = {"winnable": "w", "unwinnable": "x", "unknown": "?"}
_WORDS: dict[str, VerdictName] = {letter: word for word, letter in LETTERS.items()}

LEVELS = (120, 200, 400, 1200)
"""Numbers of positions at which the difficulty of a winnable deal rises by one, from 1 to 5.

Without hidden cards, difficulty is measured by the positions that the solver searched before it
found a win: few are enough where most sensible play wins. With hidden cards it is measured by how
often a bot lost that sees what a player sees: 1 for never, 5 for always.
"""

HARDEST = 1 + len(LEVELS)


class Entry(NamedTuple):
    """What is known about a numbered deal.

    `moves` and `transfers` count the moves of one winning line, and those of them that are
    transfers; they and `difficulty` (1 easy … 5 hard) are None unless the verdict is winnable.
    """

    number: int
    verdict: VerdictName
    moves: int | None
    transfers: int | None
    difficulty: int | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is known about the deals 1 … `len(self)` of one variant."""

    verdicts: str
    difficulties: str
    moves: int
    """Length of the winning lines that are not in `lengths`."""
    lengths: dict[int, int]
    transfers: dict[int, int]
    command: str
    """The commands that compute the same catalogue again."""

    def __len__(self) -> int:
        return len(self.verdicts)

    def entry(self, number: int) -> Entry | None:
        """What is known about a deal, None beyond the end of the catalogue."""
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
        """The deals above `after`, filtered by verdict and difficulty if these are not None."""
        letter = None if verdict is None else LETTERS[verdict]
        level = None if difficulty is None else str(difficulty)
        for index in range(after, len(self)):
            if letter in (None, self.verdicts[index]) and level in (None, self.difficulties[index]):
                entry = self.entry(index + 1)
                assert entry is not None
                yield entry


@cache
def catalogue(variant: str) -> Catalogue:
    """The catalogue of a variant, empty if it has no file."""
    file = files(__package__).joinpath(f"{variant}.json.gz")
    if not file.is_file():
        return Catalogue("", "", 0, {}, {}, "")
    return msgspec.json.decode(gzip.decompress(file.read_bytes()), type=Catalogue)


def compile_rows(variant: str, rows: Sequence[Row], runs: Sequence[Sequence[Row]] = ()) -> bytes:
    """The catalogue file of `rows`, the output of `asterism solve` for deals 1, 2, 3 ….

    `runs` is the output of `asterism bot` for the same deals; with it, difficulty is measured by
    losses, otherwise by positions. Equal rows give equal bytes.
    """
    played = [
        _command(f"bot --bot {run[0]['bot']} --variant {variant} --seed {run[0]['seed']}", run)
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
        "command": "; ".join([_command(f"solve {variant}", rows), *played]),
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
    """The difficulty of a winnable deal, 1 … 5, by the positions searched."""
    return 1 + sum(positions >= level for level in LEVELS)


def difficulty_by_losses(won: Sequence[bool]) -> int:
    """The difficulty of a winnable deal, 1 … 5, by whether a bot won it in each run."""
    return 1 + round(len(LEVELS) * won.count(False) / len(won))


def _command(words: str, rows: Sequence[Row]) -> str:
    return f"asterism {words} --deal 1..{len(rows)}"
