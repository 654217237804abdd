"""The deal of the day: the same for everybody, begun on its day, closed until that is over."""

import pytest

from service.games import VARIANTS
from tests.http.kit import (
    KEY,
    MIDNIGHT,
    NOON,
    TODAY,
    TOMORROW,
    assert_replayed,
    every_variant,
    known,
    nothing_changes,
    table,
)
from tests.http.test_reveal import assert_derived
from tests.support import reading

pytestmark = pytest.mark.usefixtures("clock")
either_way = pytest.mark.parametrize("over", [False, True], ids=["goes on", "resigned"])


def begin(api, variant, day=TODAY, **more):
    return api.new_game(variant, deal={"daily": day}, **more)


# Everybody's deal


@every_variant
def test_everybody_plays_the_same_deal_on_a_day_each_in_a_game_of_their_own(api, variant):
    one, other = begin(api, variant).game, begin(api, variant, label="ada").game
    assert (one["piles"], one["deal"]) == (other["piles"], other["deal"])
    assert one["id"] != other["id"]
    today = api.get("/v1/deals/daily").json
    (item,) = (item for item in today["items"] if item["variant"] == variant)
    assert today["day"] == item["day"] == TODAY
    assert one["deal"] == {
        "id": f"{variant}-daily-{TODAY}",
        "fairness": "daily",
        "number": None,
        "commitment": item["commitment"],
    }


def test_there_is_one_deal_a_day_of_each_variant_and_none_are_alike(api, clock):
    seen = set()
    for _ in range(30):
        today = api.get("/v1/deals/daily").json
        assert [item["variant"] for item in today["items"]] == list(VARIANTS)
        seen |= {item["commitment"] for item in today["items"]}
        clock.now += 24 * 60 * 60
    assert len(seen) == 30 * len(VARIANTS)


# Its day


@every_variant
def test_the_day_changes_at_midnight_in_utc_and_a_game_goes_on(api, clock, variant):
    clock.now = MIDNIGHT - 0.001
    last = begin(api, variant)
    before = last.game["piles"]
    clock.now = MIDNIGHT
    assert api.get("/v1/deals/daily").json["day"] == TOMORROW
    assert begin(api, variant, TOMORROW).game["piles"] != before
    assert last.play(last.game["legal_moves"][0]).status == 200


@pytest.mark.parametrize("day", ["2026-11-29", TOMORROW, "0001-01-01", "9999-12-31"])
def test_the_deal_of_no_other_day_can_be_begun(api, fake, day):
    with nothing_changes(fake):
        refused = api.post("/v1/games", {"variant": "astrocyte", "deal": {"daily": day}})
    assert known(refused) == (409, "not-todays-deal")
    assert refused.json["today"] == TODAY


def test_a_creation_that_is_repeated_after_midnight_finds_its_game(api, clock):
    body = {"variant": "astrocyte", "deal": {"daily": TODAY}}
    clock.now = MIDNIGHT - 1
    made = api.post("/v1/games", body, Idempotency_Key=KEY)
    clock.now = MIDNIGHT + 1
    assert_replayed(api.post("/v1/games", body, Idempotency_Key=KEY), made)


# What is closed until the day is over


@every_variant
@either_way
def test_only_its_player_watches_a_daily_game_until_the_day_is_over(api, clock, variant, over):
    player, stranger = begin(api, variant), begin(api, variant)
    player.play(player.game["legal_moves"][0])
    if over:
        player.resign()
    for part in ("", "/moves", "/legal-moves", "/replay", "/events"):
        path, clock.now = player.path + part, NOON
        for headers in ({}, {"If_None_Match": "*"}):
            assert known(api.get(path, **headers)) == (401, "token-missing")
        assert known(api.get(path, **stranger.bearer)) == (403, "token-wrong")
        assert api.get(path, **player.bearer).status == 200
        clock.now = MIDNIGHT
        assert api.get(path).status == 200


@every_variant
@either_way
def test_nobody_sees_the_deal_before_its_day_is_over_and_then_everybody(api, clock, variant, over):
    """Not even who has played it to the end: it could be passed on, or begun under another name."""
    player = begin(api, variant)
    if over:
        player.resign()
    deal, replay = f"/v1/deals/{player.game['deal']['id']}", f"{player.path}/replay"
    commitment = player.game["deal"]["commitment"]
    for clock.now in (NOON, MIDNIGHT - 0.001):
        for headers in ({}, player.bearer):
            refused = api.get(f"{player.path}/reveal", **headers)
            assert known(refused) == (409, "day-not-over")
            assert refused.json["opens_at"] == "2026-12-01T00:00:00.000Z"
            assert api.get(deal, **headers).json["reveal"] is None
        assert api.get(replay, **player.bearer).json["deal"] == {"commitment": commitment}
    clock.now = MIDNIGHT
    reveal = api.get(deal).json["reveal"]
    assert reveal == api.get(f"{player.path}/reveal").json
    assert_derived(reveal, commitment)
    dealt = reading.GAMES[variant]()
    dealt.lay_out(reveal["pack"])
    assert table(player.game) == {id: (dealt.down[id], tuple(dealt.seen(id))) for id in dealt.piles}
    seeds = api.get(replay).json["deal"]
    assert seeds == {name: reveal[name] for name in ("commitment", "server_seed", "player_seed")}


def test_the_deal_of_a_day_to_come_is_not_found(api, clock):
    path = f"/v1/deals/astrocyte-daily-{TOMORROW}"
    assert known(api.get(path)) == (404, "deal-not-found")
    clock.now = MIDNIGHT
    assert api.get(path).json["reveal"] is None


@pytest.mark.parametrize(
    "deal_id",
    [
        *("astrocyte-daily-", "astrocyte-daily-2026-02-29", "astrocyte-daily-20261130"),
        *("astrocyte-daily-2026-11-30-1", "astrocyte-daily-0000-01-01", "-daily-2026-11-30"),
        *("klondike-daily-2026-11-30", "astrocyte-daily-%D9%A2026-11-30"),
        "astrocyte-daily-2026-11-30%0A",
    ],
)
def test_an_id_of_no_daily_deal_is_not_found(api, deal_id):
    assert known(api.get(f"/v1/deals/{deal_id}")) == (404, "deal-not-found")
