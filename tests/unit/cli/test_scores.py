"""Scores of bots, what a test says of two of them, and the labels of their plot."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.cli.plot import plot, spread
from service.cli.scores import Score, pairs, scores
from service.cli.tables import show_pairs, show_scores, time_text


def games(bot, won, **more):
    return [
        {"bot": bot, "deal": str(n), "won": char == "w", "moves": 2, "seconds": 0.5, **more}
        for n, char in enumerate(won, start=1)
    ]


def test_a_score_tells_of_the_games_of_one_bot():
    rows = games("a", "w-", requests=4, waited=0.2) + games("b", "www")
    (score,) = scores(rows, ["a"])
    assert (score.games, score.won, score.rate.share) == (2, 1, 0.5)
    assert (score.move_seconds, score.request_seconds) == (0.25, 0.05)


def test_two_bots_are_compared_on_the_deals_that_both_have_played():
    (pair,) = pairs(games("a", "www-w-w") + games("b", "--w-w-"), ["a", "b"])
    assert pair[2:6] == (2, 0, 2, 2)
    assert pair.p == 0.5
    assert pair.verdict == "a and b: no difference is shown."
    assert pairs(games("a", "w"), ["a", "b"]) == []


@pytest.mark.parametrize("columns", ["20", "60", "80", "200"])
def test_no_terminal_is_too_narrow_for_names_and_figures(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    name = "./a/very/long/path/to/a/bot.py:Class"
    show_scores([Score(name, 10, 1, 500, 0.02, 1234, 20.0)], "Astrocyte")
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert name in "".join(words[0] for words in shown[4:] if words)
    figures = ["10", "1", "10.0%", "(1.8–40.4)", "50", "40.0", "µs", "1,234", "16.2", "ms"]
    assert any(words[-len(figures) :] == figures for words in shown)
    show_pairs([])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("alone", "said"),
    [(6, "3 of 100"), (12, "5 of 10,000"), (11, "1 of 1,000"), (60, "fewer than 1 of 1,000,000")],
)
def test_a_difference_is_told_as_how_often_chance_alone_would_make_it(alone, said):
    (pair,) = pairs(games("a", "-" * alone) + games("b", "w" * alone), ["a", "b"])
    assert pair.verdict == (
        f"b wins more than a: chance alone would give a difference like this in {said} such runs."
    )


def test_the_more_bots_there_are_the_more_a_difference_must_be():
    six = games("a", "-" * 6) + games("b", "w" * 6)
    assert "b wins more" in pairs(six, ["a", "b"])[0].verdict
    assert "no difference" in pairs(six + games("c", "w-w-w-"), ["a", "b", "c"])[0].verdict


@given(st.lists(st.floats(56, 384), min_size=1, max_size=6))
def test_labels_of_up_to_six_bots_neither_overlap_nor_leave_the_plot(wanted):
    placed = spread(wanted)
    assert all(height - 16 >= 56 and height + 16 <= 384.001 for height in placed)
    assert all(high - low >= 37.999 for low, high in pairwise(sorted(placed)))
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    assert [placed[n] for n in order] == sorted(placed)


def test_a_plot_takes_bots_of_any_name_and_speed():
    one = Score("<&>", 10, 0, 0, 0.0, 0, 0.0)
    other = Score("./a/very/long/path/to/a/bot.py:Class", 10, 10, 100, 200.0, 0, 0.0)
    texts = [node.text for node in ElementTree.fromstring(plot([one, other], "Astrocyte")).iter()]
    assert "<&>" in texts
    assert "…ath/to/a/bot.py:Class" in texts
    assert {"0%", "100%", "1 µs", "10 s"} <= set(texts)


def test_times_are_told_in_the_unit_that_suits_them():
    told = [time_text(seconds) for seconds in (None, 0, 2.5e-6, 0.00099, 0.0125, 0.25, 1, 75)]
    assert told == ["-", "0.0 µs", "2.5 µs", "990 µs", "12.5 ms", "250 ms", "1.0 s", "75.0 s"]
