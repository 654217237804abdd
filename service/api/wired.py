"""The use cases, as `create_app` has wired them into the application that answers."""

from flask import current_app

from service.creation import Creation
from service.errors import StreamsUnavailableError
from service.play import Play
from service.searches import Searches
from service.watch import Watch


def play() -> Play:
    """The use cases of games that have begun."""
    wired: Play = current_app.extensions["asterism"]
    return wired


def creation() -> Creation:
    """The use cases that make something new."""
    wired: Creation = current_app.extensions["asterism.creation"]
    return wired


def searches() -> Searches:
    """Room for those who think."""
    wired: Searches = current_app.extensions["asterism.searches"]
    return wired


def watch() -> Watch:
    """All who watch; `StreamsUnavailableError` in a process where nobody can."""
    wired: Watch | None = current_app.extensions["asterism.watch"]
    if wired is None:
        raise StreamsUnavailableError
    return wired
