"""The use cases, as `create_app` has wired them into the application that answers."""

from flask import current_app

from service.creation import Creation
from service.play import Play


def play() -> Play:
    """The use cases of games that have begun."""
    wired: Play = current_app.extensions["asterism"]
    return wired


def creation() -> Creation:
    """The use cases that make something new."""
    wired: Creation = current_app.extensions["asterism.creation"]
    return wired
