"""Measures the share of deals of each difficulty that the greedy bot wins.

`python -m tests.bench.difficulty` prints one line per level.
"""

import os
from functools import partial
from multiprocessing import Pool

from service.bots.playing import play_deal
from service.deals.catalogue import HARDEST, catalogue
from service.records.statistics import wilson

VARIANT, DEALS = "binary-star", 5000


def main() -> None:
    """Plays deals 1 ... 5000 on all cores."""
    known = catalogue(VARIANT)
    numbers = range(1, DEALS + 1)
    with Pool(os.cpu_count()) as pool:
        games = pool.map(partial(play_deal, VARIANT, "greedy", 0), numbers, chunksize=50)
    won = [game.won for game in games]
    print(f"greedy on deals 1 to {DEALS}: {sum(won)} won")
    for level in range(1, HARDEST + 1):
        places = [n for n in numbers if known.entry(n).difficulty == level]
        count = sum(won[n - 1] for n in places)
        low, high = wilson(count, len(places))
        print(
            f"{level}  {len(places):5} deals  {count / len(places):6.1%}  [{low:.1%}, {high:.1%}]"
        )
    lost = [n for n in numbers if known.entry(n).verdict == "unwinnable"]
    print(f"proven lost: {len(lost)} deals, {sum(won[n - 1] for n in lost)} won")


if __name__ == "__main__":
    main()
