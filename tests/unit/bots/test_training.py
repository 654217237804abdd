"""The training of the fair bot: its games, the fit, and the command that runs both."""

import json
import math
import random
from dataclasses import replace

import pytest
from click.testing import CliRunner

from service.bots import TUNERS
from service.bots.astrocyte.fair import load_model
from service.bots.astrocyte.fit import Fit
from service.bots.astrocyte.fit import fit as fit_to
from service.bots.astrocyte.training import LEARNED, ROUNDS, Played, play
from service.cli import main
from service.solvers.astrocyte.features import FEATURES
from service.solvers.astrocyte.net import Net

SMALL = ROUNDS[-1]._replace(width=(5, 8), levels=8, max_leaves=10, random_share=0.2)


def made_up(count, seed=3):
    """Games of leaves with three numbers, won more often the greater the first one is."""
    chance = random.Random(seed)
    games = []
    for _ in range(count):
        skill = chance.uniform(-2, 2)
        leaves = [[skill + chance.gauss(0, 0.3), chance.random(), 7.0] for _ in range(6)]
        games.append(Played(chance.random() < 1 / (1 + math.exp(-3 * skill)), leaves))
    return games


def test_a_training_game_is_deterministic():
    game = play(1_450_007, SMALL, load_model().network)
    assert game == play(1_450_007, SMALL, load_model().network)
    assert len(game.leaves) > 10
    assert {len(leaf) for leaf in game.leaves} == {len(FEATURES)}


def test_training_deals_are_above_a_million_and_none_is_played_twice():
    numbers = [number for how in ROUNDS for number in how.numbers()]
    assert min(numbers) > 1_000_000
    assert len(numbers) == len(set(numbers))


def test_the_fit_learns_what_wins():
    fit = Fit(made_up(1500))
    before = fit.loss()
    fit.run()
    assert fit.loss() < 0.5 < math.log(2)
    assert fit.loss() < before + 0.01
    high, low = Net(**fit.net()).logits([[1.5, 0.5, 7.0], [-1.5, 0.5, 7.0]])
    assert high > 2
    assert low < -2


def test_the_fit_and_the_net_that_it_gives_agree():
    games = made_up(300)
    fit = Fit(games)
    fit.run()
    net = Net(**fit.net())
    rows = [leaf for game in games for leaf in game.leaves]
    logits = fit._logits(fit._scaled)
    assert net.logits(rows[:200]) == pytest.approx(logits[:200], abs=1e-3)


def test_logits_are_calibrated_with_other_games_by_rows_left_and_kind_of_reveal():
    fit, chance = Fit(made_up(300)), random.Random(5)
    fit.run()
    net, games = Net(**fit.net()), []
    for game in made_up(4000, seed=7):
        skill, *_ = game.leaves[0]
        leaf = [skill, chance.randrange(2), chance.randrange(2)]
        shift = 1 if leaf[1:] == [1, 1] else -1
        won = chance.random() < 1 / (1 + math.exp(-0.5 * net.logits([leaf])[0] - shift))
        games.append(Played(won, [leaf]))
    turned, dealt = fit.scales(games)
    assert [len(turned), len(dealt)] == [6, 6]
    assert dealt[1] == [pytest.approx(0.5, abs=0.15), pytest.approx(1, abs=0.2)]
    for scale in (turned[0], turned[1], dealt[0]):
        assert scale == [pytest.approx(0.5, abs=0.15), pytest.approx(-1, abs=0.2)]
    assert turned[2:] == dealt[2:] == [[1, 0]] * 4


def test_the_last_round_only_calibrates():
    rounds = [[game._asdict() for game in made_up(60, seed)] for seed in range(1, LEARNED + 1)]
    before, loss = fit_to(rounds)
    many = [Played(game.won, [[leaf[0], 0, 1] for leaf in game.leaves]) for game in made_up(200, 9)]
    after, same = fit_to([*rounds, [game._asdict() for game in many]])
    assert (after["net"], same) == (before["net"], loss)
    assert before["scales"] == [[[1, 0]] * 6] * 2
    assert after["scales"][1][0] != [1, 0]


def play_quickly(round, model, number):
    return play(number, SMALL, model and Net(**model["net"]))._asdict()


def test_the_command_plays_the_rounds_fits_the_model_and_resumes(tmp_path, monkeypatch):
    first, second, *_ = TUNERS["astrocyte"].rounds()
    few = first[:2], second[:1]
    tuner = replace(TUNERS["astrocyte"], rounds=lambda: few, play=play_quickly)
    monkeypatch.setitem(TUNERS, "astrocyte", tuner)
    out = tmp_path / "chance.json"
    words = ["tune", "astrocyte", "--games", str(tmp_path / "games"), "--out", str(out)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "Round 1: log loss" in result.output
    kept = json.loads(out.read_text())
    assert kept["command"] == "asterism tune astrocyte"
    assert Net(**kept["net"]).logits([[0.0] * len(FEATURES)]) == [pytest.approx(0, abs=100)]
    first = (tmp_path / "games" / "round-1.jsonl").read_bytes()
    assert [json.loads(line)["deal"] for line in first.splitlines()] == [str(n) for n in few[1]]
    (tmp_path / "games" / "round-1.jsonl").write_bytes(first[: len(first) // 2])
    assert CliRunner().invoke(main, words).exit_code == 0
    assert (tmp_path / "games" / "round-1.jsonl").read_bytes() == first
    assert json.loads(out.read_text()) == kept


def test_the_shipped_model_names_the_command_that_made_it():
    from importlib.resources import files

    kept = json.loads(files("service.bots.astrocyte").joinpath("model.json").read_text())
    assert kept["command"] == "asterism tune astrocyte"
    assert len(kept["net"]["mean"]) == len(FEATURES)
    assert [len(kind) for kind in kept["scales"]] == [6, 6]
