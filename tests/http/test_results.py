"""Results and figures over HTTP: entered when a game ends, listed best first, and counted."""

import pytest

from service.api.services import services_of
from service.deals.deal import PublicDeal
from service.errors import StoreUnavailableError
from service.games import VARIANTS
from service.records.statistics import GROUPS
from tests.http.kit import KEY, known, put
from tests.http.test_daily import MIDNIGHT, NOON, TODAY, begin
from tests.http.test_moves import NEARLY_WON

DEAL = PublicDeal(VARIANTS["astrocyte"], 7)
RESULTS = f"/v1/deals/{DEAL.id}/results"
NOTHING = {"games": 0, "wins": 0, "win_rate": None, "moves": None, "seconds": None}


@pytest.fixture(autouse=True)
def clock(app, monkeypatch):
    """The time, noon at first."""
    now = {"time": NOON}
    monkeypatch.setattr(services_of(app).play, "_clock", lambda: now["time"])
    return now


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


def items(api, path=RESULTS):
    answer = api.get(path)
    assert answer.status == 200, answer.body
    return answer.json["items"]


def stats(api, query):
    (item,) = items(api, f"/v1/stats?{query}")
    return item["figures"]


# Results


def test_a_deal_that_nobody_has_played_to_its_end_has_no_results(api):
    api.new_game("astrocyte", 7, label="ada")
    assert api.get(RESULTS).json == {"items": [], "next": None}


