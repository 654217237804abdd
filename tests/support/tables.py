"""Small random tables, as text boards for Hypothesis to draw, on which many rules apply at once.

No game has to reach them, and they hold as many copies of a card as come up.
"""

from hypothesis import strategies as st

from service.games.cards import FACES, RANKS, SUITS

cards = st.sampled_from(FACES)


def hole(base: str):
    """A hole of a few cards, each one rank away from the card under it."""

    def grown(steps: list[tuple[int, str]]) -> str:
        rank, pile = RANKS.index(base[0]), [base]
        for step, suit in steps:
            rank = (rank + step) % 13
            pile.append(RANKS[rank] + suit)
        return " ".join(pile)

    steps = st.tuples(st.sampled_from([1, -1]), st.sampled_from(SUITS))
    return st.lists(steps, max_size=7).map(grown)


@st.composite
def few_fans(draw) -> str:
    """Binary Star: two holes, and one to three fans with a card or two."""
    fans = draw(st.lists(st.lists(cards, min_size=1, max_size=2), min_size=1, max_size=3))
    lines = [f"t{n}: {' '.join(fan)}" for n, fan in enumerate(fans, start=1)]
    return "\n".join([*lines, f"f1: {draw(hole('AH'))}", f"f2: {draw(hole('KS'))}"])


def run(suit: str, lowest: int, length: int) -> str:
    """A run of `length` cards, or as many as there are from its lowest rank up to the king."""
    return " ".join(rank + suit for rank in reversed(RANKS[lowest : lowest + length]))


@st.composite
def nearly_stuck(draw) -> str:
    """Astrocyte: full columns of few ranks, full cells or nearly, broken runs, perhaps a stock."""
    ranks = draw(st.sampled_from(["25", "9K", "A59", RANKS]))
    cards = st.sampled_from([card for card in FACES if card[0] in ranks])
    lines = []
    for n in range(1, 9):
        face_up = " ".join(draw(st.lists(cards, min_size=1, max_size=2)))
        lines.append(f"t{n}: {draw(st.sampled_from(['', '[AC] ']))}{face_up}")
    lines += [f"c{n}: {draw(cards)}" for n in range(1, draw(st.sampled_from([4, 5, 5, 5, 5])))]
    for home in ("f1", "f8"):
        suit, length = draw(st.sampled_from(SUITS)), draw(st.sampled_from([0, 0, 0, 1, 5, 12, 13]))
        lines.append(f"{home}: {run(suit, 13 - length, length)}")
    lines.append(f"s: {draw(st.sampled_from(['', '', '', '[2C 3C 4C 5C 6C 7C 8C 9C]']))}")
    return "\n".join(lines)


@st.composite
def runs_and_gaps(draw) -> str:
    """Astrocyte: columns of runs, empty ones among them; cells, broken runs and stock by chance."""
    suits, ranks = st.sampled_from(SUITS), st.integers(0, 12)
    runs = st.one_of(
        st.builds(run, suits, ranks, st.integers(1, 4)),
        st.builds(run, suits, st.just(0), st.sampled_from([12, 13])),
    )
    column = st.one_of(
        st.just(""),
        st.builds("{} {}".format, st.sampled_from(["", "[2C]", "[AH KD]"]), runs),
        st.builds("{} {}".format, runs, runs),
    )
    home = st.builds(run, suits, st.sampled_from([0, 1, 5, 12]), st.just(13))
    lines = [f"t{n}: {draw(column)}" for n in range(1, 9)]
    lines += [f"c{n}: {draw(cards)}" for n in range(1, 5) if draw(st.booleans())]
    lines += [f"f{n}: {draw(home)}" for n in range(1, 9) if draw(st.booleans())]
    lines.append(f"s: {draw(st.sampled_from(['', '[2C 3C 4C 5C 6C 7C 8C 9C]']))}")
    return "\n".join(lines)
