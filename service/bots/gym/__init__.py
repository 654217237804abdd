"""Gymnasium environments, one for each game; importing this package registers them.

`gymnasium.make("asterism/…-v0")` finds them by the titles of the games, as in `BinaryStar`. The
page README.md beside this module tells how to learn with them. Raises `ImportError` without the
extra `asterism[gym]`.
"""

try:
    from service.bots.gym.environment import CardTable
    from service.bots.gym.registration import IDS, register_all
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "numpy"):
        raise
    raise ImportError(
        "The environments for learners need Gymnasium: install asterism[gym].", name=__name__
    ) from None

register_all()

__all__ = ["IDS", "CardTable"]
