"""The ids of the environments, and their entry in Gymnasium's registry."""

import gymnasium

from service.games import VARIANTS

MAX_EPISODE_STEPS = 1000
"""When an episode is truncated, in actions. Known wins take up to 300; play can go in circles."""

IDS: dict[str, str] = {
    name: f"asterism/{variant.title.replace(' ', '')}-v0" for name, variant in VARIANTS.items()
}
"""The id of the environment of each game, by the name of the game."""


def register_all() -> None:
    """Registers the environment of every game; again, if that was done before, without effect."""
    for name, id in IDS.items():
        if id not in gymnasium.registry:
            gymnasium.register(
                id,
                entry_point="service.bots.gym.environment:CardTable",
                max_episode_steps=MAX_EPISODE_STEPS,
                kwargs={"variant": name},
            )