def test_a_result_tells_what_the_game_came_to(api, clock):
    player = api.new_game("astrocyte", 7, label="ada")
    player.play(player.game["legal_moves"][0])
    player.undo()
    player.play(player.game["legal_moves"][0])
    clock["time"] += 12.5
    player.resign()
    assert items(api) == [
        {
            "game_id": player.game["id"],
            "label": "ada",
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


def test_a_result_leads_to_the_replay_of_its_game(api):
    player = lose(api)
    (item,) = items(api)
    assert api.get(item["replay"]).json["moves"] == [
        item["move"] for item in api.get(f"{player.path}/moves").json["items"]
    ]


def test_a_won_game_is_listed_before_a_lost_one(api, win):
    lost, won = lose(api), win()
    assert [item["game_id"] for item in items(api)] == [won.game["id"], lost.game["id"]]


def test_results_are_those_of_one_deal(api):
    lose(api)
    assert items(api, "/v1/deals/astrocyte-8/results") == []
    assert items(api, "/v1/deals/binary-star-7/results") == []


def test_the_pages_of_the_results_join_without_gap_or_repeat_while_more_come_in(api):
    for _ in range(7):
        lose(api)
    first = api.get(f"{RESULTS}?limit=3").json
    lose(api)
    everything = [item["game_id"] for item in items(api)]
    found, cursor = [item["game_id"] for item in first["items"]], first["next"]
    while cursor:
        page = api.get(f"{RESULTS}?limit=3&cursor={cursor}").json
        found += [item["game_id"] for item in page["items"]]
        cursor = page["next"]
    assert len(found) == len(set(found)) >= 7
    assert [game_id for game_id in everything if game_id in found] == found


def test_the_cursor_of_the_results_of_another_deal_is_refused(api):
    lose(api), lose(api)
    cursor = api.get(f"{RESULTS}?limit=1").json["next"]
    other = api.get(f"/v1/deals/astrocyte-8/results?cursor={cursor}")
    assert known(other) == (422, "foreign-cursor")


@pytest.mark.parametrize("deal_id", ["astrocyte-0", "klondike-1", "astrocyte-daily-2026-12-01"])
def test_what_is_no_deal_has_neither_results_nor_figures(api, deal_id):
    assert known(api.get(f"/v1/deals/{deal_id}/results")) == (404, "deal-not-found")
    expected = (422, "invalid-request") if deal_id == "astrocyte-0" else (404, "deal-not-found")
    assert known(api.get(f"/v1/stats?deal={deal_id}")) == expected


def test_a_sealed_deal_has_no_list_of_results(api):
    player = api.new_game("astrocyte")
    player.resign()
    deal_id = player.game["deal"]["id"]
    assert known(api.get(f"/v1/deals/{deal_id}/results")) == (404, "deal-not-found")
    assert stats(api, "variant=astrocyte")["all"]["games"] == 1


# First attempts


def test_the_first_game_of_a_label_at_a_deal_is_its_first_attempt_whichever_ends_first(api):
    first, second = (api.new_game("astrocyte", 7, label="ada") for _ in range(2))
    second.resign()
    first.resign()
    told = {item["game_id"]: item["first_attempt"] for item in items(api)}
    assert told == {first.game["id"]: True, second.game["id"]: False}


def test_a_first_attempt_that_was_deleted_cannot_be_made_again(api):
    api.new_game("astrocyte", 7, label="ada").delete()
    assert [item["first_attempt"] for item in items_after(api, label="ada")] == [False]


def items_after(api, **more):
    lose(api, **more)
    return items(api)


def test_without_a_label_nobody_knows_whether_it_is_a_first_attempt(api):
    assert [item["first_attempt"] for item in items_after(api)] == [False]


def test_a_game_of_a_random_deal_is_always_a_first_attempt(api):
    for _ in range(2):
        api.new_game("astrocyte", label="ada").resign()
    assert stats(api, "variant=astrocyte")["first_attempts"]["games"] == 2


def test_a_creation_that_is_sent_again_stays_the_first_attempt(api):
    body = {"variant": "astrocyte", "deal": {"number": "7"}, "label": "ada"}
    token = [api.post("/v1/games", body, Idempotency_Key=KEY) for _ in range(2)][1]
    path = token.headers["Location"]
    bearer = f"Bearer {token.json['play_token']}"
    api.post(f"{path}/resignation", {"version": 1}, Authorization=bearer)
    assert [item["first_attempt"] for item in items(api)] == [True]


def test_a_creation_that_is_refused_is_no_attempt(api):
    body = {"variant": "astrocyte", "deal": {"number": "8"}}
    api.post("/v1/games", body, Idempotency_Key=KEY)
    other = {"variant": "astrocyte", "deal": {"number": "7"}, "label": "ada"}
    refused = api.post("/v1/games", other, Idempotency_Key=KEY)
    assert known(refused) == (422, "idempotency-key-reused")
    assert [item["first_attempt"] for item in items_after(api, label="ada")] == [True]


# The deal of the day


def test_the_results_of_a_day_are_closed_until_it_is_over(api, clock):
    player = begin(api, "astrocyte", label="ada")
    player.resign()
    deal_id = player.game["deal"]["id"]
    for path in (f"/v1/deals/{deal_id}/results", f"/v1/stats?deal={deal_id}"):
        refused = api.get(path, Authorization=f"Bearer {player.token}")
        assert known(refused) == (409, "day-not-over")
        assert refused.json["opens_at"] == "2026-12-01T00:00:00.000Z"
    assert stats(api, "variant=astrocyte")["all"] == NOTHING
    assert stats(api, "variant=astrocyte&label=ada")["all"] == NOTHING
    assert known(api.get(f"{player.path}/replay")) == (401, "token-missing")
    clock["time"] = MIDNIGHT
    (item,) = items(api, f"/v1/deals/{deal_id}/results")
    assert item["label"] == "ada"
    assert "server_seed" in api.get(item["replay"]).json["deal"]
    for query in (f"deal={deal_id}", "variant=astrocyte", "variant=astrocyte&label=ada"):
        assert stats(api, query)["ranked"]["games"] == 1


def test_a_label_has_one_ranked_result_a_day_and_ranked_results_come_first(api, clock):
    players = {name: begin(api, "astrocyte", label=name) for name in ("ada", "bob")}
    again, nameless = begin(api, "astrocyte", label="ada"), begin(api, "astrocyte")
    for player in (again, nameless, *players.values()):
        clock["time"] += 10
        player.resign()
    clock["time"] = MIDNIGHT
    told = items(api, f"/v1/deals/astrocyte-daily-{TODAY}/results")
    assert [(item["label"], item["ranked"]) for item in told[:2]] == [("ada", True), ("bob", True)]
    assert [item["ranked"] for item in told] == [True, True, False, False]


def test_a_game_that_ends_when_the_day_is_over_is_not_ranked(api, clock):
    players = [begin(api, "astrocyte", label=name) for name in ("ada", "bob")]
    for clock["time"], player in zip((MIDNIGHT - 0.001, MIDNIGHT), players, strict=True):
        player.resign()
    told = items(api, f"/v1/deals/astrocyte-daily-{TODAY}/results")
    assert {item["label"]: item["ranked"] for item in told} == {"ada": True, "bob": False}


# Figures


def test_before_any_game_has_ended_there_is_nothing_to_count(api):
    told = items(api, "/v1/stats")
    assert [item["variant"] for item in told] == list(VARIANTS)
    for item in told:
        assert (item["label"], item["deal"]) == (None, None)
        assert item["figures"] == dict.fromkeys(GROUPS, NOTHING)


def test_figures_count_games_that_ended_and_those_of_them_that_were_won(api, win):
    api.new_game("astrocyte", 7)
    lose(api), lose(api), win(), win()
    for query in ("variant=astrocyte", f"deal={DEAL.id}"):
        told = stats(api, query)["all"]
        assert (told["games"], told["wins"], told["win_rate"]["share"]) == (4, 2, 0.5)
        assert round(told["win_rate"]["low"], 2) == 0.15
        assert round(told["win_rate"]["high"], 2) == 0.85
        assert told["moves"] == {"least": 1, "median": 1, "most": 1}


def test_figures_of_a_label_are_of_its_games_alone(api):
    lose(api, label="ada"), lose(api, label="bob"), lose(api)
    assert stats(api, "variant=astrocyte&label=ada")["all"]["games"] == 1
    assert stats(api, "variant=astrocyte")["all"]["games"] == 3
    both = items(api, "/v1/stats?label=ada")
    assert [(item["variant"], item["figures"]["all"]["games"]) for item in both] == [
        ("binary-star", 0),
        ("astrocyte", 1),
    ]


def test_figures_tell_games_with_help_from_games_without(api, win):
    win()
    player = api.new_game("astrocyte", 7)
    player.play(player.game["legal_moves"][0])
    player.undo()
    player.resign()
    told = stats(api, "variant=astrocyte")
    assert (told["without_help"]["games"], told["without_help"]["wins"]) == (1, 1)
    assert (told["with_undo"]["games"], told["with_undo"]["wins"]) == (1, 0)
    assert told["with_hints"] == NOTHING


def test_figures_count_hints(api):
    player = api.new_game("binary-star", 1)
    assert player.post("hint", {"version": 1}).status == 200
    player.resign()
    assert stats(api, "variant=binary-star")["with_hints"]["games"] == 1


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("variant=klondike", "variant"),
        ("label=", "label"),
        (f"label={'x' * 65}", "label"),
        ("label=a%0ab", "label"),
        ("deal=astrocyte-sealed-0123456789abcdef", "deal"),
        ("deal=7", "deal"),
        (f"deal={DEAL.id}&variant=astrocyte", "deal"),
        (f"deal={DEAL.id}&label=ada", "deal"),
        ("limit=3", "limit"),
    ],
)
def test_a_wrong_query_is_told_by_its_parameter(api, query, parameter):
    answer = api.get(f"/v1/stats?{query}")
    assert known(answer) == (422, "invalid-request")
    assert [error["parameter"] for error in answer.json["errors"]] == [parameter]


