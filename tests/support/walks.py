"""Games to walk through: recorded games that were won, and random ones drawn by Hypothesis."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hypothesis import strategies as st

from service.bots import Bot
from service.deals.deal import PublicDeal, start_position
from service.deals.shuffle import LARGEST_DEAL
from service.games import VARIANTS
from service.games.base import Position, Variant
from service.games.boards import parse_position
from service.games.moves import DEAL, Move, parse_move

FIXTURES = Path(__file__).parents[1] / "fixtures"


def fixture(name: str):
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def play_out(bot: Bot, position: Position, longest: int) -> tuple[tuple[Move, ...], Position]:
    """The moves that `bot` plays from `position`, at most so many, and the position after them."""
    moves: list[Move] = []
    while len(moves) < longest and not position.view.won:
        move = bot.choose(position.view)
        if move is None:
            break
        moves.append(move)
        position = position.after(move)
    return tuple(moves), position


@dataclass(frozen=True)
class Walk:
    """A position, the moves played from there, and every position on the way, both ends included.

    `deal` is the deal of the first position, if it has one.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    deal: PublicDeal | None = None

    @property
    def variant(self) -> Variant:
        return self.end.variant

    @property
    def end(self) -> Position:
        return self.positions[-1]

    def __repr__(self) -> str:
        """What hypothesis prints of a walk that shows a fault: enough to walk it again."""
        return f"Walk({self.deal or self.positions[0]}, {' '.join(map(str, self.moves))})"


def start(variant: Variant, number: int) -> Position:
    return start_position(PublicDeal(variant, number))


def played(first: Position, moves: Iterable[Move], deal: PublicDeal | None = None) -> Walk:
    """The walk from `first` along `moves`."""
    positions, line = [first], tuple(moves)
    for move in line:
        positions.append(positions[-1].after(move))
    return Walk(tuple(positions), line, deal)


def wandered(first: Position, choices: Iterable[int], deal: PublicDeal | None = None) -> Walk:
    """The walk from `first` where each choice picks one of the legal moves, while there are any."""
    positions, line = [first], []
    for choice in choices:
        legal = positions[-1].legal_moves()
        if not legal:
            break
        line.append(legal[choice % len(legal)])
        positions.append(positions[-1].after(line[-1]))
    return Walk(tuple(positions), tuple(line), deal)


@dataclass(frozen=True)
class WonGame:
    """A recorded game that ends in a win, and how many moves it offers at some of its plies."""

    variant: Variant
    board: str
    line: tuple[Move, ...]
    counts: tuple[dict[str, int], ...]

    @cached_property
    def walk(self) -> Walk:
        return played(parse_position(self.variant, self.board), self.line)


def _won_game(game) -> WonGame:
    variant = VARIANTS[game["variant"]]
    lines = []
    for id, cards in game["piles"].items():
        kind = variant.layout.kinds[variant.layout.index[id]]
        down = {"tableau": game.get("face_down_at_start", 0), "stock": len(cards)}.get(kind, 0)
        hidden = f"[{' '.join(cards[:down])}] " if cards[:down] else ""
        lines.append(f"{id}: {hidden}{' '.join(cards[down:])}")
    moves = tuple(map(parse_move, game["moves"]))
    return WonGame(variant, "\n".join(lines), moves, tuple(game.get("counts", ())))


_RECORDED = [
    fixture("binary-star-needs-transfers.json"),
    *(game for file in FIXTURES.glob("*-won-games.json") for game in fixture(file.name)),
]
WON_GAMES = {
    name: [_won_game(game) for game in _RECORDED if game["variant"] == name] for name in VARIANTS
}
"""The recorded games of each variant: those of `fixtures/NAME-won-games.json`."""


def accepted(position: Position) -> set[Move]:
    """What the rules accept of every source, target and count, sensible or not."""
    ids = position.variant.layout.ids
    moves = [DEAL, *(Move(a, b, count) for a in ids for b in ids for count in range(1, 15))]
    return {move for move in moves if position.why_not(move) is None}


variants = st.sampled_from(list(VARIANTS.values()))
deal_numbers = st.integers(1, LARGEST_DEAL)


def choices(most: int) -> st.SearchStrategy[list[int]]:
    """Choices of a next move, from none up to `most`, long lists as often as short ones."""
    choice = st.integers(0, 2**16 - 1)
    lengths = st.sampled_from([most * tenths // 10 for tenths in range(11)])
    return lengths.flatmap(lambda length: st.lists(choice, min_size=length, max_size=length))


@st.composite
def dealt_walks(draw, most: int = 100, of: st.SearchStrategy[Variant] = variants) -> Walk:
    """From a deal, and on at random."""
    deal = PublicDeal(draw(of), draw(deal_numbers))
    return wandered(start_position(deal), draw(choices(most)), deal)


@st.composite
def late_walks(draw, most: int = 40, of: st.SearchStrategy[Variant] = variants) -> Walk:
    """From a ply of a won game, and on at random: where a walk from a deal seldom comes."""
    won = draw(of.filter(lambda game: WON_GAMES[game.name]).map(lambda game: WON_GAMES[game.name]))
    first = draw(st.sampled_from(draw(st.sampled_from(won)).walk.positions))
    return wandered(first, draw(choices(most)))


def walks_of(game: Variant) -> st.SearchStrategy[Walk]:
    """A stretch of `game`, early or, if it has a recorded win, late."""
    early, late = dealt_walks(of=st.just(game)), late_walks(of=st.just(game))
    return st.one_of(early, late) if WON_GAMES[game.name] else early


walks = variants.flatmap(walks_of)
"""A stretch of any game, early or late."""


@st.composite
def twins(draw, game):
    """A position, and another one that its player could not tell from it."""
    position = draw(walks_of(game)).end
    hidden = draw(st.permutations([card for cards in position.under for card in cards]))
    lines = []
    for pile, under in zip(position.view.piles, position.under, strict=True):
        lying, hidden = hidden[: len(under)], hidden[len(under) :]
        lines.append(f"{pile.id}: [{' '.join(lying)}] {' '.join(pile.cards)}")
    return position, parse_position(game, "\n".join(lines))
