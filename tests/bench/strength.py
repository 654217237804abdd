"""Compares the strength of two bots by their games of the same deals.

`python -m tests.bench.strength FIRST.jsonl SECOND.jsonl`, on what `asterism play --out` wrote.
"""

import sys
from collections.abc import Mapping
from math import comb
from pathlib import Path

import orjson

from service.records.statistics import wilson

Games = Mapping[str, bool]
"""Whether each deal was won, by deal."""


def report(first: Path, second: Path) -> None:
    """Prints the wins and the time of each bot, and a sign test of the difference."""
    (one, summary), (other, other_summary) = _read(first), _read(second)
    print(summary, other_summary, sep="\n")
    deals = one.keys() & other.keys()
    both = sum(one[deal] and other[deal] for deal in deals)
    alone = [sum(games[deal] for deal in deals) - both for games in (one, other)]
    print(f"{len(deals)} deals of both: {both} won by both, {alone[0]} by the first", end=" ")
    print(f"alone, {alone[1]} by the second; p = {sign_test(*alone):.2g} (sign test, two sides)")


def sign_test(one: int, other: int) -> float:
    """The two-sided p-value of `one` against `other` wins."""
    throws = one + other
    tail = sum(comb(throws, n) for n in range(min(one, other) + 1))
    return min(1.0, 2 * tail / 2**throws)


def _read(file: Path) -> tuple[Games, str]:
    """The games in a file, and a summary line."""
    rows = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    won = sum(row["won"] for row in rows)
    low, high = wilson(won, len(rows))
    seconds = sum(row["seconds"] for row in rows) / len(rows)
    summary = f"{rows[0]['bot']}: won {won} of {len(rows)}, {won / len(rows):.1%}"
    summary += f" (95 % interval {low:.1%} to {high:.1%}), {seconds:.2f} s of CPU a game"
    return {row["deal"]: row["won"] for row in rows}, summary


if __name__ == "__main__":
    if len(sys.argv) != 3 or not all(Path(file).is_file() for file in sys.argv[1:]):
        sys.exit(__doc__)
    report(*map(Path, sys.argv[1:]))
