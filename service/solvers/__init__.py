"""The solvers, which search positions with all cards known, by game."""

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

FORMS = {BINARY_STAR.name: "plain", ASTROCYTE.name: FORM}
"""Whether the search of each game runs as `plain` Python or `compiled`."""

__all__ = ["FORMS", "SOLVERS", "GaveUp", "Proof", "Solved", "Solver", "Unwinnable", "Verdict"]