# What is kept, and what is lost


def test_a_deleted_game_stays_in_results_and_figures(api):
    player = lose(api, label="ada")
    player.delete()
    assert [item["game_id"] for item in items(api)] == [player.game["id"]]
    assert stats(api, "variant=astrocyte&label=ada")["all"]["games"] == 1


def test_a_game_that_was_deleted_before_its_end_is_in_neither(api):
    api.new_game("astrocyte", 7, label="ada").delete()
    assert items(api) == []
    assert stats(api, "variant=astrocyte&label=ada")["all"] == NOTHING


def test_a_move_is_answered_even_if_its_result_cannot_be_entered(api, store, monkeypatch, caplog):
    """It has been kept. The result is entered when the request is sent again, or swept."""
    player = api.new_game("astrocyte", 7)
    with monkeypatch.context() as patch:
        patch.setattr(store.result_store, "enter", unavailable)
        resigned = player.resign(Idempotency_Key=KEY)
    assert resigned.status == 200
    assert "asterism sweep" in caplog.text
    assert player.game["id"] not in caplog.text
    assert items(api) == []
    player.game["version"] -= 1
    again = player.resign(Idempotency_Key=KEY)
    assert (again.status, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert [item["game_id"] for item in items(api)] == [player.game["id"]]


def test_a_game_is_not_deleted_while_its_result_cannot_be_entered(api, store, monkeypatch):
    player = lose(api)
    with monkeypatch.context() as patch:
        patch.setattr(store.result_store, "enter", unavailable)
        assert known(player.delete()) == (503, "store-unavailable")
    assert player.read().status == 200


def unavailable(*_):
    raise StoreUnavailableError
