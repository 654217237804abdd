"""What a log and metrics cost a move, as ratios to the CPU time of one that nobody looks at.

Run by `python -m tests.bench.observers`. Three services with one worker each are asked in turn, a
block of moves at a time, so that whatever else the machine does falls on all of them alike.
"""

from contextlib import ExitStack
from statistics import median

from tests.bench.games import Game
from tests.bench.serving import Server, run, service
from tests.support.ports import free_port

ROUNDS = 15
BLOCKS, GAMES = 10, 20
"""Blocks in a round, and moves in a block."""

Services = dict[str, tuple[Server, list[Game]]]
"""A service and its games, by who looks at it."""


def report() -> None:
    """Prints a line a kind of observer."""
    observed = {
        "nobody": {},
        "a line a request": {"ASTERISM_LOG": "json"},
        "metrics": {"ASTERISM_METRICS": f"127.0.0.1:{free_port()}"},
    }
    with ExitStack() as stack:
        services: Services = {}
        for name, environ in observed.items():
            server = stack.enter_context(service(**environ))
            games = [Game("astrocyte", 1, ()) for _ in range(GAMES)]
            run(server, [game.begin for game in games])
            services[name] = server, games
        rounds = [_round(services) for _ in range(ROUNDS)]
    print(f"{ROUNDS} rounds of {BLOCKS * GAMES} moves; CPU time of the worker, medians")
    for name in services:
        ratio = median(costs[name] / costs["nobody"] for costs in rounds)
        print(f"{name:<20}{ratio:>8.3f}")


def _round(services: Services) -> dict[str, float]:
    """CPU seconds of the moves of one round, by who looks at them."""
    costs = dict.fromkeys(services, 0.0)
    for _ in range(BLOCKS):
        for name, (server, games) in services.items():
            costs[name] += run(server, [game.move for game in games]).workers
            run(server, [game.undo for game in games])
    return costs


if __name__ == "__main__":
    report()
