"""The catalogue of deals: it holds what the solver finds."""

import random
from collections import Counter

import pytest

from service.bots.playing import play_deal
from service.cli.solve import decide_deal
from service.deals.catalogue import Entry, catalogue, compile_rows, difficulty_by_positions
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.solvers import SOLVERS, Solved, Unwinnable
from service.solvers.binary_star.solver import solve_plain
from service.solvers.verdict import count_transfers

NAME = "binary-star"
KNOWN = catalogue(NAME)
RESCUED = sorted(KNOWN.transfers)
SAMPLE = sorted(random.Random(1).sample(range(1, len(KNOWN) + 1), 300))


def deal(number):
    return start_position(PublicDeal(VARIANTS[NAME], number))


def entry_of(row):
    won = row["verdict"] == "winnable"
    return Entry(
        int(row["deal"]),
        row["verdict"],
        row["moves"],
        row["transfers"],
        difficulty_by_positions(row["positions"]) if won else None,
    )


def test_a_hundred_thousand_deals_are_decided_and_none_is_open():
    assert len(KNOWN) == 100_000
    assert "?" not in KNOWN.verdicts


def test_a_sample_of_the_catalogue_is_what_the_solver_says():
    for number in SAMPLE:
        assert KNOWN.entry(number) == entry_of(decide_deal(NAME, number, None, line=False))


def test_a_thousand_deals_that_hide_cards_are_solved_and_a_sample_is_what_the_solver_says():
    known = catalogue("astrocyte")
    assert known.verdicts == "w" * 1000
    for number in (1, 333, 666, 1000):
        row = decide_deal("astrocyte", number, None, line=False)
        entry = known.entry(number)
        assert (entry.verdict, entry.moves, entry.transfers) == (row["verdict"], row["moves"], 0)


def test_difficulty_is_measured_by_what_the_fair_bot_loses():
    """Deal 5 is a short game that it lost in every run."""
    known = catalogue("astrocyte")
    assert Counter(known.difficulties)["1"] > 300
    assert Counter(known.difficulties)["5"] > 100
    assert known.entry(5).difficulty == 5
    assert not play_deal("astrocyte", "fair", 0, 5).won


@pytest.mark.parametrize("number", RESCUED[:8])
def test_a_deal_that_transfers_rescue_is_lost_without_them_and_won_with_them(number):
    position = deal(number)
    assert isinstance(solve_plain(position), Unwinnable)
    verdict = SOLVERS[NAME](position)
    assert isinstance(verdict, Solved)
    assert (len(verdict.moves), count_transfers(verdict.moves)) == KNOWN.entry(number)[2:4]
    for move in verdict.moves:
        position = position.after(move)
    assert position.view.won


def test_a_catalogue_keeps_the_rows_it_is_made_from(tmp_path, monkeypatch):
    rows = [decide_deal(NAME, number, None, line=False) for number in range(1, 40)]
    packed = compile_rows(NAME, rows)
    assert packed == compile_rows(NAME, rows)
    (tmp_path / f"{NAME}.json.gz").write_bytes(packed)
    monkeypatch.setattr("service.deals.catalogue.files", lambda _: tmp_path)
    kept = catalogue.__wrapped__(NAME)
    assert [kept.entry(int(row["deal"])) for row in rows] == [entry_of(row) for row in rows]
    assert list(kept.entries(0, None, None)) == [entry_of(row) for row in rows]


@pytest.mark.parametrize("number", [0, -1, 100_001, 2**64 - 1])
def test_nothing_is_known_beyond_the_catalogue(number):
    assert KNOWN.entry(number) is None
