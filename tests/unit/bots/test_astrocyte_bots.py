"""The bots and hints for Astrocyte plan with what the player sees and nothing else."""

from collections import Counter
from functools import partial
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from service.bots.astrocyte import strong
from service.bots.astrocyte.fair import (
    FAIR,
    LeafSearch,
    SearchSettings,
    load_model,
    plan,
)
from service.bots.planning import PlanningBot
from service.deals.deal import PublicDeal
from service.games import VARIANTS
from service.games.base import Position
from service.games.cards import RANK, SUIT
from service.games.moves import DEAL, Move
from service.play.actions import RequestStamp, give_hint
from service.play.hints import HINT_PROVIDERS
from service.records.game import Game, Outcome, Receipt
from service.solvers.astrocyte.beam import NO_NOISE
from service.solvers.astrocyte.conversion import moves_until_reveal, next_lift, state_of_view
from service.solvers.astrocyte.deferral import effect, split_deferrable
from service.solvers.astrocyte.features import FEATURES, UnseenCards, leaf_features
from service.solvers.astrocyte.interning import Interner
from service.solvers.astrocyte.lookahead import Lookahead
from service.solvers.astrocyte.net import Net
from service.solvers.astrocyte.steps import after
from tests.support.walks import WON_GAMES, play_out, start, twins
from tests.support.walks import played as walked
from tests.unit.solvers.astrocyte_positions import positions

ASTROCYTE = VARIANTS["astrocyte"]
QUICK = FAIR._replace(width=20, levels=12, max_leaves=20, solver_budget=3000)


def fair(settings: SearchSettings) -> PlanningBot:
    """A fair bot with its own search settings."""
    return PlanningBot(partial(plan, settings=settings))


def ask_hint(view, kept=()):
    return HINT_PROVIDERS["astrocyte"](view, kept, tuple)


def leaves(view, width=15, most=30):
    interner = Interner()
    state = state_of_view(interner, view)
    return UnseenCards(state), Lookahead(interner, state, NO_NOISE).leaves(
        width, 10, 8, most, 1 << 40
    )


def searched(position: Position) -> Position:
    """`position` as a search may begin with it: whole runs lifted, the game not won."""
    while lift := next_lift(position.view):
        position = position.after(lift[0])
    return position


# Leaves


@given(positions())
@settings(max_examples=10)
def test_a_leaf_is_reached_by_legal_moves_of_which_only_the_last_reveals_cards(position):
    position = searched(position)
    _, found = leaves(position.view)
    for leaf in found:
        moves, there = moves_until_reveal(position.view, leaf.node.path()), position
        for n, move in enumerate(moves):
            there, reveals = there.play(move)
            assert not reveals or n == len(moves) - 1
        assert leaf.deals == (moves[-1:] == (DEAL,))
        unknown = [column.hidden for column in leaf.node.state.columns if column.unknown_top]
        if unknown:
            assert [reveal.pile for reveal in reveals] == [moves[-1].source]
            assert there.view[moves[-1].source].hidden == unknown[0] - 1
        elif not leaf.deals:
            assert there.view.won


@given(positions())
@settings(max_examples=20)
def test_deferred_steps_stay_possible_after_the_reveal(position):
    interner = Interner()
    begin = state_of_view(interner, searched(position).view)
    for leaf in Lookahead(interner, begin, NO_NOISE).leaves(15, 10, 8, 30, 1 << 40):
        if leaf.deals or leaf.node.state.won:
            continue
        steps = leaf.node.path()
        first, later = split_deferrable(interner, begin, steps)
        assert sorted([*first, *later]) == sorted(steps)
        state = begin
        for n, step in enumerate([*first, *later], start=1):
            assert effect(state, step) is not None
            state = after(interner, state, step)
            assert any(column.unknown_top for column in state.columns) == (n >= len(first))
        assert state.key == leaf.node.state.key
        assert split_deferrable(interner, begin, first) == (first, [])


def test_a_search_stops_at_its_budget():
    view = start(ASTROCYTE, 1).view
    interner = Interner()
    ahead = Lookahead(interner, state_of_view(interner, view), NO_NOISE)
    assert ahead.leaves(200, 40, 40, 10, 500)
    assert ahead.evaluated < 600


# Features and scores of leaves


