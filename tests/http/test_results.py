"""Results and figures over HTTP: entered as games are played, listed best first, and counted."""

import random

import pytest

from service.api.services import services_of
from service.deals.deal import PublicDeal
from service.errors import StoreUnavailableError
from service.games import VARIANTS
from service.records.statistics import GROUPS
from tests.conftest import TTL
from tests.http.kit import (
    KEY,
    MIDNIGHT,
    NEARLY_WON,
    NOON,
    TODAY,
    assert_replayed,
    faults,
    known,
    put,
)
from tests.http.test_daily import begin

pytestmark = pytest.mark.usefixtures("clock")

DEAL = PublicDeal(VARIANTS["astrocyte"], 7)
RESULTS = f"/v1/deals/{DEAL.id}/results"
OUTCOMES = ("won", "resigned", "stuck", "left", "open")
NOTHING = {
    **dict.fromkeys(("begun", *OUTCOMES), 0),
    **dict.fromkeys(("win_rate", "moves", "seconds")),
}
DAY = 24 * 60 * 60
BOARDS = {
    status: f"t1: {cards}\nf1: 6H\nf2: KS"
    for status, cards in {"won": "7C", "stuck": "7D 7C", "open": "7D 8C 7C"}.items()
}
"""Boards of Binary Star from which the move t1f1 leads to each status."""


@pytest.fixture
def win(api, store):
    """Wins a game of deal 7 of Astrocyte with its first move."""

    def won():
        player = put(api, store, NEARLY_WON, deal=DEAL)
        player.play("t1f1x13")
        return player

    return won


def lose(api, **more):
    """Gives a game of deal 7 of Astrocyte up after a move."""
    player = api.new_game("astrocyte", 7, **more)
    player.play(player.game["legal_moves"][0])
    player.resign()
    return player


@pytest.fixture
def begun(api, store):
    """Plays the first move of a game of deal 1 of Binary Star, after which it is as named."""

    def first_move(status):
        player = put(api, store, BOARDS[status], "binary-star")
        assert player.play("t1f1").status == 200
        return player

    return first_move


def items(api, path=RESULTS):
    answer = api.get(path)
    assert answer.status == 200, answer.body
    return answer.json["items"]


def attempts(api):
    """Of each result of deal 7, whether it is a first attempt."""
    return {item["game_id"]: item["first_attempt"] for item in items(api)}


def stats(api, query="variant=astrocyte"):
    (item,) = items(api, f"/v1/stats?{query}")
    return item["figures"]


def outcomes(api, query="variant=binary-star", group="all"):
    """How many games have each outcome, where any have; they add up to those that are begun."""
    figures = stats(api, query)[group]
    counts = {outcome: figures[outcome] for outcome in OUTCOMES if figures[outcome]}
    assert figures["begun"] == sum(counts.values())
    return counts


# Results


def test_a_deal_without_a_finished_game_has_no_results(api):
    api.new_game("astrocyte", 7, label="ada")
    assert api.get(RESULTS).json == {"items": [], "next": None}


def test_a_result_says_what_the_game_came_to_and_leads_to_its_replay(api, clock):
    player = api.new_game("astrocyte", 7, label="ada")
    player.play("deal")
    player.undo()
    player.play("deal")
    clock.now += 12.5
    player.resign()
    assert items(api) == [
        {
            "game_id": player.game["id"],
            "label": "ada",
            "label_owned": True,
            "status": "resigned",
            "moves": 2,
            "seconds": 12.5,
            "undos": 1,
            "hints": 0,
            "first_attempt": True,
            "ranked": False,
            "ended_at": player.game["updated_at"],
            "replay": f"{player.path}/replay",
        }
    ]
    assert api.get(f"{player.path}/replay").json["moves"] == ["deal"]


def test_results_are_those_of_one_deal_and_a_win_comes_first(api, win):
    lost, won = lose(api), win()
    assert [item["game_id"] for item in items(api)] == [won.game["id"], lost.game["id"]]
    assert items(api, "/v1/deals/astrocyte-8/results") == []
    assert items(api, "/v1/deals/binary-star-7/results") == []


