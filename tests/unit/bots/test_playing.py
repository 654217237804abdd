"""The same loop plays in this process and on a service, so the games are the same."""

from functools import partial

import httpx
import pytest

from service.bots import over_http
from service.bots.asking import Monitor
from service.bots.playing import MAX_MOVES, LocalTable, play_deal, play_out, player_of
from service.client import Asterism, RateLimited
from service.deals.deal import PublicDeal, start_position
from service.errors import BotError, RemoteError
from service.games import VARIANTS
from service.games.moves import DEAL, format_move
from tests.http.kit import InMemoryService


@pytest.fixture
def asterism():
    """A client of a service in memory."""
    transport = httpx.WSGITransport(InMemoryService().app)
    with Asterism("http://service", transport=transport) as client:
        yield client


def new(asterism, variant, number, **more):
    return partial(asterism.new_game, variant, deal=number, **more)


class NotedTable(LocalTable):
    """Notes the moves that are played."""

    def __init__(self, position):
        super().__init__(position)
        self.line = []

    def play(self, moves):
        count = super().play(moves)
        self.line += map(format_move, moves[:count])
        return count


class NotedGames(Monitor):
    """Notes the games that a service begins and that end."""

    def __init__(self):
        self.games, self.open = [], 0

    def begun(self, game, token):
        self.games.append(game)
        self.open += 1

    def ended(self):
        self.open -= 1


@pytest.mark.parametrize(
    ("variant", "bot", "deals"),
    [
        ("binary-star", "random", (1, 2)),
        ("binary-star", "greedy", (4, 5)),
        ("binary-star", "solver", (5, 6)),
        pytest.param("astrocyte", "fair", (5,), marks=pytest.mark.slow),
    ],
)
def test_a_bot_plays_the_same_game_here_and_on_a_service(asterism, variant, bot, deals):
    for number in deals:
        table = NotedTable(start_position(PublicDeal(VARIANTS[variant], number)))
        play_out(player_of(bot, 3, number, str(number)), table)
        there = over_http.play(new(asterism, variant, number), bot, 3)
        game = asterism.game(there.game)
        assert [item.move for item in game.moves()] == table.line
        assert (there.won, there.moves) == (table.view.won, len(table.line))
        assert game.status == ("won" if table.view.won else "resigned")


def test_a_plan_takes_one_request_until_it_turns_a_card(asterism):
    found = over_http.play(new(asterism, "binary-star", 2), "solver", 0)
    assert (found.won, found.moves, found.requests) == (True, 102, 2)
    view = start_position(PublicDeal(VARIANTS["astrocyte"], 1)).view
    turning = next(m for m in view.legal_moves() if m.target[0] == "t" or m == DEAL)
    assert over_http.until_reveal(view, [DEAL, turning]) == (DEAL,)


def test_a_random_deal_is_played_under_a_label_and_told_by_its_id(asterism):
    found = over_http.play(new(asterism, "binary-star", None, label="ada"), "random", 0)
    assert found.deal.startswith("binary-star-sealed-")
    assert asterism.game(found.game).state.label == "ada"


class Illegal:
    """Plays a plan whose second move is illegal."""

    def plan(self, view):
        first = view.legal_moves()[0]
        return [first, "t1t2"]


def test_a_service_is_spared_illegal_moves_and_the_game_is_resigned(asterism):
    monitor = NotedGames()
    name = f"{__name__}:Illegal"
    with pytest.raises(BotError, match=r"plays t1t2 at ply 1 of deal 1, which is illegal"):
        over_http.play(new(asterism, "binary-star", 1), name, 0, monitor)
    with pytest.raises(BotError, match=r"plays t1t2 at ply 1 of deal 1, which is illegal"):
        play_deal("binary-star", name, 0, 1)
    (game,) = monitor.games
    assert (asterism.game(game).status, asterism.game(game).ply, monitor.open) == ("resigned", 0, 0)


def test_what_a_service_refuses_is_told(asterism):
    with pytest.raises(RemoteError, match=r"The service refuses: .*label.* \(invalid-request\)"):
        over_http.play(new(asterism, "binary-star", 1, label="\n"), "random", 0)


def test_a_rate_limit_is_waited_for():
    transport = httpx.WSGITransport(InMemoryService(limits={"creation": 1}).app)
    with Asterism("http://service", transport=transport, patience=0) as asterism:
        begin = new(asterism, "binary-star", 6)
        game = begin()
        with pytest.raises(RateLimited) as limited:
            begin()
        assert limited.value.retry_after > 0
        limited.value.retry_after = 0.01
        answers = [limited.value, limited.value, game]

        def answer():
            found = answers.pop(0)
            if found is not game:
                raise found
            return found

        table = over_http.RemoteTable(answer)
        assert (table.game, table.requests) == (game, 3)


class Endless:
    """Plays a card onto a hole, and then transfers it to and fro."""

    def choose(self, view):
        return view.legal_moves()[-1]


def test_a_game_without_end_is_ended(asterism):
    found = play_deal("binary-star", f"{__name__}:Endless", 0, 2)
    assert (found.moves, found.won) == (MAX_MOVES, False)
