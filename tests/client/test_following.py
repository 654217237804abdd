"""Whoever follows a game hears everything in order, once, whatever breaks on the way."""

import json

import httpx
import pytest

from service.client import NotFound
from service.client.calls import JSON_LINES, Item, NextLine, Open, Opened, Pause
from service.client.following import follow
from service.client.retries import Link
from tests.client.kit import URL
from tests.contract.examples import example
from tests.http.kit import WON_DEAL, WON_LINE


def heard(events):
    return [(event.version, event.kind) for event in events]


def test_events_end_with_the_game(asterism):
    game = asterism.new_game("binary-star", deal=WON_DEAL)
    game.play(*WON_LINE[:-1])
    watched = asterism.game(game.id)
    events = watched.events()
    assert next(events).kind == "snapshot"
    game.undo()
    game.play(WON_LINE[-2], WON_LINE[-1])
    assert heard(events) == [(3, "undone"), (4, "moved")]
    assert watched.state == game.state
    assert watched.is_over


def test_a_stream_that_breaks_off_is_resumed_where_it_was(asterism, wire):
    game = asterism.new_game("binary-star", deal=WON_DEAL)
    for move in WON_LINE[:4]:
        game.play(move)
    game.resign()
    watched = asterism.game(game.id)
    events = watched.events(after=0)
    assert next(events).kind == "created"
    events.close()
    wire.requests = []
    events = watched.events(after=1)
    wire.faults = [None, "broken off", "request lost", httpx.Response(503)]
    assert heard(events) == [
        (2, "moved"),
        (3, "moved"),
        (4, "moved"),
        (5, "moved"),
        (6, "resigned"),
    ]
    resumed = [request.headers["last-event-id"] for request in wire.requests[1:]]
    assert resumed == ["1", "5", "5", "5"]


def test_events_begin_after_a_known_version(asterism, wire):
    game = asterism.new_game("astrocyte", deal=1)
    game.play("t7t2")
    game.resign()
    assert heard(game.events(after=1)) == [(2, "moved"), (3, "resigned")]
    assert heard(game.events(after=3)) == []
    assert wire.requests[-1].headers["if-none-match"] == '"v3"'


def test_a_deleted_game_ends_its_events(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    watched = asterism.game(game.id)
    events = watched.events()
    next(events)
    game.delete()
    assert heard(events) == [(1, "deleted")]


def test_a_game_that_was_deleted_while_nobody_listened_has_no_more_events():
    event = json.dumps(example("EventPage")["items"][0])
    steps = follow(("games", "x", "events"), None, {}, Link(URL, 30), lambda event: None)
    stream = httpx.Response(200, headers={"content-type": JSON_LINES})
    assert isinstance(next(steps), Open)
    assert isinstance(steps.send(Opened(stream, None)), NextLine)
    assert isinstance(steps.send(event), Item)
    assert isinstance(steps.send(None), NextLine)
    assert isinstance(steps.send(httpx.ReadError("Connection reset by peer")), Pause)
    again = steps.send(None)
    assert again.call.headers["Last-Event-ID"] == str(json.loads(event)["version"])
    with pytest.raises(StopIteration):
        steps.send(Opened(httpx.Response(404), None))


def test_a_game_that_is_not_there_cannot_be_followed(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    game.delete()
    with pytest.raises(NotFound):
        next(game.events())
