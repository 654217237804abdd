"""The solvers, which search positions with all cards known, by game."""

from service.games import find_variant
from service.games.astrocyte import ASTROCYTE
from service.games.binary_star import BINARY_STAR
from service.solvers.astrocyte.solver import FORM
from service.solvers.astrocyte.solver import solve as solve_astrocyte
from service.solvers.binary_star.solver import solve_preferring_plain as solve_binary_star
from service.solvers.verdict import GaveUp, Proof, Solved, Solver, Unwinnable, Verdict

SOLVERS: dict[str, Solver] = {
    BINARY_STAR.name: solve_binary_star,
    ASTROCYTE.name: solve_astrocyte,
}
"""The solvers by the name of the game."""

FORMS = {ASTROCYTE.name: FORM}
"""Whether the search of a game runs as `plain` Python or `compiled`, if it has both forms."""

__all__ = [
    "FORMS",
    "SOLVERS",
    "GaveUp",
    "Proof",
    "Solved",
    "Solver",
    "Unwinnable",
    "Verdict",
    "search_form",
]


def search_form(name: str) -> str:
    """How the search of a game runs, and how it would be faster; empty if it has one form only."""
    if name not in FORMS:
        return ""
    title = find_variant(name).title
    if FORMS[name] == "compiled":
        return f"The search of {title} is compiled."
    return (
        f"The search of {title} runs as plain Python. Compiled, it is ten times as fast: run `make "
        "compiled` in a checkout, or install with pip where there is a C compiler."
    )
