"""A service whose server key has been changed serves every game that it served before."""

from datetime import UTC, date, datetime

import pytest

from service.api.services import services_of
from service.config import Settings
from service.play.keys import FormerKey, ServerKey
from tests.http.kit import app_on, known
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY

NEW_KEY = b"another key, for tests alone as well"
TODAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
A_DAY = 24 * 60 * 60


def service_with(key, store, contract, at=NOON):
    """A client of a service on `store` with this key, at this time."""
    app = app_on(store, Settings(key, "redis://nowhere", limits={}))
    services_of(app).play._clock = lambda: at
    return Api(in_process(app), contract)


@pytest.fixture
def before(store, contract):
    return service_with(ServerKey(SERVER_KEY.encode()), store, contract)


def changed(store, contract, at=NOON):
    former = FormerKey(ServerKey(SERVER_KEY.encode()), TODAY)
    return service_with(ServerKey(NEW_KEY, (former,)), store, contract, at)


BEGINNINGS = {
    "a numbered game": lambda api: api.new_game("astrocyte", 1),
    "a sealed game": lambda api: api.new_game("astrocyte"),
    "a daily game": lambda api: api.new_game("astrocyte", deal={"daily": str(TODAY)}),
    "a fair game": lambda api: api.fair_game("astrocyte", "0f" * 16),
}


@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_game_goes_on_across_the_change(before, store, contract, begin):
    player = begin(before)
    player.play(player.game["legal_moves"][0])
    again = Player(changed(store, contract), player.game, player.token)
    assert again.read(Authorization=f"Bearer {player.token}").json == player.game
    assert again.play(again.game["legal_moves"][0]).status == 200
    assert again.undo().status == 200
    assert again.resign().status == 200
    assert again.delete().status == 204


def test_a_commitment_from_before_is_good_for_a_game_after(before, store, contract):
    commitment = before.post("/v1/commitments").json
    deal = {"commitment_id": commitment["commitment_id"], "player_seed": "0f" * 16}
    answer = changed(store, contract).post("/v1/games", {"variant": "astrocyte", "deal": deal})
    assert answer.json["game"]["deal"]["commitment"] == commitment["commitment"]


def test_the_deals_of_the_day_stay_what_they_are_and_tomorrow_s_are_new(before, store, contract):
    today = before.get("/v1/deals/daily").json
    assert changed(store, contract).get("/v1/deals/daily").json == today
    tomorrow = changed(store, contract, NOON + A_DAY).get("/v1/deals/daily").json
    unchanged = service_with(ServerKey(SERVER_KEY.encode()), store, contract, NOON + A_DAY).get(
        "/v1/deals/daily"
    )
    assert tomorrow["day"] == unchanged.json["day"]
    assert tomorrow != unchanged.json


def test_what_was_committed_to_is_what_is_revealed_when_the_day_is_over(before, store, contract):
    told = before.get(f"/v1/deals/astrocyte-daily-{TODAY}").json
    over = changed(store, contract, NOON + A_DAY).get(f"/v1/deals/astrocyte-daily-{TODAY}").json
    assert over["commitment"] == told["commitment"] == over["reveal"]["commitment"]


def test_a_token_of_the_new_key_is_none_of_an_old_game_s(before, store, contract):
    player = before.new_game("astrocyte", 1)
    epoch = store.load(player.game["id"]).epoch
    forged = ServerKey(NEW_KEY).play_token(player.game["id"], epoch)
    answer = Player(changed(store, contract), player.game, forged).play("t1c1")
    assert known(answer) == (403, "token-wrong")


def test_the_old_key_makes_no_token_for_a_new_game(store, contract):
    player = changed(store, contract).new_game("astrocyte", 1)
    epoch = store.load(player.game["id"]).epoch
    forged = ServerKey(SERVER_KEY.encode()).play_token(player.game["id"], epoch)
    answer = Player(player.api, player.game, forged).play("t1c1")
    assert known(answer) == (403, "token-wrong")
