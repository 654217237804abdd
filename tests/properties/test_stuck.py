"""Stuck is exact in Binary Star and never a false alarm in Astrocyte."""

from hypothesis import given, settings
from hypothesis import strategies as st

from service.boards import parse_position
from service.cards import FACES, RANKS
from service.games import VARIANTS
from tests import reading
from tests.walks import choices, deal_numbers, late_walks, start, wandered

BINARY_STAR, ASTROCYTE = VARIANTS["binary-star"], VARIANTS["astrocyte"]
cards = st.sampled_from(FACES)


def hole(base: str):
    """A hole of a few cards, each one rank away from the card under it."""

    def grown(steps: list[tuple[int, str]]) -> str:
        rank, pile = RANKS.index(base[0]), [base]
        for step, suit in steps:
            rank = (rank + step) % 13
            pile.append(RANKS[rank] + suit)
        return " ".join(pile)

    steps = st.tuples(st.sampled_from([1, -1]), st.sampled_from("CDHS"))
    return st.lists(steps, max_size=7).map(grown)


@st.composite
def few_fans(draw) -> str:
    """Two holes, and one to three fans with a card or two."""
    fans = draw(st.lists(st.lists(cards, min_size=1, max_size=2), min_size=1, max_size=3))
    lines = [f"t{n}: {' '.join(fan)}" for n, fan in enumerate(fans, start=1)]
    return "\n".join([*lines, f"f1: {draw(hole('AH'))}", f"f2: {draw(hole('KS'))}"])


@settings(max_examples=500)
@given(few_fans())
def test_binary_star_is_stuck_when_trying_all_transfers_finds_no_play(board):
    by_trying = reading.read("binary-star", board).stuck()
    assert parse_position(BINARY_STAR, board).view.stuck == by_trying


@given(deal_numbers, choices(150))
def test_binary_star_is_stuck_in_a_whole_game_only_when_trying_finds_no_play(number, picked):
    walk = wandered(start(BINARY_STAR, number), picked)
    for position in walk.positions[:: max(1, len(walk.positions) // 8)]:
        piles = "\n".join(f"{id}: {' '.join(cards)}" for id, _, _, cards in position.view.piles)
        assert position.view.stuck == reading.read("binary-star", piles).stuck()


@st.composite
def nearly_stuck(draw) -> str:
    """Full columns of few ranks, full cells or nearly so, broken runs, and sometimes a stock."""
    ranks = draw(st.sampled_from(["25", "9K", "A59", RANKS]))
    cards = st.sampled_from([card for card in FACES if card[0] in ranks])
    lines = []
    for n in range(1, 9):
        face_up = " ".join(draw(st.lists(cards, min_size=1, max_size=2)))
        lines.append(f"t{n}: {draw(st.sampled_from(['', '[AC] ']))}{face_up}")
    lines += [f"c{n}: {draw(cards)}" for n in range(1, draw(st.sampled_from([4, 5, 5, 5, 5])))]
    for home in ("f1", "f8"):
        suit, length = draw(st.sampled_from("CDHS")), draw(st.sampled_from([0, 0, 0, 1, 5, 12, 13]))
        lines.append(f"{home}: {' '.join(rank + suit for rank in RANKS[::-1][:length])}")
    lines.append(f"s: {draw(st.sampled_from(['', '', '', '[2C 3C 4C 5C 6C 7C 8C 9C]']))}")
    return "\n".join(lines)


@settings(max_examples=300)
@given(nearly_stuck())
def test_astrocyte_is_stuck_when_trying_every_move_finds_none(board):
    by_trying = not reading.read("astrocyte", board).listed()
    assert parse_position(ASTROCYTE, board).view.stuck == by_trying


@given(late_walks())
def test_a_table_with_a_move_that_gets_on_is_not_called_stuck(walk):
    for position in walk.positions:
        plays = [m for m in position.legal_moves() if not (m.source[0] == m.target[0] == "f")]
        if plays:
            assert not position.view.stuck