@given(positions())
@settings(max_examples=10)
def test_the_features_of_a_leaf_follow_from_its_piles(position):
    position = searched(position)
    seen, found = leaves(position.view, most=8)
    face_up = Counter(card for pile in position.view.piles for card in pile.cards)
    unseen = [card for card in ASTROCYTE.pack if not face_up[card] or face_up.subtract([card])]
    for leaf in found:
        row = dict(zip(FEATURES, leaf_features(leaf, seen, {}), strict=True))
        before = position
        for move in moves_until_reveal(position.view, leaf.node.path())[:-1]:
            before = before.after(move)
        if not leaf.deals:
            continue
        columns = before.view.kind("tableau")
        cells = [pile.cards[0] for pile in before.view.kind("cell") if pile.cards]
        hidden = [column.hidden for column in columns]
        pairs = [pair for column in columns for pair in pairwise(column.cards)]
        suited = sum(RANK[a] - RANK[b] == 1 and SUIT[a] == SUIT[b] for a, b in pairs)
        fits = sum(RANK[a] - RANK[b] == 1 for a, b in pairs)
        tops = {RANK[column.cards[-1]] for column in columns} - {1}
        wanted = sum(RANK[card] + 1 in tops for card in unseen)
        expected = {
            "evaluation": leaf.value / 1000,
            "rows_left": before.view["s"].hidden // 8,
            "deals": 1,
            "used_cells": len(cells),
            "kings_in_cells": sum(card[0] == "K" for card in cells),
            "ranks_in_cells": sum(RANK[card] for card in cells),
            "hidden": sum(hidden),
            "hidden_squared": sum(n * n for n in hidden),
            "columns_with_hidden": sum(n > 0 for n in hidden),
            "columns_without_hidden": sum(n == 0 for n in hidden),
            "suited_pairs": suited,
            "fits": fits - suited,
            "breaks": len(pairs) - fits,
            "distinct_tops": len(tops),
            "unseen_kings": sum(card[0] == "K" for card in unseen),
            "unseen_aces": sum(card[0] == "A" for card in unseen),
        }
        assert {name: row[name] for name in expected} == expected
        assert [row[f"hidden_{n}"] for n in range(1, 9)] == sorted(hidden)
        assert row["unseen_fits"] == pytest.approx(wanted / max(1, len(unseen)))


def test_a_network_is_a_linear_part_and_tanh_units():
    net = Net(
        mean=[1.0, 2.0],
        scale=[2.0, 0.5],
        linear=[0.3, -0.2],
        bias=0.1,
        units=[[1.0, 0.0], [0.5, -1.0]],
        biases=[0.0, 0.25],
        outputs=[2.0, -1.0],
    )
    # Scaled, (1.5, 6) is (1, 2): 0.1 + 0.3 - 0.4 + 2 tanh 1 - tanh(0.5 - 2 + 0.25).
    assert net.logits([[1.5, 6.0]]) == [pytest.approx(2 * 0.761594156 + 0.848283640)]


# Plans and hints


@given(twins(ASTROCYTE))
@settings(max_examples=8, deadline=None)
def test_equal_views_get_equal_hints(pair):
    """The games hold their deals and hidden cards, which hints must not use."""
    if not pair[0].view.won:
        one, other = [
            give_hint(
                Game("a" * 26, PublicDeal(ASTROCYTE, n), position, 1, 1, Receipt("", Outcome())),
                tuple,
                RequestStamp(2, "hint"),
            ).game
            for n, position in enumerate(pair, start=1)
        ]
        assert one.receipt.outcome.hint == other.receipt.outcome.hint
        assert one.plan == other.plan


@given(positions())
@settings(max_examples=8, deadline=None)
def test_a_hint_and_its_plan_are_legal(position):
    if position.view.won:
        return
    hint, moves = ask_hint(position.view)
    assert hint.move == (moves[0] if moves else None)
    there = position
    for move in moves:
        assert move in there.legal_moves()
        there, reveals = there.play(move)
        assert not reveals or move is moves[-1]
    if not position.view.hidden and moves:
        assert (there.view.won, hint.verdict) == (True, "winnable")


def test_hints_lead_from_reveal_to_reveal_until_none_is_in_reach():
    position, kept, whys = start(ASTROCYTE, 2), (), []
    while (found := ask_hint(position.view, kept))[0].move:
        (hint, kept), hidden = found, position.view.hidden
        whys.append(hint.why)
        count = int(hint.why.split()[3]) if hint.why.startswith("The first of") else 1
        revealed = walked(position, kept[:count]).end
        assert revealed.view.hidden < hidden or revealed.view.won or "run" in hint.why
        assert (hint.verdict == "winnable") == (hidden == 0)
        position, kept = position.after(hint.move), kept[1:]
    assert found[0].why.startswith("A search of up to 300,000 positions found no way")
    assert any(why.startswith("This move turns a card of t") for why in whys)
    assert any("moves that turn a card of t" in why for why in whys)


def test_a_whole_run_on_top_is_lifted_first_and_said_to_win_only_if_it_does():
    liftable = [
        position
        for kept in WON_GAMES["astrocyte"]
        for position in kept.walk.positions
        if next_lift(position.view)
    ]
    hint, _ = ask_hint(liftable[0].view)
    assert hint.why.startswith("This move completes a run")
    assert (hint.move.target[0], hint.move.count) == ("f", 13)
    for position in [late for late in liftable if not late.view.hidden][::5]:
        hint, moves = ask_hint(position.view)
        count = 1 if hint.why == "This move wins." else int(hint.why.split()[3])
        assert count == len(moves)
        assert walked(position, moves).end.view.won


