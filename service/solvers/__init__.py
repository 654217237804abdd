"""Search over positions, every card known: a solver for each game that has one."""

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
"""The solver of each game that has one, by the name of the game."""

FORMS = {BINARY_STAR.name: "plain", ASTROCYTE.name: FORM}
"""The form in which the searches of each game run: `plain` Python, or `compiled`."""

__all__ = ["FORMS", "SOLVERS", "GaveUp", "Proof", "Solved", "Solver", "Unwinnable", "Verdict"]
