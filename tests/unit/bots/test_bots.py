"""Every bot plays by the rules, stops when the game is over, and is deterministic."""

import pytest

from service.bots import BOTS
from service.bots.binary_star.greedy import GreedyBot
from service.bots.random_bot import RandomBot
from service.games import VARIANTS
from service.games.boards import parse_position
from tests.support.walks import WON_GAMES, play_out, start

BINARY_STAR = VARIANTS["binary-star"]
PAIRINGS = [(name, variant) for name, entry in BOTS.items() for variant in entry.variants]
LOST, STUCK_ON_ARRIVAL = 6, 1417


def table(fans: str, f1: str = "AH", f2: str = "KS"):
    return parse_position(BINARY_STAR, f"{fans} / f1: {f1} / f2: {f2}")


def solver():
    return BOTS["solver"].make(0, 1)


@pytest.mark.parametrize(("name", "variant"), PAIRINGS)
def test_every_bot_plays_legal_moves_and_repeats_a_game(name, variant):
    first = start(VARIANTS[variant], 2)
    moves, end = play_out(BOTS[name].make(0, 7), first, 5)
    assert play_out(BOTS[name].make(0, 7), first, 5) == (moves, end)
    assert len(moves) == 5


@pytest.mark.parametrize(("name", "variant"), PAIRINGS)
def test_every_bot_stops_when_the_game_is_won(name, variant):
    won = WON_GAMES[variant][0].walk.end
    assert play_out(BOTS[name].make(0, 1), won, 10) == ((), won)


@pytest.mark.parametrize("bot", [RandomBot(), GreedyBot(), solver()])
def test_a_stuck_game_is_given_up(bot):
    assert bot.choose(start(BINARY_STAR, STUCK_ON_ARRIVAL).view) is None


def test_other_seeds_play_other_games():
    games = {play_out(RandomBot(seed), start(BINARY_STAR, 2), 50)[0] for seed in range(5)}
    assert len(games) == 5


def test_the_greedy_bot_prefers_high_fans_but_keeps_two_fans_playable():
    fans = "t1: 3C 2C / t2: 3D 5D 2D / t3: 4S 3S"
    assert str(GreedyBot().choose(table(fans).view)) == "t1f1"
    assert str(GreedyBot().choose(table(f"{fans} / t4: 3H").view)) == "t2f1"


def test_the_greedy_bot_transfers_only_if_it_must_and_towards_a_card():
    position = table("t1: 9C", f1="AH 2C 3C 4C 5C 6C", f2="KS QC JC TC 9C 8C 7C")
    moves, end = play_out(GreedyBot(), position, 9)
    assert [str(move) for move in moves] == ["f2f1", "t1f2"]
    assert end.view.won


def test_the_solver_bot_wins_winnable_deals_and_gives_up_lost_ones():
    moves, end = play_out(solver(), start(BINARY_STAR, 2), 200)
    assert (end.view.won, len(moves)) == (True, 102)
    assert play_out(solver(), WON_GAMES["binary-star"][0].walk.positions[0], 200)[1].view.won
    assert play_out(solver(), start(BINARY_STAR, LOST), 200)[0] == ()


def test_the_solver_bot_solves_again_when_the_game_left_its_line():
    bot, position = solver(), start(BINARY_STAR, 2)
    named = bot.choose(position.view)
    other = next(move for move in position.legal_moves() if move != named)
    elsewhere = position.after(other)
    move = bot.choose(elsewhere.view)
    assert move is None or elsewhere.why_not(move) is None
