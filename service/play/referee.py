"""The referee: judges replays and positions that clients send, and stores nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.deals.deal import start_position
from service.errors import GameOverError, IllegalMoveError
from service.games.base import Played, Position, Reveal, View
from service.games.cards import Card
from service.games.moves import DEAL, Move
from service.records.game import Status
from service.records.replay import Replay


class Fault(NamedTuple):
    """The first fault of a replay.

    `ply` is that of the wrong move, from 1, or 0 for the deal and the start; `rule` and `piles`
    are those of an illegal move.
    """

    code: str
    ply: int
    detail: str
    move: Move | None = None
    rule: str | None = None
    piles: tuple[str, ...] = ()


class Judgement(NamedTuple):
    """The judgement of a replay: `ply` of its moves are right, and the game's status after them.

    `derived` tells whether every card followed from the deal; otherwise the replay was checked
    against the rules with the cards that it shows itself.
    """

    derived: bool
    ply: int
    status: Status
    stuck: bool
    fault: Fault | None


class Followed(NamedTuple):
    """The positions of a replay, from its start to its end or to its first fault."""

    positions: tuple[Position, ...]
    fault: Fault | None


def play_through(replay: Replay) -> Followed:
    """Plays `replay` through. There are no positions if its start is wrong."""
    start = _start(replay)
    if isinstance(start, Fault):
        return Followed((), start)
    positions = [start]
    for outcome in _outcomes(replay, start):
        if isinstance(outcome, Fault):
            return Followed(tuple(positions), outcome)
        positions.append(outcome.position)
    return Followed(tuple(positions), _wrong_end(replay, positions[-1]))


def judge(replay: Replay) -> Judgement:
    """Whether `replay` is right, how it ended, and its first fault."""
    derived, (positions, fault) = replay.deal is not None, play_through(replay)
    if not positions:
        return Judgement(derived, 0, "in_progress", stuck=False, fault=fault)
    view = positions[-1].view
    status: Status = "won" if view.won else "in_progress"
    if fault is None and replay.status is not None:
        status = replay.status
    return Judgement(derived, len(positions) - 1, status, view.stuck, fault)


def played_out(position: Position, moves: Sequence[Move]) -> tuple[Position, tuple[Reveal, ...]]:
    """`position` after all of `moves`, and the cards that they revealed.

    `IllegalMoveError` has the index of the first illegal move; `GameOverError` if a move comes
    after the win.
    """
    reveals: tuple[Reveal, ...] = ()
    for index, move in enumerate(moves):
        if position.view.won:
            raise GameOverError("won")
        try:
            position, turned = position.play(move)
        except IllegalMoveError as refusal:
            raise refusal.at(index) from None
        reveals += turned
    return position, reveals


def _start(replay: Replay) -> Position | Fault:
    if replay.ruleset not in (None, replay.variant.ruleset):
        return Fault("ruleset-differs", 0, f"This service plays {replay.variant.ruleset}.")
    if replay.deal is None:
        return _consistent_start(replay)
    position = start_position(replay.deal)
    if replay.commitment is not None and replay.commitment != replay.deal.commitment:
        return Fault("commitment-differs", 0, "The commitment is not that of the server's seed.")
    if replay.start is not None and replay.start.piles != position.view.piles:
        return Fault("start-differs", 0, "The deal starts with another table.")
    return position


def _consistent_start(replay: Replay) -> Position | Fault:
    """A start position that is consistent with all cards that `replay` shows.

    Cards that it never shows are in any order: the judgement does not depend on them.
    """
    game, shown = replay.variant, replay.start
    if shown is None:
        return Fault("start-missing", 0, "A replay without its deal must have its start.")
    places = tuple(Card(f"place {n}") for n in range(len(game.pack)))
    plan = game.start(places)
    if not _same_sizes(plan.view, shown):
        return Fault("start-differs", 0, "No deal starts with piles of these sizes.")
    left, found = Counter(game.pack), dict[Card, Card]()
    for ply, place, card in _placed(replay, plan, shown):
        if place is None:
            return Fault("reveals-differ", ply, f"No hidden card is left to reveal as {card}.")
        if place not in places:
            continue
        if not left[card]:
            return Fault("card-too-many", ply, f"The pack has no further {card}.")
        left[card] -= 1
        found[place] = card
    rest = left.elements()
    start = game.start([found.get(place) or next(rest) for place in places])
    if start.view.piles != shown.piles:
        return Fault("start-differs", 0, "No deal starts with this table.")
    return start


def _placed(replay: Replay, plan: Position, shown: View) -> Iterator[tuple[int, Card | None, Card]]:
    """Each card that `replay` shows: the ply, its place in the pack as `plan` deals, and its face.

    The place is None where a pile has no more card to turn.
    """
    for places, cards in zip(plan.view.piles, shown.piles, strict=True):
        yield from ((0, *pair) for pair in zip(places.cards, cards.cards, strict=True))
    hidden = {
        pile.id: iter(under if pile.kind == "stock" else reversed(under))
        for pile, under in zip(plan.view.piles, plan.under, strict=True)
    }
    for ply, pile, card in sorted(replay.reveals or (), key=lambda turned: turned.ply):
        dealt = ply <= len(replay.moves) and replay.moves[ply - 1] == DEAL
        yield ply, next(hidden.get("s" if dealt else pile, iter(())), None), card


def _same_sizes(one: View, other: View) -> bool:
    """Whether two tables have the same piles, of the same sizes."""
    sizes = ([(p.id, p.kind, p.hidden, len(p.cards)) for p in view.piles] for view in (one, other))
    return next(sizes) == next(sizes)


def _outcomes(replay: Replay, position: Position) -> Iterator[Played | Fault]:
    """The result of each move of `replay`, up to its first fault."""
    told = defaultdict[int, tuple[Reveal, ...]](tuple)
    for ply, pile, card in replay.reveals or ():
        told[ply] += (Reveal(pile, card),)
    for ply, move in enumerate(replay.moves, start=1):
        if position.view.won:
            yield Fault("after-the-end", ply, "The game is won before this move.", move)
            return
        try:
            played = position.play(move)
        except IllegalMoveError as refusal:
            yield Fault("illegal-move", ply, refusal.detail, move, refusal.rule, refusal.piles)
            return
        if told.pop(ply, ()) != played.reveals and not (replay.reveals is None and replay.deal):
            yield Fault("reveals-differ", ply, "The move turns other cards than stated.", move)
            return
        yield played
        position = played.position
    for ply in told:
        yield Fault("reveals-differ", ply, "Cards are revealed by a move that was not played.")


def _wrong_end(replay: Replay, position: Position) -> Fault | None:
    if replay.status is None or (replay.status == "won") == position.view.won:
        return None
    detail = "The moves win the game." if position.view.won else "The moves do not win the game."
    return Fault("status-differs", len(replay.moves), detail)
