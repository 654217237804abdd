"""A service whose server key has been changed serves every game that it served before."""

from datetime import date

import pytest

from service.api.services import services_of
from service.config import Settings
from service.play.keys import FormerKey, ServerKey
from tests.http.kit import NOON, TODAY, app_on, known
from tests.support.api import Api, Player, in_process
from tests.support.servers import SERVER_KEY

OLD = ServerKey(SERVER_KEY.encode())
NEW = ServerKey(b"another key, for tests alone as well")
CHANGED = ServerKey(NEW.secret, (FormerKey(OLD, date.fromisoformat(TODAY)),))
TOMORROW_NOON = NOON + 24 * 60 * 60


@pytest.fixture
def service_with(store, contract):
    """A client of a service on the store with a key, at a time."""

    def client(key, at=NOON):
        app = app_on(store, Settings(key, "redis://nowhere", limits={}))
        services_of(app).play._clock = lambda: at
        return Api(in_process(app), contract)

    return client


BEGINNINGS = {
    "a numbered game": lambda api: api.new_game("astrocyte", 1),
    "a sealed game": lambda api: api.new_game("astrocyte"),
    "a daily game": lambda api: api.new_game("astrocyte", deal={"daily": TODAY}),
    "a fair game": lambda api: api.fair_game("astrocyte", "0f" * 16),
}


@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_game_goes_on_across_the_change(service_with, begin):
    player = begin(service_with(OLD))
    player.play(player.game["legal_moves"][0])
    again = Player(service_with(CHANGED), player.game, player.token)
    assert again.read(**player.bearer).json == player.game
    assert again.play(again.game["legal_moves"][0]).status == 200
    assert again.undo().status == 200
    assert again.resign().status == 200
    assert again.delete().status == 204


def test_a_commitment_from_before_is_good_for_a_game_after(service_with):
    commitment = service_with(OLD).post("/v1/commitments").json
    deal = {"commitment_id": commitment["commitment_id"], "player_seed": "0f" * 16}
    game = service_with(CHANGED).begin({"variant": "astrocyte", "deal": deal}).game
    assert game["deal"]["commitment"] == commitment["commitment"]


def test_what_was_committed_to_is_what_is_revealed_when_the_day_is_over(service_with):
    path = f"/v1/deals/astrocyte-daily-{TODAY}"
    before, over = service_with(OLD).get(path), service_with(CHANGED, TOMORROW_NOON).get(path)
    assert over.json["commitment"] == before.json["commitment"]
    assert over.json["reveal"]["commitment"] == before.json["commitment"]


@pytest.mark.parametrize(("began", "other"), [(OLD, NEW), (CHANGED, OLD)], ids=["new", "old"])
def test_one_key_makes_no_token_for_a_game_of_the_other(service_with, store, began, other):
    player = service_with(began).new_game("astrocyte", 1)
    forged = other.play_token(player.game["id"], store.load(player.game["id"]).epoch)
    answer = Player(service_with(CHANGED), player.game, forged).play("t1c1")
    assert known(answer) == (403, "token-wrong")
