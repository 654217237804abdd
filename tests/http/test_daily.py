"""The deal of the day: the same for everybody, begun on its day, closed until that is over."""

import hashlib
import hmac
from datetime import UTC, date, datetime

import pytest

from service.api.services import services_of
from service.games import VARIANTS
from service.play.keys import ServerKey
from tests.http.kit import KEY, World, known, nothing_changes, table
from tests.http.test_reveal import canonical
from tests.support import reading
from tests.support.servers import SERVER_KEY

every_variant = pytest.mark.parametrize("variant", VARIANTS)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
MIDNIGHT = datetime(2026, 12, 1, tzinfo=UTC).timestamp()
TODAY, TOMORROW = "2026-11-30", "2026-12-01"
BELOW_A_GAME = ("", "/moves", "/legal-moves", "/replay", "/events")
"""What can be read of a game while it is played."""


@pytest.fixture(autouse=True)
def clock(app, monkeypatch):
    """The time, noon at first."""
    now = {"time": NOON}
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: now["time"])
    return now


def begin(api, variant, day=TODAY, **more):
    return api.new_game(variant, deal={"daily": day}, **more)


def bearer(player):
    return {"Authorization": f"Bearer {player.token}"}


# Everybody's deal


@every_variant
def test_everybody_plays_the_same_deal_on_a_day_each_in_a_game_of_their_own(api, variant):
    one, other = begin(api, variant).game, begin(api, variant, label="ada").game
    assert one["piles"] == other["piles"]
    assert one["deal"] == other["deal"]
    assert one["id"] != other["id"]


@every_variant
def test_a_daily_game_says_which_deal_it_is_of_and_what_that_is_committed_to(api, variant):
    deal = begin(api, variant).game["deal"]
    today = api.get("/v1/deals/daily").json
    (told,) = (item for item in today["items"] if item["variant"] == variant)
    assert today["day"] == told["day"] == TODAY
    assert deal == {
        "id": f"{variant}-daily-{TODAY}",
        "fairness": "daily",
        "number": None,
        "commitment": told["commitment"],
    }


def test_there_is_one_deal_a_day_of_each_variant_and_none_are_alike(api, clock):
    seen = set()
    for _ in range(30):
        today = api.get("/v1/deals/daily").json
        assert [item["variant"] for item in today["items"]] == list(VARIANTS)
        seen |= {item["commitment"] for item in today["items"]}
        clock["time"] += 24 * 60 * 60
    assert len(seen) == 30 * len(VARIANTS)


@every_variant
def test_another_server_key_makes_another_deal(api, contract, monkeypatch, variant):
    other = World(contract, SERVER_KEY[::-1])
    monkeypatch.setattr(services_of(other.app).play, "_clock", lambda: NOON)
    assert begin(api, variant).game["piles"] != begin(other.api, variant).game["piles"]


# Its day


@every_variant
def test_the_day_changes_at_midnight_in_utc(api, clock, variant):
    clock["time"] = MIDNIGHT - 0.001
    last = begin(api, variant).game
    clock["time"] = MIDNIGHT
    assert api.get("/v1/deals/daily").json["day"] == TOMORROW
    assert begin(api, variant, TOMORROW).game["piles"] != last["piles"]


@pytest.mark.parametrize("day", ["2026-11-29", TOMORROW, "0001-01-01", "9999-12-31"])
def test_the_deal_of_no_other_day_can_be_begun(api, fake, day):
    with nothing_changes(fake):
        refused = api.post("/v1/games", {"variant": "astrocyte", "deal": {"daily": day}})
    assert known(refused) == (409, "not-todays-deal")
    assert refused.json["today"] == TODAY


