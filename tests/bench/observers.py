"""What a log and metrics cost a move, as ratios to the CPU time of one that nobody looks at.

Run by `python -m tests.bench.observers`. Three services with one worker each are asked in turn, a
block of moves at a time, so that whatever else the machine does falls on all of them alike.
"""

import contextlib
import statistics
import tempfile
from collections import Counter
from pathlib import Path

from service.embedded import EmbeddedStore

from service.config import METRICS_FOLDER
from tests.bench.requests import BLOCK, BLOCKS, Server, Table, _cost

ROUNDS = 15


def report() -> None:
    """Prints a line a kind of observer."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = EmbeddedStore(folder)
        stack.callback(store.stop)
        store.start()
        lines = stack.enter_context((folder / "lines").open("wb"))
        halls: dict[str, tuple[Server, list[Table]]] = {}
        for name, environ in {
            "nobody": {},
            "a line a request": {"ASTERISM_LOG": "json"},
            "metrics": {METRICS_FOLDER: str(folder)},
        }.items():
            server = Server(
                "service.wsgi:app",
                {
                    "REDIS_URL": store.url,
                    "ASTERISM_SERVER_KEY": "bench" * 8,
                    "ASTERISM_LIMITS": "off",
                    **environ,
                },
                lines,
            )
            stack.callback(server.close)
            halls[name] = server, [Table(server, "astrocyte", 5) for _ in range(BLOCK)]
        rounds = [_round(halls) for _ in range(ROUNDS)]
    print(f"{ROUNDS} rounds of {BLOCKS * BLOCK} moves; CPU time of the worker, medians")
    for name in halls:
        ratio = statistics.median(costs[name] / costs["nobody"] for costs in rounds)
        print(f"{name:<20}{ratio:>8.3f}")


def _round(halls: dict[str, tuple[Server, list[Table]]]) -> Counter[str]:
    """CPU seconds of the moves of one round, by who looks at them."""
    costs: Counter[str] = Counter()
    for _ in range(BLOCKS):
        for name, (server, tables) in halls.items():
            costs[name] += _cost(server, [table.move for table in tables])
            for table in tables:
                table.undo()
    return costs


if __name__ == "__main__":
    report()
