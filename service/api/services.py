"""The services that views call: built by `create_app`, found again in the Flask application."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, current_app

from service.api.rate_limits import RateLimits
from service.play.compute_pool import ComputePool
from service.play.creation import Creation
from service.play.gameplay import Gameplay
from service.play.watching import WatchHub


@dataclass
class Services:
    """Everything a view needs besides its request.

    `play` holds the use cases of existing games, `creation` those that create something. Long
    computations run in `pool`; `is_leaving` says whether the instance is shutting down.
    """

    play: Gameplay
    creation: Creation
    pool: ComputePool
    watch: WatchHub
    limits: RateLimits
    is_leaving: Callable[[], bool]


def services_of(app: Flask) -> Services:
    """The services of `app`."""
    registered: Services = app.extensions["asterism"]
    return registered


def services() -> Services:
    """The services of the application that handles the current request."""
    return services_of(current_app)
