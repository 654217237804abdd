"""Leaderboards over HTTP: owned labels, ranked by what they have won."""

import pytest

from service.api.services import services_of
from service.deals.deal import DailyDeal, PublicDeal
from service.errors import StoreUnavailableError
from service.games import VARIANTS
from service.records.leaderboards import SORTS
from tests.http.kit import (
    MIDNIGHT,
    TODAY,
    WON_DEAL,
    WON_LINE,
    faults,
    known,
    nothing_changes,
)

pytestmark = pytest.mark.usefixtures("clock")

DAY = 24 * 60 * 60
BOARD = "/v1/leaderboards/binary-star"


@pytest.fixture(autouse=True)
def _no_leaderboard_of_another_test(app, monkeypatch):
    """All tests share an application, and begin at the same minute."""
    monkeypatch.setattr(services_of(app).play.standings.leaderboards, "_latest", {})


@pytest.fixture
def begun(board, monkeypatch):
    """Begun and won games by label, however few there are."""
    monkeypatch.setitem(SORTS, "win-rate", SORTS["win-rate"]._replace(lists=lambda row: True))
    return lambda: {item["label"]: (item["begun"], item["won"]) for item in board("win-rate")}


@pytest.fixture
def keys(api, clock):
    """The keys of the labels ada and bob, who own them."""
    found = {}
    for label in ("ada", "bob"):
        body = {"variant": "binary-star", "label": label}
        found[label] = api.post("/v1/games", body).json["label_key"]
        api.begin({**body, "label_key": found[label]})
    return found


@pytest.fixture
def board(api, clock):
    """The items of the leaderboard as it is a minute later."""

    def read(sort="daily-wins", query="", variant="binary-star"):
        clock.now += 60
        answer = api.get(f"/v1/leaderboards/{variant}?sort={sort}{query}")
        assert answer.status == 200, answer.body
        return answer.json["items"]

    return read


@pytest.fixture
def own_game(api, keys):
    """A player at a game of the owner of a label."""

    def begin(label="ada", deal=None, variant="binary-star"):
        deal = deal or {"random": True}
        body = {"variant": variant, "label": label, "label_key": keys[label], "deal": deal}
        return api.begin(body)

    return begin


@pytest.fixture
def daily_win(own_game, monkeypatch):
    """Wins today's deal, which happens to be one whose way is known."""

    def win(day, label="ada"):
        seed = PublicDeal(VARIANTS["binary-star"], WON_DEAL).seed
        with monkeypatch.context() as patch:
            patch.setattr(DailyDeal, "seed", property(lambda deal: seed))
            player = own_game(label, {"daily": day})
            assert player.play(*WON_LINE).json["game"]["status"] == "won"

    return win


def unavailable(*args):
    raise StoreUnavailableError


def begin_and_resign(player):
    if player.game["legal_moves"]:
        player.play(player.game["legal_moves"][0])
    return player.resign()


def test_a_leaderboard_without_games_is_empty(api):
    for variant in ("binary-star", "astrocyte"):
        answer = api.get(f"/v1/leaderboards/{variant}")
        expected = {"variant": variant, "sort": "daily-wins", "items": [], "next": None}
        assert answer.json == expected


def test_a_daily_win_counts_when_its_day_is_over_and_makes_a_streak(clock, board, daily_win):
    for day in ("2026-11-30", "2026-12-01"):
        daily_win(day)
        seen = board()
        assert [item["daily_wins"] for item in seen] == [1] * (day != TODAY)
        assert board("win-rate") == []
        clock.now = MIDNIGHT if day == TODAY else MIDNIGHT + DAY
    (item,) = board()
    assert item.pop("win_rate")["share"] == 1
    assert item == {
        "rank": 1,
        "label": "ada",
        "daily_wins": 2,
        "current_streak": 2,
        "best_streak": 2,
        "begun": 2,
        "won": 2,
    }
    clock.now += DAY
    (item,) = board("streak")
    assert (item["current_streak"], item["best_streak"]) == (0, 2)
    clock.now += 87 * DAY
    (item,) = board("streak")
    assert (item["best_streak"], item["begun"]) == (1, 1)  # the first day has left the board
    clock.now += DAY
    assert board() == []


def test_a_daily_deal_that_was_begun_tells_nothing_before_its_day_is_over(clock, begun, own_game):
    begin_and_resign(own_game(deal={"daily": TODAY}))
    assert begun() == {}
    clock.now = MIDNIGHT
    assert begun() == {"ada": (1, 0)}


