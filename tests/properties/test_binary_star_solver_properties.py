"""The solver of Binary Star and its packed positions, from anywhere a game can go."""

from hypothesis import given
from hypothesis import strategies as st

from service.games import VARIANTS
from service.solvers import Proof, Solved, Unwinnable
from service.solvers.binary_star.line import plain_moves
from service.solvers.binary_star.solver import solve, solve_plain
from service.solvers.binary_star.state import CARD, PAIR, PAIR_BITS, PAIRS, pack, rank
from tests.support.walks import choices, deal_numbers, start, wandered

BINARY_STAR = VARIANTS["binary-star"]
walks = st.builds(wandered, st.builds(start, st.just(BINARY_STAR), deal_numbers), choices(80))


def counters(packed, state: int) -> int:
    return state >> PAIR_BITS + len(packed.fans)


@given(walks)
def test_what_is_said_to_be_won_is_won_by_the_rules_and_stuck_is_lost_at_once(walk):
    position, budget = walk.end, 3_000
    verdict = solve(position, budget)
    if isinstance(verdict, Solved):
        for move in verdict.moves:
            position = position.after(move)
        assert position.view.won
        assert verdict.positions <= budget
    lost_at_once = verdict == Unwinnable(Proof(1, 0))
    assert lost_at_once == position.view.stuck or isinstance(verdict, Solved)


@given(walks)
def test_what_is_winnable_plainly_is_winnable(walk):
    if isinstance(solve_plain(walk.end, 1_000), Solved):
        assert isinstance(solve(walk.end, 1_000), Solved)


@given(walks)
def test_a_position_packs_to_the_same_wherever_it_came_from(walk):
    """Counters follow from the cards left and the tops: played in packed form or by the rules."""
    packed = pack(walk.end.view)
    for cards, _, landing in packed.landings[packed.start & PAIR]:
        rest = packed.start & cards
        while rest:
            choice = landing + (rest & -rest).bit_length() - 1 - PAIR_BITS
            rest &= rest - 1
            after = packed.after(packed.start, choice)
            (move,) = plain_moves(walk.end.view, [packed.step(packed.start, choice)])
            view = walk.end.after(move).view
            again = pack(view)
            assert after & PAIR == again.start & PAIR
            assert counters(packed, after) == counters(again, again.start)
            assert again.left == packed.left - 1
            assert move.source == f"t{packed.fans[choice & CARD] + 1}"


@given(walks)
def test_packed_tops_are_the_tops(walk):
    tops = [rank(hole.cards[-1]) for hole in walk.end.view.kind("foundation")]
    assert PAIRS[pack(walk.end.view).start & PAIR] == tuple(sorted(tops))
