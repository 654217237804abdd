"""The solver of Binary Star agrees with the rules and with a brute-force search."""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest

from service.errors import InputError
from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_position
from service.games.cards import RANK, RANKS
from service.games.moves import Move
from service.solvers import GaveUp, Proof, Solved, Unwinnable
from service.solvers.binary_star.solver import solve, solve_plain
from tests.support.walks import WON_GAMES, start, wandered

BINARY_STAR = VARIANTS["binary-star"]
STUCK_ON_ARRIVAL = 1417
"""The first deal number whose fans show no ace, two, queen or king."""
NEEDS_TRANSFERS = WON_GAMES["binary-star"][0]


def table(fans: str, f1: str = "AH", f2: str = "KS") -> Position:
    return parse_position(BINARY_STAR, f"{fans} / f1: {f1} / f2: {f2}")


def transfers(moves: Iterable[Move]) -> int:
    return sum(move.source.startswith("f") for move in moves)


def assert_wins(position: Position, verdict) -> None:
    assert isinstance(verdict, Solved), verdict
    for move in verdict.moves:
        position = position.after(move)
    assert position.view.won


# A brute-force search on tuples of ranks. A state is the fans and the two holes.

Stack = tuple[int, ...]
State = tuple[tuple[Stack, ...], Stack, Stack]


def joins(one: int, other: int) -> bool:
    return (one - other) % 13 in (1, 12)


def stacks(position: Position) -> State:
    *fans, one, two = (tuple(RANK[card] for card in pile.cards) for pile in position.view.piles)
    return tuple(fan for fan in fans if fan), one, two


def plain_moves_of(state: State) -> Iterable[State]:
    fans, one, two = state
    for place, fan in enumerate(fans):
        if not fan:
            continue
        rest = (*fans[:place], fan[:-1], *fans[place + 1 :])
        if joins(fan[-1], one[-1]):
            yield rest, (*one, fan[-1]), two
        if joins(fan[-1], two[-1]):
            yield rest, one, (*two, fan[-1])


def all_moves_of(state: State) -> Iterable[State]:
    yield from plain_moves_of(state)
    fans, one, two = state
    if joins(one[-1], two[-1]):
        if len(one) > 1:
            yield fans, one[:-1], (*two, one[-1])
        if len(two) > 1:
            yield fans, (*one, two[-1]), two[:-1]


def reached(first: State, moves_of: Callable[[State], Iterable[State]], most: int) -> set[State]:
    """Every state that can come of `first`, or those met until `most` is passed or a game won."""
    seen, waiting = {first}, [first]
    while waiting and len(seen) <= most:
        state = waiting.pop()
        if not any(state[0]):
            break
        new = set(moves_of(state)) - seen
        seen |= new
        waiting += new
    return seen


def won(states: Iterable[State]) -> bool:
    return any(not any(fans) for fans, _, _ in states)


def distinct_without_transfers(states: Iterable[State]) -> set:
    """The distinct states if no card is transferred: the fans, and the tops in any order."""
    return {(fans, *sorted((one[-1], two[-1]))) for fans, one, two in states}


def distinct_with_transfers(states: Iterable[State]) -> set:
    """The same, with states that transfers join taken as one."""
    return {
        (fans, *(() if joins(one[-1], two[-1]) else sorted((one[-1], two[-1]))))
        for fans, one, two in states
    }


def played(states: Iterable[State], first: State) -> int:
    """How many cards the deepest of `states` lies ahead of `first`."""
    left = min(sum(map(len, fans)) for fans, _, _ in states)
    return sum(map(len, first[0])) - left


def small_game(random: Random) -> Position:
    """Two to five fans of one to four cards of a few ranks, over holes partly walked by chance."""
    lowest = random.randrange(13)
    ranks = [(lowest + n) % 13 for n in range(random.choice((3, 4, 5, 6)))]

    def walk(length: int) -> list[int]:
        walked = [random.choice(ranks)]
        for _ in range(length):
            walked.append((walked[-1] + random.choice((1, -1))) % 13)
        return walked

    def line(pile: str, ranks: list[int]) -> str:
        return f"{pile}: {' '.join(RANKS[rank] + random.choice('CDHS') for rank in ranks)}"

    fans = random.sample(range(1, 18), random.randint(2, 5))
    board = [line(f"t{n}", random.choices(ranks, k=random.randint(1, 4))) for n in fans]
    board += [line(f"f{n}", walk(random.choice((0, 0, 2, 5)))) for n in (1, 2)]
    return parse_position(BINARY_STAR, " / ".join(board))


def assert_right(position: Position, most: int) -> tuple[str, str] | None:
    """Both verdicts on `position`, and the verdicts of trying everything, if `most` states do.

    A proof is held to the very number of positions and to their depth.
    """
    first = stacks(position)
    plain, full = solve_plain(position), solve(position)
    for verdict in (plain, full):
        if isinstance(verdict, Solved):
            assert_wins(position, verdict)
    for verdict, moves_of, kinds in (
        (plain, plain_moves_of, distinct_without_transfers),
        (full, all_moves_of, distinct_with_transfers),
    ):
        states = reached(first, moves_of, most)
        if len(states) > most:
            return None
        assert isinstance(verdict, Solved) == won(states)
        if isinstance(verdict, Unwinnable):
            assert verdict.proof == Proof(len(kinds(states)), played(states, first))
    return plain.name, full.name


# Verdicts.