def test_the_pages_of_the_results_join_without_gap_or_repeat_while_more_come_in(api):
    for _ in range(7):
        lose(api)
    found, cursor = [], ""
    while cursor is not None:
        page = api.get(f"{RESULTS}?limit=3{cursor}").json
        found += [item["game_id"] for item in page["items"]]
        cursor = page["next"] and f"&cursor={page['next']}"
        if len(found) == 3:
            lose(api)
    assert len(found) == len(set(found)) >= 7
    assert [item["game_id"] for item in items(api) if item["game_id"] in found] == found
    first = api.get(f"{RESULTS}?limit=1").json["next"]
    other = api.get(f"/v1/deals/astrocyte-8/results?cursor={first}")
    assert known(other) == (422, "foreign-cursor")


@pytest.mark.parametrize(
    ("deal_id", "refusal"),
    [
        ("astrocyte-0", (422, "invalid-request")),
        ("klondike-1", (404, "deal-not-found")),
        ("astrocyte-daily-2026-12-01", (404, "deal-not-found")),
    ],
)
def test_an_id_of_no_deal_has_neither_results_nor_figures(api, deal_id, refusal):
    assert known(api.get(f"/v1/deals/{deal_id}/results")) == (404, "deal-not-found")
    assert known(api.get(f"/v1/stats?deal={deal_id}")) == refusal


def test_a_sealed_deal_has_no_list_of_results_and_counts_as_a_first_attempt(api):
    for _ in range(2):
        player = api.new_game("astrocyte", label="ada")
        player.resign()
    path = f"/v1/deals/{player.game['deal']['id']}/results"
    assert known(api.get(path)) == (404, "deal-not-found")
    assert outcomes(api, "variant=astrocyte", "first_attempts") == {"resigned": 2}


# First attempts


def test_the_first_game_of_a_label_at_a_deal_is_its_first_attempt_whichever_ends_first(api):
    first, second = (api.new_game("astrocyte", 7, label="ada") for _ in range(2))
    second.resign()
    first.resign()
    assert attempts(api) == {first.game["id"]: True, second.game["id"]: False}


def test_without_a_label_or_after_a_deleted_attempt_it_is_no_first_attempt(api):
    api.new_game("astrocyte", 7, label="ada").delete()
    lose(api, label="ada")
    lose(api)
    assert list(attempts(api).values()) == [False, False]


def test_a_repeated_creation_stays_the_first_attempt_and_a_refused_one_is_none(api):
    body = {"variant": "astrocyte", "deal": {"number": "8"}, "label": "ada"}
    api.begin(body, Idempotency_Key=KEY)
    reused = api.post("/v1/games", body | {"deal": {"number": "7"}}, Idempotency_Key=KEY)
    assert known(reused) == (422, "idempotency-key-reused")
    again = api.begin(body, Idempotency_Key=KEY)
    again.resign()
    lose(api, label="ada", label_key=again.label_key)
    assert list(attempts(api).values()) == [True]
    (item,) = items(api, "/v1/deals/astrocyte-8/results")
    assert item["first_attempt"]


# The deal of the day


def test_the_results_of_a_day_are_closed_until_it_is_over(api, clock):
    player = begin(api, "astrocyte", label="ada")
    player.resign()
    deal_id = player.game["deal"]["id"]
    for path in (f"/v1/deals/{deal_id}/results", f"/v1/stats?deal={deal_id}"):
        refused = api.get(path, **player.bearer)
        assert known(refused) == (409, "day-not-over")
        assert refused.json["opens_at"] == "2026-12-01T00:00:00.000Z"
    clock.now = MIDNIGHT
    (item,) = items(api, f"/v1/deals/{deal_id}/results")
    assert item["label"] == "ada"
    assert "server_seed" in api.get(item["replay"]).json["deal"]
    for query in (f"deal={deal_id}", "variant=astrocyte", "variant=astrocyte&label=ada"):
        assert outcomes(api, query, "ranked") == {"resigned": 1}


@pytest.mark.parametrize("end", ["open", "resigned", "left"])
def test_figures_tell_nothing_of_a_day_until_it_is_over(api, clock, end):
    player = begin(api, "astrocyte", label="ada")
    player.play("deal")
    {"open": lambda: None, "resigned": player.resign, "left": player.delete}[end]()
    queries = ("variant=astrocyte", "variant=astrocyte&label=ada")
    assert [stats(api, query)["all"] for query in queries] == [NOTHING, NOTHING]
    clock.now = MIDNIGHT
    for query in (*queries, f"deal=astrocyte-daily-{TODAY}"):
        assert outcomes(api, query, "ranked") == {end: 1}


