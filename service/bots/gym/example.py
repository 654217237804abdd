"""Learning by example: `python -m service.bots.gym.example GAME` learns in a minute, with NumPy.

The policy is linear: a legal move is played with a probability that grows with the weighted sum of
its features. REINFORCE moves the weights towards the moves that went better than expected. What a
move is worth is the progress that the game makes from it on, later progress discounted.
"""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
import gymnasium
import numpy as np
from numpy.typing import NDArray

from service.bots.gym.features import MoveFeatures
from service.bots.gym.registration import IDS
from service.games import VARIANTS
from service.records.statistics import wilson

GAMES_A_ROUND = 8
LEARNING_RATE = 0.15
DISCOUNT = 0.99
MAX_STEPS = 200
"""Actions a game. Most get stuck before, or go in circles."""

HELD_OUT = range(1, 201)
"""The deals on which policies are compared; none is among the random deals of training."""

Weights = NDArray[np.float64]
Env = gymnasium.Env[Any, Any]


class Game(NamedTuple):
    """A game that was played.

    `slopes`, shape (moves, features), tells how the log of the probability of each move changes
    with the weights. `progress`, shape (moves + 1,), is that before each move and at the end.
    """

    slopes: NDArray[np.float64]
    progress: NDArray[np.float64]
    won: bool


class Learner:
    """Plays and learns one game. Equal seeds give equal games and equal weights."""

    def __init__(self, variant: str, seed: int) -> None:
        self._env: Env = gymnasium.make(IDS[variant], max_episode_steps=MAX_STEPS)
        self._features = MoveFeatures(VARIANTS[variant])
        self._random = np.random.default_rng(seed)
        self._env.reset(seed=seed)
        self.untrained: Weights = np.zeros(self._features.count)
        """The weights with which all legal moves are equally likely."""

    def play(self, weights: Weights, deal: int | None = None) -> Game:
        """Plays a deal by `weights`, a random one unless it has a number."""
        seen, info = self._env.reset(options=None if deal is None else {"deal": deal})
        slopes, progress, ended = [], [info["progress"]], False
        while not ended:
            legal = np.flatnonzero(info["action_mask"])
            if not legal.size:
                break
            features = self._features(seen, legal)
            sums = features @ weights
            chances = np.exp(sums - sums.max())
            chances /= chances.sum()
            choice = self._random.choice(len(legal), p=chances)
            slopes.append(features[choice] - chances @ features)
            seen, _, terminated, truncated, info = self._env.step(legal[choice])
            progress.append(info["progress"])
            ended = terminated or truncated
        return Game(np.array(slopes), np.array(progress), info["is_success"])

    def train(self, rounds: int) -> Iterator[tuple[Weights, float]]:
        """The weights after each round of games, and how far its games got on average."""
        weights, speed, scale = self.untrained, self.untrained, self.untrained
        for done in range(1, rounds + 1):
            games = [self.play(weights) for _ in range(GAMES_A_ROUND)]
            slopes = np.concatenate([game.slopes for game in games])
            surplus = better_than_expected(games)
            slope = (surplus[:, None] * slopes).mean(axis=0)
            # Adam: steps of about the learning rate, whatever the scale of a feature.
            speed, scale = 0.9 * speed + 0.1 * slope, 0.99 * scale + 0.01 * slope**2
            step = speed / (1 - 0.9**done) / (np.sqrt(scale / (1 - 0.99**done)) + 1e-8)
            weights = weights + LEARNING_RATE * step
            yield weights, float(np.mean([game.progress[-1] for game in games]))


def better_than_expected(games: list[Game]) -> NDArray[np.float64]:
    """By how much the progress from each move on exceeds that of moves played as far on."""
    reached = np.concatenate([game.progress[:-1] for game in games])
    gained = np.concatenate([_discounted(np.diff(game.progress)) for game in games])
    terms = np.stack([np.ones_like(reached), reached, reached**2], axis=1)
    expected = terms @ np.linalg.lstsq(terms, gained, rcond=None)[0]
    surplus = gained - expected
    return np.asarray(surplus / (surplus.std() + 1e-8))


def _discounted(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of rewards from each move on, later ones discounted."""
    sums = np.zeros(len(rewards) + 1)
    for place in reversed(range(len(rewards))):
        sums[place] = rewards[place] + DISCOUNT * sums[place + 1]
    return sums[:-1]


@click.command()
@click.argument("variant", type=click.Choice(list(IDS)), metavar="GAME")
@click.option("--rounds", type=click.IntRange(1), default=60, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(variant: str, rounds: int, seed: int) -> None:
    """Trains a policy for GAME, and compares it with random play on deals 1 to 200."""
    learner, before = Learner(variant, seed), time.process_time()
    trained, progress = learner.untrained, list[float]()
    for trained, reached in learner.train(rounds):  # noqa: B007  # the last one is used
        progress.append(reached)
        if len(progress) % 10 == 0:
            click.echo(
                f"round {len(progress):3}: games get {np.mean(progress[-10:]):.0%} of the way"
            )
    seconds = time.process_time() - before
    click.echo(
        f"{rounds * GAMES_A_ROUND} games in {seconds:.0f} s of CPU. Deals 1 to {HELD_OUT[-1]}:"
    )
    ends = {}
    for name, weights in ("random", learner.untrained), ("trained", trained):
        games = [learner.play(weights, deal) for deal in HELD_OUT]
        ends[name] = np.array([game.progress[-1] for game in games])
        won = sum(game.won for game in games)
        low, high = wilson(won, len(games))
        share = f"{won / len(games):.1%} ({low:.1%} to {high:.1%})"
        click.echo(f"  {name:8} {ends[name].mean():4.0%} of the way, won {share}")
    further = int((ends["trained"] > ends["random"]).sum())
    less = int((ends["trained"] < ends["random"]).sum())
    click.echo(f"The trained policy gets further in {further} deals, random play in {less}.")


if __name__ == "__main__":
    main()