def test_a_creation_that_is_sent_again_after_midnight_finds_its_game(api, clock):
    body = {"variant": "astrocyte", "deal": {"daily": TODAY}}
    clock["time"] = MIDNIGHT - 1
    made = api.post("/v1/games", body, Idempotency_Key=KEY)
    clock["time"] = MIDNIGHT + 1
    again = api.post("/v1/games", body, Idempotency_Key=KEY)
    assert (again.status, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.body == made.body


def test_a_game_that_was_begun_on_the_day_goes_on_when_it_is_over(api, clock):
    player = begin(api, "astrocyte")
    clock["time"] = MIDNIGHT + 3600
    assert player.play(player.game["legal_moves"][0]).status == 200


# What is closed until the day is over


@every_variant
@pytest.mark.parametrize("over", [False, True], ids=["played", "given up"])
def test_only_its_player_watches_a_daily_game_until_the_day_is_over(api, clock, variant, over):
    player, stranger = begin(api, variant), begin(api, variant)
    player.play(player.game["legal_moves"][0])
    if over:
        player.resign()
    for part in BELOW_A_GAME:
        path = player.path + part
        assert known(api.get(path)) == (401, "token-missing")
        assert known(api.get(path, If_None_Match="*")) == (401, "token-missing")
        assert known(api.get(path, **bearer(stranger))) == (403, "token-wrong")
        assert api.get(path, **bearer(player)).status == 200
        clock["time"] = MIDNIGHT
        assert api.get(path).status == 200
        clock["time"] = NOON


@every_variant
def test_nobody_is_told_the_deal_before_its_day_is_over(api, clock, variant):
    """Not even who has played it to the end: it could be passed on, or begun under another name."""
    player = begin(api, variant)
    deal = f"/v1/deals/{player.game['deal']['id']}"
    for _ in range(2):
        for clock["time"] in (NOON, MIDNIGHT - 0.001):
            for headers in ({}, bearer(player)):
                refused = api.get(f"{player.path}/reveal", **headers)
                assert known(refused) == (409, "day-not-over")
                assert refused.json["opens_at"] == "2026-12-01T00:00:00.000Z"
                assert api.get(deal, **headers).json["reveal"] is None
        clock["time"] = NOON
        player.resign()


@pytest.mark.parametrize("over", [False, True], ids=["played", "given up"])
def test_a_replay_tells_its_player_no_seed_before_the_day_is_over(api, clock, over):
    player = begin(api, "astrocyte")
    if over:
        player.resign()
    told = api.get(f"{player.path}/replay", **bearer(player)).json
    assert told["deal"] == {"commitment": player.game["deal"]["commitment"]}
    clock["time"] = MIDNIGHT
    assert "server_seed" in api.get(f"{player.path}/replay").json["deal"]


def test_the_deal_of_a_day_to_come_is_not_found(api, clock):
    path = f"/v1/deals/astrocyte-daily-{TOMORROW}"
    assert known(api.get(path)) == (404, "deal-not-found")
    clock["time"] = MIDNIGHT
    assert api.get(path).json["reveal"] is None


@pytest.mark.parametrize(
    "deal_id",
    [
        "astrocyte-daily-",
        "astrocyte-daily-2026-02-29",
        "astrocyte-daily-20261130",
        "astrocyte-daily-2026-11-30-1",
        "astrocyte-daily-0000-01-01",
        "klondike-daily-2026-11-30",
        "-daily-2026-11-30",
        "astrocyte-daily-%D9%A2026-11-30",
        "astrocyte-daily-2026-11-30%0A",
    ],
)
def test_what_is_no_daily_deal_is_not_found(api, deal_id):
    assert known(api.get(f"/v1/deals/{deal_id}")) == (404, "deal-not-found")


# And open afterwards


@every_variant
@pytest.mark.parametrize("over", [False, True], ids=["goes on", "given up"])
def test_the_deal_is_told_to_everybody_when_its_day_is_over(api, clock, variant, over):
    player = begin(api, variant)
    if over:
        player.resign()
    clock["time"] = MIDNIGHT
    told = api.get(f"/v1/deals/{player.game['deal']['id']}").json
    assert told["reveal"] == api.get(f"{player.path}/reveal").json


@every_variant
def test_the_seed_that_is_told_is_what_was_committed_to_and_lays_out_the_table(api, clock, variant):
    game = begin(api, variant).game
    clock["time"] = MIDNIGHT
    reveal = api.get(f"/v1/deals/{game['deal']['id']}").json["reveal"]
    seed = bytes.fromhex(reveal["server_seed"])
    assert hashlib.sha256(b"asterism-deal/1|" + seed).hexdigest() == game["deal"]["commitment"]
    assert (
        reveal["pack"] == reading.shuffle(canonical(variant), hmac.digest(seed, b"", "sha256"))[0]
    )
    dealt = reading.GAMES[variant]()
    dealt.lay_out(reveal["pack"])
    assert table(game) == {id: (dealt.down[id], tuple(dealt.seen(id))) for id in dealt.piles}


def test_the_seed_of_one_day_tells_nothing_of_the_next(api, clock):
    """It is drawn from the server key, which no number of seeds gives away."""
    clock["time"] = MIDNIGHT
    told = api.get(f"/v1/deals/astrocyte-daily-{TODAY}").body.decode()
    key = ServerKey(SERVER_KEY.encode())
    assert key.daily_seed("astrocyte", date(2026, 11, 30)).hex() in told
    assert key.daily_seed("astrocyte", date(2026, 12, 1)).hex() not in told


# Handed on


def test_a_replay_tells_the_deal_when_the_day_is_over_and_not_when_the_game_is(api, clock):
    player = begin(api, "astrocyte")
    path, watching = f"{player.path}/replay", bearer(player)
    player.resign()
    commitment = player.game["deal"]["commitment"]
    assert api.get(path, **watching).json["deal"] == {"commitment": commitment}
    clock["time"] = MIDNIGHT
    assert api.get(path).json["deal"].keys() == {"commitment", "server_seed", "player_seed"}


def test_a_replay_of_a_game_that_outlasts_its_day_tells_the_deal(api, clock):
    player = begin(api, "astrocyte")
    clock["time"] = MIDNIGHT
    told = api.get(f"{player.path}/replay").json
    assert (told["status"], len(told["deal"]["server_seed"])) == ("in_progress", 64)