def test_a_label_has_one_ranked_result_a_day_and_ranked_results_come_first(api, clock):
    ada, bob = (begin(api, "astrocyte", label=name) for name in ("ada", "bob"))
    again, nameless = begin(api, "astrocyte", label="ada"), begin(api, "astrocyte")
    for player in (again, nameless, ada, bob):
        clock.now += 10
        player.resign()
    clock.now = MIDNIGHT
    listed = items(api, f"/v1/deals/astrocyte-daily-{TODAY}/results")
    assert [(i["label"], i["ranked"]) for i in listed[:2]] == [("ada", True), ("bob", True)]
    assert [item["ranked"] for item in listed] == [True, True, False, False]


def test_a_game_that_ends_when_the_day_is_over_is_not_ranked(api, clock):
    players = [begin(api, "astrocyte", label=name) for name in ("ada", "bob")]
    for clock.now, player in zip((MIDNIGHT - 0.001, MIDNIGHT), players, strict=True):
        player.resign()
    listed = items(api, f"/v1/deals/astrocyte-daily-{TODAY}/results")
    assert {item["label"]: item["ranked"] for item in listed} == {"ada": True, "bob": False}
    assert outcomes(api, "variant=astrocyte", "ranked") == {"resigned": 1}


def test_a_first_attempt_at_the_daily_deal_is_ranked_until_it_ends_too_late(api, clock):
    player = begin(api, "astrocyte", label="ada")
    other = api.new_game("astrocyte", 7, label="ada")
    for clock.now in (NOON, MIDNIGHT):
        player.play("deal")
        other.play("deal")
    assert outcomes(api, "variant=astrocyte", "ranked") == {"open": 1}
    player.resign()
    assert outcomes(api, "variant=astrocyte", "ranked") == {}


# Figures


def test_before_any_game_is_begun_there_is_nothing_to_count(api):
    api.new_game("astrocyte").delete()
    api.new_game("binary-star").post("hint", {"version": 1})
    listed = items(api, "/v1/stats")
    assert [item["variant"] for item in listed] == list(VARIANTS)
    for item in listed:
        assert (item["label"], item["deal"]) == (None, None)
        assert item["figures"] == dict.fromkeys(GROUPS, NOTHING)


def test_the_win_rate_is_that_of_all_begun_games_and_their_outcomes_add_up(api, begun, clock):
    for _ in range(2):
        begun("open")
    clock.now += 40 * DAY  # then these have expired
    for status, count in {"stuck": 50, "won": 10, "open": 12}.items():
        players = [begun(status) for _ in range(count)]
    for player in players[:3]:
        player.resign()
    for player in players[3:8]:
        player.delete()
    expected = {"won": 10, "resigned": 3, "stuck": 50, "left": 7, "open": 4}
    for query in ("variant=binary-star", "deal=binary-star-1"):
        assert outcomes(api, query) == expected
        figures = stats(api, query)["all"]
        assert figures["begun"] == 74
        assert figures["win_rate"]["share"] == 10 / 74
        assert round(figures["win_rate"]["low"], 3) == 0.075
        assert round(figures["win_rate"]["high"], 3) == 0.231
        assert figures["moves"] == {"least": 1, "median": 1, "most": 1}


def test_a_game_is_open_from_its_first_move_on_and_stuck_until_moves_are_taken_back(api):
    """After every request, in a game that gets stuck again and again."""
    player, choice, seen = api.new_game("binary-star", 3), random.Random(5), set()
    while player.game["counters"]["undos"] < 40:
        if player.game["stuck"]:
            player.undo(choice.randrange(1, player.game["ply"] + 1))
        else:
            player.play(choice.choice(player.game["legal_moves"]))
        status = "stuck" if player.game["stuck"] else "open"
        undone = player.game["counters"]["undos"] > 0
        assert outcomes(api) == {status: 1}
        assert outcomes(api, group="with_undo") == ({status: 1} if undone else {})
        seen.add((status, undone))
    assert len(seen) == 4