@pytest.mark.parametrize("number", range(1, 13))
def test_a_deal_is_won_by_legal_moves_or_lost_by_brute_force_too(number):
    position = start(BINARY_STAR, number)
    verdict = solve(position)
    if isinstance(verdict, Solved):
        assert_wins(position, verdict)
        assert len(verdict.moves) == 102, "a line without transfers is preferred"
    else:
        states = reached(stacks(position), plain_moves_of, 20_000)
        assert not won(states)
        assert solve_plain(position).proof.positions == len(distinct_without_transfers(states))


@pytest.mark.slow
def test_925_of_the_first_1000_deals_can_be_won_and_all_others_are_proven_lost():
    """As an independent program with another search has found."""
    words = Counter(solve(start(BINARY_STAR, number)).name for number in range(1, 1001))
    assert words == {"winnable": 925, "unwinnable": 75}


@pytest.mark.parametrize("seed", range(3))
def test_small_games_are_decided_as_by_brute_force(seed):
    random = Random(seed)
    met = Counter(assert_right(small_game(random), most=4_000) for _ in range(120))
    assert met["unwinnable", "unwinnable"] > 60
    assert met["winnable", "winnable"] > 10
    assert met[None] < 12


def test_small_games_that_only_transfers_win_are_won():
    random, rescued = Random(20), 0
    while rescued < 5:
        position = small_game(random)
        plain, full = solve_plain(position), solve(position)
        if plain.name != full.name:
            assert not won(reached(stacks(position), plain_moves_of, 10_000))
            assert_wins(position, full)
            assert transfers(full.moves) > 0
            rescued += 1


@pytest.mark.parametrize("number", [2, 3, 4, 5, 7])
def test_the_end_of_a_game_is_decided_as_by_brute_force(number):
    """The holes are full by then: long paths to slide along."""
    random = Random(number)
    won_line = solve(start(BINARY_STAR, number)).moves
    for left in (5, 6, 7, 8):
        position = start(BINARY_STAR, number)
        for move in won_line[:-left]:
            position = position.after(move)
        choices = [random.randrange(60) for _ in range(2)]
        assert assert_right(wandered(position, choices).end, most=15_000)


# Transfers.


def test_a_deal_that_needs_transfers_is_lost_without_them_and_won_with_few():
    position = NEEDS_TRANSFERS.walk.positions[0]
    assert solve_plain(position) == Unwinnable(Proof(positions=1095, depth=13))
    verdict = solve(position)
    assert_wins(position, verdict)
    assert transfers(verdict.moves) <= 10 < transfers(NEEDS_TRANSFERS.line)


def test_the_tops_slide_down_into_either_hole_to_the_one_card_that_helps():
    position = table("t1: 9C", f1="AH 2C 3C 4C 5C 6C", f2="KS QC JC TC 9C 8C 7C")
    assert [str(move) for move in solve(position).moves] == ["f2f1", "t1f2"]
    position = table("t1: 3D", f1="AH 2C 3C 4C 5C 6C", f2="KS QC JC TC 9C 8C 7C")
    assert [str(move) for move in solve(position).moves] == ["f1f2", "f1f2", "t1f1"]


def test_a_base_is_played_onto_but_never_slid():
    position = table("t1: KD", f1="AH 2C 3C 4C", f2="5S")
    assert [str(move) for move in solve(position).moves] == ["f1f2"] * 3 + ["t1f1"]
    assert isinstance(solve(table("t1: QD", f1="AH 2C 3C 4C", f2="5S")), Unwinnable)


# Edge cases.


def test_a_game_that_is_won_or_has_no_legal_move_is_decided_at_once():
    assert solve(table("t1: -")) == Solved((), 1)
    lost = start(BINARY_STAR, STUCK_ON_ARRIVAL)
    assert solve(lost) == solve_plain(lost) == Unwinnable(Proof(positions=1, depth=0))


def test_an_impossible_board_is_refused():
    for board, word in (
        ("t1: 2C / f1: AH / f2: -", "empty"),
        ("t1: 2C / f1: AH 3C / f2: KS", "join"),
        ("t1: [5C] 2C / f1: AH / f2: KS", "face up"),
        (f"t1: {'2C ' * 105} / f1: AH / f2: KS", "two packs"),
    ):
        with pytest.raises(InputError, match=word):
            solve(parse_position(BINARY_STAR, board))


# Budgets.


@pytest.mark.parametrize("number", [1, 2, 3, 8, 11, 22])
def test_a_budget_is_kept_exactly(number):
    position = start(BINARY_STAR, number)
    verdict = solve_plain(position)
    needed = verdict.positions if isinstance(verdict, Solved) else verdict.proof.positions
    assert solve_plain(position, needed) == verdict
    assert solve_plain(position, needed // 2) == GaveUp(needed // 2)


def test_a_search_in_two_parts_has_one_budget():
    position = NEEDS_TRANSFERS.walk.positions[0]
    assert solve(position, 1095) == GaveUp(1095)
    assert solve(position, 1096) == GaveUp(1096)
    needed = solve(position).positions
    assert_wins(position, solve(position, needed))
    for budget in range(1, needed, 150):
        verdict = solve(position, budget)
        spent = verdict.positions
        assert spent <= budget
        assert isinstance(verdict, Solved) or spent == budget


@pytest.mark.parametrize("budget", [0, -1])
@pytest.mark.parametrize("search", [solve, solve_plain])
def test_a_budget_below_one_is_refused(search, budget):
    with pytest.raises(InputError, match="budget"):
        search(table("t1: -"), budget)
