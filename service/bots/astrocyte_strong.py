"""The strong plan for Astrocyte: where leaves look about as good, it asks what the news may be.

What nobody has seen is shuffled and laid face down, over and over. In each of these worlds the
leaves that rival are played to, and a smaller search tells how good the chance to win is there.
"""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from service.bots.astrocyte import EVERYDAY, Choice, Outlook, Setting, fitted, known, misjudgements
from service.cards import Card
from service.games.astrocyte.packing import lifts
from service.games.astrocyte.uncollected import uncollected
from service.moves import Move
from service.variant import Position, View

BEYOND: Final = Setting(30, 25, 6, 40, 0.2, 200_000, 60_000)
"""How hard the bot thinks about what comes after the news of a leaf."""
RIVALS: Final = 4
"""How many leaves rival at most, the best one included; each with other news or other cards."""
WITHIN: Final = 0.6
"""By how much less than the best leaf a rival may be worth."""
DECIDED: Final = 0.05
"""Where the chance to win is as small, or the chance to lose, nothing is asked."""
WORLDS, ROUNDS = 8, 3
"""How many worlds are laid out in a round, and in how many rounds at most."""
_DOUBT: Final = 0.002
"""What is added to each standard error, so that a few equal worlds are no proof."""


def plan(view: View, seed: int = 0) -> tuple[Move, ...]:
    """What to play in a game that is not won, up to the next piece of news or to the win.

    The same for views that look alike; otherwise as `service.bots.astrocyte.plan`.
    """
    certain = known(view, EVERYDAY.solver)
    if certain is not None:
        return certain
    with uncollected():
        outlook = Outlook(view, EVERYDAY, misjudgements(seed))
        if not outlook.choices:
            return ()
        plans = [outlook.moves(rival) for rival in _rivals(_in_order(outlook.choices))]
        return plans[_best(view, plans, Random(outlook.key))]  # noqa: S311  # a game, not a secret


def _in_order(choices: Sequence[Choice]) -> list[Choice]:
    """The choices worth most first, all on the scale of chances."""
    return sorted(choices, key=_worth, reverse=True)


def _rivals(choices: Sequence[Choice]) -> list[Choice]:
    """The best choice, and those that may be as good; it alone where the game is decided."""
    best = choices[0]
    rivals = {_news(best): best}
    if DECIDED < _chance(best) < 1 - DECIDED:
        for choice in choices[1:]:
            if _worth(choice) < _worth(best) - WITHIN or len(rivals) == RIVALS:
                break
            rivals.setdefault(_news(choice), choice)
    return list(rivals.values())


def _news(choice: Choice) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """What tells the leaf from others at a glance: its news, and the tops of its columns."""
    columns = choice.leaf.reached.state.columns
    return choice.leaf.deals, tuple(sorted((column.hidden, column.card) for column in columns))


def _best(view: View, plans: Sequence[tuple[Move, ...]], random: Random) -> int:
    """The place of the plan to play: another than the first only if it gains beyond chance."""
    chances: list[list[float]] = [[] for _ in plans]
    gains: dict[int, list[float]] = {place: [] for place in range(1, len(plans))}
    for _ in range(ROUNDS):
        if not gains:
            return 0
        for _ in range(WORLDS):
            world = _laid_out(view, random)
            for place in (0, *gains):
                chances[place].append(_chance_after(world, plans[place]))
        gains = {
            place: [x - y for x, y in zip(chances[place], chances[0], strict=True)]
            for place in gains
        }
        gains = {place: gain for place, gain in gains.items() if fmean(gain) > 0}
    sure = {
        place: fmean(gain)
        for place, gain in gains.items()
        if fmean(gain) > stdev(gain) / sqrt(len(gain)) + _DOUBT
    }
    return max(sure, key=sure.__getitem__, default=0)


def _laid_out(view: View, random: Random) -> Position:
    """A position that looks like `view`: the cards that it does not show lie in any order."""
    cards = list(view.unseen)
    random.shuffle(cards)
    under: list[tuple[Card, ...]] = []
    for pile in view.piles:
        under.append(tuple(cards[: pile.hidden]))
        del cards[: pile.hidden]
    return Position(view, tuple(under))


def _chance_after(position: Position, moves: Sequence[Move]) -> float:
    """The chance to win after `moves` and the news that they bring."""
    for move in moves:
        position = position.after(move)
    while lift := lifts(position.view):
        position = position.after(lift[0])
    if position.view.won:
        return 1.0
    if not position.view.hidden:
        return 1.0 if known(position.view, BEYOND.solver) else 0.0
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
