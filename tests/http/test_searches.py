"""Those who think have so much room: one more is sent away at once, and everybody else plays on."""

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

HARD = "binary-star-1000000000001"
"""A deal that is in no catalogue."""
STAMP = RequestStamp(2, "request")


@pytest.fixture
def all_think(app):
    """Takes all the room there is, until it is called."""
    with ExitStack() as stack:
        pool = services_of(app).pool
        with suppress(TooManySearchesError):
            while True:
                stack.enter_context(pool.slot())
        yield stack.close


def good(door):
    return door.knock(door.good)


def fork(door):
    replay = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": ["t7t2"]}
    return door.knock({"variant": "astrocyte", "deal": {"replay": replay, "ply": 1}})


def look_up(door):
    return door.player.api.get(f"/v1/deals/{HARD}")


THINKERS = {
    "a hint": ("hint", good),
    "a ruling": ("referee/verify", good),
    "a position": ("referee/positions", good),
    "a fork": ("games", fork),
    "a deal of no catalogue": ("games", look_up),
}


@pytest.mark.parametrize(("place", "think"), THINKERS.values(), ids=THINKERS)
def test_where_all_the_room_is_taken_one_more_is_sent_away_and_may_come_back(
    at, fake, all_think, place, think
):
    door = at(place)
    with nothing_changes(fake):
        answer = think(door)
    assert known(answer) == (503, "too-many-searches")
    assert answer.headers["Retry-After"] == "1"
    all_think()
    assert think(door).status in (200, 201)


def test_everything_else_is_answered_meanwhile(at, api, all_think):
    for name in ("moves", "undo", "redo", "resignation", "games", "commitments"):
        door = at(name)
        assert door.knock(door.good).status in (200, 201), name
    for path in ("/livez", "/v1/deals/binary-star-1", f"/v1/deals/binary-star-{WON_DEAL}"):
        assert api.get(path).status == 200


def test_a_hint_that_follows_an_earlier_one_needs_no_thought(at, app):
    player = at("hint").player
    move = player.post("hint", {"version": player.version}).json["move"]
    player.play(move)
    with ExitStack() as stack:
        with suppress(TooManySearchesError):
            while True:
                stack.enter_context(services_of(app).pool.slot())
        assert player.post("hint", {"version": player.version}).status == 200


def test_who_has_no_token_takes_no_room(at, all_think):
    door = at("hint")
    assert known(door.knock(door.good, Authorization="Bearer x")) == (403, "token-wrong")
    assert known(door.knock({"version": 1})) == (409, "version-conflict")


def test_room_is_given_back_whatever_happens():
    pool = ComputePool(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), pool.slot():
            raise ZeroDivisionError
    with pool.slot(), pytest.raises(TooManySearchesError), pool.slot():
        pass


# How long a line may grow


def test_a_line_of_play_has_an_end_and_whoever_reaches_it_can_go_back(at, api, store, fake):
    game = store.load(at("moves").player.game["id"])
    player = Player(api, at("moves").player.game, at("moves").player.token)
    full = game._replace(id=keys.new_game_id(), version=1, ply=LONGEST_LINE, length=LONGEST_LINE)
    line = list(full.legal_moves[:1]) * LONGEST_LINE
    store.save(Change(full, Event(1, "created", full.created_at), {}, line))
    player.token = ServerKey(SERVER_KEY.encode()).play_token(full.id, full.epoch)
    player.game = api.get(f"/v1/games/{full.id}").json
    with nothing_changes(fake):
        answer = player.play(player.game["legal_moves"][0])
    assert known(answer) == (409, "game-too-long")
    assert answer.json["longest"] == LONGEST_LINE
    assert player.resign().status == 200


def test_the_last_move_that_a_line_has_room_for_is_played(at, store):
    player = at("moves").player
    game = store.load(player.game["id"])
    move = game.legal_moves[0]
    almost = game._replace(ply=LONGEST_LINE - 1, length=LONGEST_LINE - 1)
    assert play_moves(almost, [move], STAMP).game.ply == LONGEST_LINE
