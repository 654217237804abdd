"""What a planning bot costs over HTTP, a move at a time and a plan at a time.

Run by `python -m tests.bench.runner`. The bot has made its plans before, so that the costs are
those of the runner, the client and the service; what the bot thinks is told beside them.
"""

import time
from collections.abc import Callable, Sequence
from functools import cache
from operator import truediv
from statistics import median
from typing import NamedTuple

from service.bots import BOTS
from service.bots.asking import Monitor, Player
from service.bots.over_http import RemoteTable
from service.bots.playing import LocalTable, play_out
from service.client import Asterism
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.base import View
from service.games.moves import Move
from tests.bench.serving import Server, service

GAMES = (("binary-star", "solver", range(1, 13)), ("astrocyte", "fair", range(5, 7)))
ROUNDS = 5

Plan = Callable[[View], Sequence[Move]]


class Batched:
    """Plays a whole plan at once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan


class Single:
    """Plays the moves of a plan one by one."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._moves = plan, iter(())

    def choose(self, view: View) -> Move | None:
        """The next move, of a new plan where the last one has ended."""
        for _ in range(2):
            for move in self._moves:
                return move
            self._moves = iter(self._plan(view))
        return None


class Cost(NamedTuple):
    """Of one move: requests, seconds passed, and seconds of CPU here and of the service."""

    requests: float
    passed: float
    runner: float
    service: float


def report() -> None:
    """Prints two lines a bot: the medians of some rounds, which take both ways in turn."""
    print("A planning bot over HTTP, its plans made before; medians of", ROUNDS, "rounds")
    print(f"{'':<28}{'moves a':>9}{'moves a':>9}{'µs of CPU a move':>22}")
    print(f"{'':<28}{'request':>9}{'second':>9}{'runner':>11}{'service':>11}")
    with service() as server, Asterism(f"http://127.0.0.1:{server.port}") as asterism:
        for variant, bot, deals in GAMES:
            plans = {number: cache(BOTS[bot].make(0, number).plan) for number in deals}
            thought = _thought(variant, plans)
            rounds = [
                {way: _cost(server, asterism, variant, way, plans) for way in (Single, Batched)}
                for _ in range(ROUNDS)
            ]
            for way in (Single, Batched):
                _print(
                    f"{VARIANTS[variant].title}, {way.__name__.lower()}", [r[way] for r in rounds]
                )
            ratios = (truediv(*(sum(r[way][2:]) for way in (Single, Batched))) for r in rounds)
            print(f"  batched, {median(ratios):.1f} times less CPU; ", end="")
            print(f"{bot} thinks for {thought * 1e6:.0f} µs of CPU a move")


def _thought(variant: str, plans: dict[int, Plan]) -> float:
    """CPU seconds a move that the bot needs for its plans, which are then known."""
    players = {number: _player(Batched, plan) for number, plan in plans.items()}
    moves = sum(
        play_out(player, LocalTable(start_position(PublicDeal(VARIANTS[variant], number))))
        for number, player in players.items()
    )
    return sum(player.seconds for player in players.values()) / moves


def _cost(
    server: Server,
    asterism: Asterism,
    variant: str,
    way: type[Batched | Single],
    plans: dict[int, Plan],
) -> Cost:
    """The cost of a move in the games of all plans; creation and resignation are left out."""
    tables = {number: _table(asterism, variant, number) for number in plans}
    before, began, here = server.cpu().total, time.perf_counter(), time.process_time()
    moves = sum(play_out(_player(way, plan), tables[number]) for number, plan in plans.items())
    passed, used = time.perf_counter() - began, time.process_time() - here
    requests = sum(table.requests - 1 for table in tables.values())
    spent = server.cpu().total - before
    for table in tables.values():
        if not table.view.won:
            table.resign()
    return Cost(*(part / moves for part in (requests, passed, used, spent)))


def _player(way: type[Batched | Single], plan: Plan) -> Player:
    return Player("bot", lambda: way(plan), "of the bench", Monitor())


def _table(asterism: Asterism, variant: str, number: int) -> RemoteTable:
    return RemoteTable(lambda: asterism.new_game(variant, deal=number))


def _print(what: str, costs: Sequence[Cost]) -> None:
    requests, passed, runner, spent = (median(part) for part in zip(*costs, strict=True))
    print(f"{what:<28}{1 / requests:>9.1f}{1 / passed:>9.0f}", end="")
    print(f"{runner * 1e6:>11.0f}{spent * 1e6:>11.0f}")


if __name__ == "__main__":
    report()
