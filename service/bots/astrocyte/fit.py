"""Fits the model of the Astrocyte bots to training games; needs NumPy."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.bots.astrocyte.training import LEARNED, Played, round_off
from service.solvers.astrocyte.constants import ROWS
from service.solvers.astrocyte.features import FEATURES

Numbers = NDArray[np.float64]

ROWS_LEFT, DEALS = FEATURES.index("rows_left"), FEATURES.index("deals")

UNITS = 24
RIDGE = 100.0
PASSES, EPOCHS, BATCH, RATE = 3, 6, 512, 0.002
NEXT_SHARE = 0.75
"""The share of the next leaf's target in a target; the rest is the estimate for that leaf."""
MIN_LEAVES = 500
"""Kinds of leaves with fewer examples are not calibrated."""
HELD_OUT = 7
"""Every game whose index is a multiple of this is held out, to evaluate the fit."""


class Fit:
    """A network during its fit: see `Net`."""

    def __init__(self, games: Sequence[Played], seed: int = 1) -> None:
        """Fits to `games`, each with at least one leaf."""
        rows = np.array([row for game in games for row in game.leaves])
        self._won = np.array([float(game.won) for game in games for _ in game.leaves])
        self._game = np.array([n for n, game in enumerate(games) for _ in game.leaves])
        self._held = self._game % HELD_OUT == 0
        self.mean = rows.mean(0)
        spread = rows.std(0)
        self.scale = np.where(spread > 1e-9, 1 / np.maximum(spread, 1e-9), 0)
        self._scaled = (rows - self.mean) * self.scale
        self._random = np.random.default_rng(seed)
        count = rows.shape[1]
        first, *rest = self._linear_part()
        self.bias, self.linear = np.array([first]), np.array(rest)
        self.weights = self._random.normal(0, count**-0.5, (UNITS, count))
        self.biases = np.zeros(UNITS)
        self.outputs = self._random.normal(0, 0.01, UNITS)

    def run(self) -> None:
        """Trains on the results of the games, then also on the estimates for later leaves."""
        targets = self._won
        for _ in range(PASSES):
            self._descend(targets)
            targets = self._bootstrapped_targets(_chance(self._logits(self._scaled)))

    def loss(self) -> float:
        """The mean log loss over the held-out games; a coin toss has log 2."""
        logits = self._logits(self._scaled[self._held])
        return float(np.mean(np.logaddexp(0, logits) - self._won[self._held] * logits))

    def scales(self, games: Sequence[Played]) -> list[list[list[float]]]:
        """Slope and shift that calibrate the logits in `games`, to two digits.

        For leaves that turn a card, then for those that deal a row, each by the number of rows
        left; 1 and 0 if there are too few leaves.
        """
        leaves = [leaf for game in games for leaf in game.leaves]
        rows = np.array(leaves).reshape(-1, len(self.mean))
        won = np.array([float(game.won) for game in games for _ in game.leaves])
        logits = self._logits((rows - self.mean) * self.scale)
        kinds = [
            [(rows[:, DEALS] == deals) & (rows[:, ROWS_LEFT] == left) for left in range(ROWS + 1)]
            for deals in (False, True)
        ]
        return [[_scale(logits[chosen], won[chosen]) for chosen in kind] for kind in kinds]

    def net(self) -> dict[str, Any]:
        """The parameters of a `Net`, to six digits."""
        parts = {
            "mean": self.mean, "scale": self.scale, "linear": self.linear,
            "units": self.weights, "biases": self.biases, "outputs": self.outputs,
        }  # fmt: skip
        rounded = {name: _rounded(part) for name, part in parts.items()}
        return {**rounded, "bias": _rounded(self.bias)[0]}

    def _linear_part(self) -> Numbers:
        """Bias and weights of a ridge logistic regression, by Newton's method."""
        rows = np.hstack([np.ones((len(self._scaled), 1)), self._scaled])[~self._held]
        won = self._won[~self._held]
        ridge = np.full(rows.shape[1], RIDGE)
        ridge[0] = 0
        weights = np.zeros(rows.shape[1])
        for _ in range(8):
            chance = _chance(rows @ weights)
            curve = (rows * np.maximum(chance * (1 - chance), 1e-4)[:, None]).T @ rows
            slope = rows.T @ (won - chance) - ridge * weights
            weights += np.linalg.solve(curve + np.diag(ridge), slope)
        return weights

    def _descend(self, targets: Numbers) -> None:
        """Adam over all parameters, with a learning rate that falls to 0."""
        parts = [self.linear, self.weights, self.biases, self.outputs, self.bias]
        first, second = [np.zeros_like(p) for p in parts], [np.zeros_like(p) for p in parts]
        places = np.flatnonzero(~self._held)
        steps, step = EPOCHS * (len(places) // BATCH), 0
        for _ in range(EPOCHS):
            self._random.shuffle(places)
            for start in range(0, len(places) - BATCH + 1, BATCH):
                batch = places[start : start + BATCH]
                step += 1
                rate = RATE * (1 - step / (steps + 1))
                gradients = self._gradients(self._scaled[batch], targets[batch])
                for part, gradient, one, two in zip(parts, gradients, first, second, strict=True):
                    one[:] = 0.9 * one + 0.1 * gradient
                    two[:] = 0.999 * two + 0.001 * gradient**2
                    mean, square = one / (1 - 0.9**step), two / (1 - 0.999**step)
                    part[:] = part - rate * mean / (np.sqrt(square) + 1e-8)

    def _gradients(self, rows: Numbers, targets: Numbers) -> list[Numbers]:
        """The gradient of the loss over a batch, for each parameter array."""
        hidden = np.tanh(rows @ self.weights.T + self.biases)
        logits = self.bias + rows @ self.linear + hidden @ self.outputs
        error = (_chance(logits) - targets) / len(rows)
        inner = error[:, None] * self.outputs * (1 - hidden * hidden)
        return [
            rows.T @ error,
            inner.T @ rows + 1e-5 * self.weights,
            inner.sum(0),
            hidden.T @ error,
            np.array([error.sum()]),
        ]

    def _logits(self, rows: Numbers) -> Numbers:
        hidden = np.tanh(rows @ self.weights.T + self.biases)
        logits: Numbers = self.bias + rows @ self.linear + hidden @ self.outputs
        return logits

    def _bootstrapped_targets(self, chances: Numbers) -> Numbers:
        """Targets that mix, backwards along each game, its result and the later estimates."""
        targets = self._won.copy()
        for place in range(len(targets) - 2, -1, -1):
            if self._game[place] == self._game[place + 1]:
                estimate = chances[place + 1]
                targets[place] = NEXT_SHARE * targets[place + 1] + (1 - NEXT_SHARE) * estimate
        return targets


def fit(rounds: Sequence[Sequence[dict[str, Any]]]) -> tuple[dict[str, Any], float]:
    """The content of `model.json` for rows of `training.play_row`, and the log loss held out.

    The first round was played without a model; it is left out once there are two others.
    """
    learned, others = rounds[:LEARNED], rounds[LEARNED:]
    fitting = Fit(_games(learned[1:] if len(learned) > 2 else learned))
    fitting.run()
    return {"scales": fitting.scales(_games(others)), "net": fitting.net()}, fitting.loss()


def _games(rounds: Sequence[Sequence[dict[str, Any]]]) -> list[Played]:
    """The games with at least one leaf."""
    rows = chain.from_iterable(rounds)
    return [Played(row["won"], row["leaves"]) for row in rows if row["leaves"]]


def _chance(logits: Numbers) -> Numbers:
    chances: Numbers = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances


def _scale(logits: Numbers, won: Numbers) -> list[float]:
    """Slope and shift of a logistic regression on one number, by Newton's method."""
    figures = np.array([1.0, 0.0])
    if len(won) >= MIN_LEAVES:
        pairs = np.stack([logits, np.ones_like(logits)])
        for _ in range(8):
            chance = _chance(figures @ pairs)
            curve = (pairs * np.maximum(chance * (1 - chance), 1e-4)) @ pairs.T
            figures += np.linalg.solve(curve, pairs @ (won - chance))
    return [round(float(figure), 2) for figure in figures]


def _rounded(numbers: Numbers) -> list[Any]:
    digits: list[Any] = np.vectorize(round_off, otypes=[float])(numbers).tolist()
    return digits
