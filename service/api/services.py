"""The use cases, as `create_app` has wired them into the application that answers."""

from collections.abc import Callable

from flask import current_app

from service.play.compute_pool import ComputePool
from service.play.creation import Creation
from service.play.gameplay import Gameplay
from service.play.watching import WatchHub


def play() -> Gameplay:
    """The use cases of games that have begun."""
    wired: Gameplay = current_app.extensions["asterism"]
    return wired


def creation() -> Creation:
    """The use cases that make something new."""
    wired: Creation = current_app.extensions["asterism.creation"]
    return wired


def pool() -> ComputePool:
    """Where long computations run."""
    wired: ComputePool = current_app.extensions["asterism.pool"]
    return wired


def is_leaving() -> bool:
    """Whether this instance is about to stop."""
    wired: Callable[[], bool] = current_app.extensions["asterism.is_leaving"]
    return wired()


def watch() -> WatchHub:
    """All who watch."""
    wired: WatchHub = current_app.extensions["asterism.watch"]
    return wired
