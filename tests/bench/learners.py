"""Measures the environments for learners: random legal play, in steps a second of CPU time."""

import time

import gymnasium

from service.bots.gym import IDS

STEPS = 20_000


def report() -> None:
    """Prints the steps a second of each environment, on one core, new games included."""
    for id in IDS.values():
        env = gymnasium.make(id)
        env.action_space.seed(1)
        _, info = env.reset(seed=1)
        games, before = 0, time.process_time()
        for _ in range(STEPS):
            action = env.action_space.sample(info["action_mask"])
            *_, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                _, info = env.reset()
                games += 1
        rate = STEPS / (time.process_time() - before)
        print(f"{id}: {rate:,.0f} steps a second, in {games + 1} games at random")
