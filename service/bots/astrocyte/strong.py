"""The strong plan for Astrocyte: of leaves that look good it asks what their news may be.

What nobody has seen is shuffled and laid face down, over and over. In each of these worlds the
leaves that rival are played to, and a smaller search tells how good the chance to win is there.
The same cards come up for all of them: one may turn this column and one that, and still what
tells them apart is seldom the luck of the cards.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from service.bots.astrocyte.fair import (
    FAIR,
    Choice,
    Outlook,
    SearchSettings,
    certain_plan,
    evaluation_noise,
    fitted,
)
from service.games.base import Position, View
from service.games.cards import Card
from service.games.moves import Move
from service.solvers.astrocyte.conversion import lifts
from service.solvers.astrocyte.gc_pause import gc_paused

AHEAD: Final = FAIR._replace(width=600, kept=600)
"""How hard the bot thinks about what comes before the news."""
BEYOND: Final = SearchSettings(30, 25, 6, 40, 0.2, 200_000, 60_000)
"""How hard it thinks about what comes after the news of a leaf."""
RIVALS: Final = 6
"""How many leaves rival at most, the best one included; each with other news or other cards."""
DECIDED: Final = 0.05
"""Where the chance to win is as small, or the chance to lose, nothing is asked."""
WORLDS: Final = 96
"""How many worlds are laid out at most."""
ROUND: Final = 6
"""After how many worlds each time those leave the race that will hardly come to lead."""
TRIFLE: Final = 0.001
"""What is too small a gain in the chance to win to ask on for."""


def plan(view: View, seed: int = 0) -> tuple[Move, ...]:
    """What to play in a game that is not won, up to the next piece of news or to the win.

    The same for views that look alike; otherwise as `service.bots.astrocyte.fair.plan`.
    """
    certain = certain_plan(view, FAIR.solver)
    if certain is not None:
        return certain
    with gc_paused():
        outlook = Outlook(view, AHEAD, evaluation_noise(seed))
        if not outlook.choices:
            return ()
        plans = [outlook.moves(rival) for rival in _rivals(_in_order(outlook.choices))]
        return plans[_leader(view, plans, Random(outlook.key))]  # noqa: S311  # a game, no secret


def _in_order(choices: Sequence[Choice]) -> list[Choice]:
    """The choices worth most first, all on the scale of chances."""
    return sorted(choices, key=_worth, reverse=True)


def _rivals(choices: Sequence[Choice]) -> list[Choice]:
    """The best choices, with other news or other cards each; one where the game is decided."""
    best = choices[0]
    if not DECIDED < _chance(best) < 1 - DECIDED:
        return [best]
    rivals: dict[object, Choice] = {}
    for choice in choices:
        rivals.setdefault(_news(choice), choice)
        if len(rivals) == RIVALS:
            break
    return list(rivals.values())


def _news(choice: Choice) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """What tells the leaf from others at a glance: its news, and the tops of its columns."""
    columns = choice.leaf.reached.state.columns
    return choice.leaf.deals, tuple(sorted((column.hidden, column.card) for column in columns))


def _leader(view: View, plans: Sequence[tuple[Move, ...]], random: Random) -> int:
    """The place of the plan with the best chance to win, on the whole, in worlds laid out."""
    chances: list[list[float]] = [[] for _ in plans]
    racing, leader = list(range(len(plans))), 0
    orders = _orders(view.unseen, random)
    while len(racing) > 1 and len(chances[leader]) < WORLDS:
        for cards in islice(orders, ROUND):
            for place in racing:
                world = _laid_out(view, cards, plans[place][-1])
                chances[place].append(_chance_after(world, plans[place]))
        leader = max(racing, key=lambda place: sum(chances[place]))
        racing = [n for n in racing if n == leader or _may_lead(chances[n], chances[leader])]
    return leader


def _may_lead(chances: Sequence[float], leading: Sequence[float]) -> bool:
    """Whether a standard error more, over the same worlds, makes it a gain worth asking on for."""
    gains = [one - other for one, other in zip(chances, leading, strict=True)]
    return fmean(gains) + stdev(gains) / sqrt(len(gains)) > TRIFLE


def _orders(unseen: Sequence[Card], random: Random) -> Iterator[list[Card]]:
    """Orders in which `unseen` may come up, without end; each card is first as often as any."""
    firsts = list(unseen)
    random.shuffle(firsts)
    for first in cycle(firsts):
        rest = list(unseen)
        rest.remove(first)
        random.shuffle(rest)
        yield [first, *rest]


def _laid_out(view: View, cards: Sequence[Card], last: Move) -> Position:
    """A position that looks like `view`, where `last`, a turn or a deal, brings `cards` up first.

    What the view does not show is `cards`: each pile has its share of them, from the top down.
    """
    left = iter(cards)
    under: dict[str, tuple[Card, ...]] = {}
    for pile in sorted(view.piles, key=lambda pile: pile.id != last.source):
        under[pile.id] = tuple(islice(left, pile.hidden))[::-1]
    return Position(view, tuple(under[pile.id] for pile in view.piles))


def _chance_after(position: Position, moves: Sequence[Move]) -> float:
    """The chance to win after `moves` and the news that they bring."""
    for move in moves:
        position = position.after(move)
    while lift := lifts(position.view):
        position = position.after(lift[0])
    if position.view.won:
        return 1.0
    if not position.view.hidden:
        return 1.0 if certain_plan(position.view, BEYOND.solver) else 0.0
    found = Outlook(position.view, BEYOND).choices
    return _chance(max(found, key=_worth)) if found else 0.0


def _worth(choice: Choice) -> float:
    """The worth of a leaf on the scale of chances; of leaves that differ in kind, too."""
    return fitted().scaled(choice.leaf, choice.worth)


def _chance(choice: Choice) -> float:
    """The chance to win from a leaf, from 0 to 1."""
    if choice.leaf.reached.state.won:
        return 1.0
    return 1 / (1 + exp(-fitted().scaled(choice.leaf, choice.logit)))