# Bots


def test_a_fair_bot_wins_a_deal_and_repeats_its_game():
    """`asterism bot` measures how often it wins."""
    first = start(ASTROCYTE, 6)
    moves, end = play_out(fair(QUICK), first, 1000)
    assert end.view.won
    assert play_out(fair(QUICK), first, 1000) == (moves, end)


def test_a_fair_bot_plans_again_when_the_game_left_its_plan_and_gives_up_without_one():
    bot, position = fair(QUICK), start(ASTROCYTE, 2)
    named = bot.choose(position.view)
    elsewhere = position.after(next(move for move in position.legal_moves() if move != named))
    assert bot.choose(elsewhere.view) in elsewhere.legal_moves()
    assert PlanningBot(lambda view: ()).choose(position.view) is None


# The strong bot


@given(twins(ASTROCYTE))
@settings(max_examples=4, deadline=None)
def test_equal_views_get_equal_strong_plans(pair):
    one, other = pair
    if not one.view.won:
        assert strong.plan(one.view) == strong.plan(other.view)


def test_a_strong_plan_is_legal_and_only_its_last_move_reveals_cards():
    position = start(ASTROCYTE, 5)
    for _ in range(3):
        moves = strong.plan(position.view)
        assert moves
        for move in moves:
            position, reveals = position.play(move)
            assert not reveals or move is moves[-1]


CHANCES = {
    "a candidate that always gains": ([[0.5, 0.4] * 3, [0.6, 0.5] * 3], 1),
    "a candidate dropped after a round": ([[0.6, 0.5] * 3, [0.5, 0.4] * 3], 0),
    "a lead that does not last": ([[0.5, 0.5] * 48, [0.3, 0.75] * 3 + [0.3, 0.5] * 45], 0),
    "a lead that lasts to the last sample": ([[0.5, 0.5] * 48, [0.3, 0.75] * 48], 1),
    "the one that gains most": ([[0.5, 0.5] * 3, [0.6, 0.6] * 3, [0.7, 0.7] * 3], 2),
    "equals of which the first is played": ([[0.5] * 6, [0.5] * 6], 0),
    "a single plan": ([[]], 0),
}
"""By case: the chances that sampling gives, plan by plan, and the index of the plan to choose."""


@pytest.mark.parametrize(("chances", "chosen"), CHANCES.values(), ids=CHANCES)
def test_the_plan_with_the_best_mean_after_the_last_round_is_chosen(monkeypatch, chances, chosen):
    samples = [iter(row) for row in chances]
    monkeypatch.setattr(
        strong, "_chance_after", lambda position, moves: next(samples[len(moves) - 1])
    )
    plans = [(DEAL,) * place for place in range(1, len(chances) + 1)]
    assert strong._best_plan(start(ASTROCYTE, 1).view, plans, Random(1)) == chosen


@given(positions())
@settings(max_examples=10)
def test_samples_have_the_view_and_hold_its_unseen_cards(position):
    view = position.view
    cards = Random(1).sample(view.unseen, len(view.unseen))
    for last in (DEAL, Move("t3", "t1", 1)):
        sample = strong._sample_position(view, cards, last)
        assert sample.view == view
        assert [len(under) for under in sample.under] == [len(under) for under in position.under]
        assert sorted(sum(sample.under, ())) == sorted(sum(position.under, ()))


def test_candidates_meet_the_same_cards_whichever_column_they_turn():
    view = start(ASTROCYTE, 1).view
    cards = list(view.unseen)
    for place in range(8):
        turn = Move(f"t{place + 1}", "c1", 1)
        sample = strong._sample_position(view, cards, turn)
        assert sample.under[place][::-1] == tuple(cards[: view.piles[place].hidden])


def test_every_unseen_card_comes_first_equally_often():
    unseen = start(ASTROCYTE, 1).view.unseen
    orders = strong._card_orders(unseen, Random(1))
    twice = [next(orders) for _ in range(2 * len(unseen))]
    assert Counter(cards[0] for cards in twice) == Counter(unseen * 2)
    assert all(Counter(cards) == Counter(unseen) for cards in twice)


def test_the_strong_plan_of_a_decided_game_is_the_fair_plan():
    kept = WON_GAMES["astrocyte"][0].walk.positions
    late = searched([position for position in kept if position.view.hidden][-1])
    sure = LeafSearch(late.view, FAIR).choices[0]
    assert load_model().calibrate(sure.leaf, sure.logit) > 3
    assert strong.plan(late.view) == plan(late.view, FAIR)