def test_figures_of_a_label_are_of_its_games_alone(api):
    for more in ({"label": "ada"}, {"label": "bob"}, {}):
        lose(api, **more)
    assert outcomes(api, "variant=astrocyte") == {"resigned": 3}
    both = items(api, "/v1/stats?label=ada")
    counted = {item["variant"]: item["figures"]["all"]["begun"] for item in both}
    assert counted == {"binary-star": 0, "astrocyte": 1}


def test_figures_separate_games_with_undo_with_hints_and_without_help(api, win):
    win()
    player = api.new_game("astrocyte", 7)
    player.play("deal")
    player.undo()
    player.resign()
    hinted = api.new_game("binary-star", 1)
    hinted.play(hinted.game["legal_moves"][0])
    hinted.post("hint", {"version": 2})
    assert outcomes(api, "variant=astrocyte", "without_help") == {"won": 1}
    assert outcomes(api, "variant=astrocyte", "with_undo") == {"resigned": 1}
    assert outcomes(api, "variant=astrocyte", "with_hints") == {}
    assert outcomes(api, "variant=binary-star", "with_hints") == {"open": 1}


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("variant=klondike", "variant"),
        (f"label={'x' * 65}", "label"),
        ("label=a%0ab", "label"),
        ("deal=astrocyte-sealed-0123456789abcdef", "deal"),
        (f"deal={DEAL.id}&variant=astrocyte", "deal"),
        (f"deal={DEAL.id}&label=ada", "deal"),
        ("limit=3", "limit"),
    ],
)
def test_a_wrong_query_is_refused_by_its_parameter(api, query, parameter):
    assert faults(api.get(f"/v1/stats?{query}")) == [parameter]


# What is stored, and what is lost


def test_a_game_that_is_deleted_before_its_end_was_left_and_has_no_result(api, begun):
    for status in ("open", "stuck"):
        begun(status).delete()
    assert outcomes(api) == {"left": 2}
    assert items(api, "/v1/deals/binary-star-1/results") == []


def test_a_game_that_is_deleted_after_its_end_keeps_its_result_without_a_replay(api, win, clock):
    player = win()
    (listed,) = items(api)
    clock.now += 60
    assert player.delete().status == 204
    assert items(api) == [{**listed, "replay": None}]
    assert outcomes(api, "variant=astrocyte") == {"won": 1}


def test_the_result_of_an_expired_game_has_no_replay(api, clock):
    lose(api)
    expiry, replays = clock.now + TTL, []
    for clock.now in (expiry - 1, expiry):
        replays += [item["replay"] is not None for item in items(api)]
    assert replays == [True, False]


def test_a_first_move_whose_result_is_lost_is_entered_by_a_sweep(api, app, store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store.result_store, "enter", unavailable)
        player = api.new_game("binary-star", 1)
        player.play(player.game["legal_moves"][0])
        api.new_game("binary-star", 1)
    assert outcomes(api) == {}
    standings = services_of(app).play.standings
    assert [standings.sweep() for _ in range(2)] == [(2, 1, 0)] * 2
    assert outcomes(api) == {"open": 1}


def test_a_move_is_answered_even_if_its_result_cannot_be_entered(api, store, monkeypatch, caplog):
    """It has been saved. The result is entered when the request is repeated, or by a sweep."""
    player = api.new_game("astrocyte", 7)
    with monkeypatch.context() as patch:
        patch.setattr(store.result_store, "enter", unavailable)
        resigned = player.post("resignation", {"version": 1}, Idempotency_Key=KEY)
    assert resigned.status == 200
    assert "asterism sweep" in caplog.text
    assert player.game["id"] not in caplog.text
    assert items(api) == []
    again = player.post("resignation", {"version": 1}, Idempotency_Key=KEY)
    assert_replayed(again, resigned)
    assert list(attempts(api)) == [player.game["id"]]


def test_a_game_is_not_deleted_while_its_result_cannot_be_entered(api, store, monkeypatch):
    player = lose(api)
    with monkeypatch.context() as patch:
        patch.setattr(store.result_store, "enter", unavailable)
        assert known(player.delete()) == (503, "store-unavailable")
    assert player.read().status == 200


def unavailable(*_):
    raise StoreUnavailableError