def test_only_first_attempts_of_owned_labels_that_are_begun_count(api, begun, own_game):
    for _ in range(3):
        begin_and_resign(own_game(deal={"number": "7"}))
    begin_and_resign(own_game())
    begin_and_resign(own_game(variant="astrocyte"))
    begin_and_resign(api.new_game("binary-star", 8, label="ada"))
    begin_and_resign(api.new_game("binary-star", label="ada"))
    own_game()
    own_game().delete()
    own = own_game(deal={"number": "9"})
    own.play(own.game["legal_moves"][0])
    assert begun() == {"ada": (3, 0)}


def test_a_win_rate_is_listed_from_twenty_games_on(board, own_game):
    for number in range(1, 21):
        assert board("win-rate") == []
        begin_and_resign(own_game(deal={"number": str(number + 10)}))
    own_game("bob", {"number": str(WON_DEAL)}).play(*WON_LINE)
    (item,) = board("win-rate")
    assert (item["label"], item["begun"], item["won"]) == ("ada", 20, 0)


def test_a_game_counts_once_whatever_happens_to_it(app, begun, own_game):
    player = own_game(deal={"number": str(WON_DEAL)})
    player.play(*WON_LINE[:50])
    player.undo(3)
    player.redo(3)
    assert begun() == {"ada": (1, 0)}
    player.play(*WON_LINE[50:])
    for _ in range(2):
        services_of(app).play.standings.sweep()
        assert begun() == {"ada": (1, 1)}
    player.delete()
    assert begun() == {"ada": (1, 1)}


def test_what_was_not_counted_is_made_up_for_by_a_sweep(app, begun, store, own_game, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store.tally_store, "count", unavailable)
        assert begin_and_resign(own_game()).status == 200
    assert begun() == {}
    services_of(app).play.standings.sweep()
    assert begun() == {"ada": (1, 0)}


def test_the_pages_of_a_leaderboard_join(api, clock, board, daily_win):
    for label in ("ada", "bob"):
        daily_win(TODAY, label)
    clock.now = MIDNIGHT
    whole = board()
    assert [item["rank"] for item in whole] == [1, 1]
    first = api.get(f"{BOARD}?limit=1").json
    last = api.get(f"{BOARD}?limit=1&cursor={first['next']}").json
    assert first["items"] + last["items"] == whole
    assert last["next"] is None
    for other in (f"{BOARD}?sort=streak", "/v1/leaderboards/astrocyte?limit=5"):
        joint = "&" if "?" in other else "?"
        refused = api.get(f"{other}{joint}cursor={first['next']}")
        assert known(refused) == (422, "foreign-cursor")


def test_a_leaderboard_can_be_cached_for_a_minute(api, fake, clock, board, own_game):
    first = api.get(BOARD)
    assert first.headers["Cache-Control"] == "public, max-age=60"
    same = api.get(BOARD, If_None_Match=first.headers["ETag"])
    assert (same.status, same.body) == (304, b"")
    assert same.headers["ETag"] == first.headers["ETag"]
    for _ in range(20):
        begin_and_resign(own_game())
    clock.now += 59 - clock.now % 60  # the last second of the minute
    for sort in SORTS:
        assert api.get(f"{BOARD}?sort={sort}").json["items"] == []
    clock.now += 1
    changed = api.get(f"{BOARD}?sort=win-rate", If_None_Match=first.headers["ETag"])
    assert len(changed.json["items"]) == 1


def test_within_a_minute_a_leaderboard_needs_no_store(api, clock, store, monkeypatch):
    assert api.get(BOARD).status == 200
    monkeypatch.setattr(store.tally_store, "revisions", unavailable)
    assert api.get(BOARD).status == 200
    clock.now += 60
    assert known(api.get(BOARD)) == (503, "store-unavailable")


def test_reading_a_leaderboard_changes_nothing(api, fake, own_game, board):
    begin_and_resign(own_game())
    with nothing_changes(fake):
        for sort in SORTS:
            board(sort)


def test_a_variant_that_does_not_exist_has_no_leaderboard(api):
    assert known(api.get("/v1/leaderboards/klondike")) == (404, "variant-not-found")


@pytest.mark.parametrize(
    ("query", "parameter"),
    [("sort=luck", "sort"), ("limit=0", "limit"), ("cursor=x", "cursor"), ("label=ada", "label")],
)
def test_a_wrong_query_is_refused_by_its_parameter(api, query, parameter):
    assert faults(api.get(f"{BOARD}?{query}")) == [parameter]
