"""Searches have so many slots: one more is refused at once, and everybody else plays on."""

from contextlib import ExitStack, suppress

import pytest

from service.api.services import services_of
from service.errors import TooManySearchesError
from service.play import keys
from service.play.actions import LONGEST_LINE, RequestStamp, play_moves
from service.play.compute_pool import ComputePool
from service.play.keys import ServerKey
from service.records.events import Event
from service.store import Change
from tests.http.kit import WON_DEAL, known, nothing_changes
from tests.support.api import Player
from tests.support.servers import SERVER_KEY


def take_slots(app):
    """Takes every search slot; the block that this opens gives them back."""
    slots = ExitStack()
    with suppress(TooManySearchesError):
        while True:
            slots.enter_context(services_of(app).pool.slot())
    return slots


def good(endpoint):
    return endpoint.post(endpoint.good)


def fork(endpoint):
    replay = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2"]}
    return endpoint.post({"variant": "astrocyte", "deal": {"replay": replay, "ply": 1}})


def look_up(endpoint):
    return endpoint.player.api.get("/v1/deals/binary-star-1000000000001")


SEARCHES = {
    "a hint": ("hint", good),
    "a verification": ("referee/verify", good),
    "a position": ("referee/positions", good),
    "a fork": ("games", fork),
    "a deal of no catalogue": ("games", look_up),
}


@pytest.mark.parametrize(("name", "search"), SEARCHES.values(), ids=SEARCHES)
def test_a_search_without_a_slot_is_refused_and_may_be_repeated(at, app, fake, name, search):
    endpoint = at(name)
    with take_slots(app), nothing_changes(fake):
        answer = search(endpoint)
    assert known(answer) == (503, "too-many-searches")
    assert answer.headers["Retry-After"] == "1"
    assert search(endpoint).status in (200, 201)


def test_everything_else_is_answered_meanwhile(at, app, api):
    with take_slots(app):
        for name in ("moves", "undo", "redo", "resignation", "games", "commitments"):
            assert good(at(name)).status in (200, 201), name
        for path in ("/livez", "/v1/deals/binary-star-1", f"/v1/deals/binary-star-{WON_DEAL}"):
            assert api.get(path).status == 200


def test_a_hint_that_follows_an_earlier_one_needs_no_search(at, app):
    player = at("hint").player
    player.play(player.post("hint", {"version": player.version}).json["move"])
    with take_slots(app):
        assert player.post("hint", {"version": player.version}).status == 200


def test_a_refused_request_takes_no_slot(at, app):
    endpoint = at("hint")
    with take_slots(app):
        wrong = endpoint.post(endpoint.good, Authorization="Bearer x")
        stale = endpoint.post({"version": 1})
    assert (known(wrong), known(stale)) == ((403, "token-wrong"), (409, "version-conflict"))


def test_a_slot_is_given_back_whatever_happens():
    pool = ComputePool(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), pool.slot():
            raise ZeroDivisionError
    with pool.slot(), pytest.raises(TooManySearchesError), pool.slot():
        pass


# How long a line may grow


def test_a_line_of_play_has_an_end_and_whoever_reaches_it_can_resign(player, api, store, fake):
    game = store.load(player.game["id"])
    full = game._replace(id=keys.new_game_id(), version=1, ply=LONGEST_LINE, length=LONGEST_LINE)
    line = list(full.legal_moves[:1]) * LONGEST_LINE
    store.save(Change(full, Event(1, "created", full.created_at), {}, line))
    token = ServerKey(SERVER_KEY.encode()).play_token(full.id, full.epoch)
    player = Player(api, api.get(f"/v1/games/{full.id}").json, token)
    with nothing_changes(fake):
        answer = player.play(player.game["legal_moves"][0])
    assert known(answer) == (409, "game-too-long")
    assert answer.json["longest"] == LONGEST_LINE
    assert player.resign().status == 200


def test_the_last_move_that_a_line_has_room_for_is_played(player, store):
    game = store.load(player.game["id"])
    almost = game._replace(ply=LONGEST_LINE - 1, length=LONGEST_LINE - 1)
    played = play_moves(almost, [game.legal_moves[0]], RequestStamp(2, "request"))
    assert played.game.ply == LONGEST_LINE
