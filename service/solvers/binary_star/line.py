"""Converts the steps of a winning line to legal moves, with few transfers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.games.base import View
from service.games.moves import Move
from service.solvers.binary_star.state import Step, edge_between, hole_ranks

_PATHS_PER_KIND = 4
_CUTS_PER_KIND = 2

_Hole = tuple[int, ...]
_Tops = tuple[int, int]


class _Path(NamedTuple):
    """The holes after some steps, the moves of the last step, and the path before it."""

    transfers: int
    one: _Hole
    two: _Hole
    moves: tuple[Move, ...]
    parent: "_Path | None"


def plain_moves(view: View, steps: Sequence[Step]) -> tuple[Move, ...]:
    """The moves from `view` for `steps` that need no transfers."""
    tops = [hole[-1] for hole in hole_ranks(view)]
    moves = []
    for step in steps:
        hole = tops.index(step.onto)
        tops[hole] = step.rank
        moves.append(_play(step.fan, hole + 1))
    return tuple(moves)


def moves_with_transfers(view: View, steps: Sequence[Step]) -> tuple[Move, ...]:
    """Moves from `view` that play the cards of `steps` in order, with few transfers.

    A step leaves open which of several equal edges is moved between the tops, and which hole is
    played onto. Paths with the same tops can continue alike and differ only in the cost of later
    transfers; so can all paths with adjacent tops. The cheapest few paths of each kind are kept.
    """
    one, two = hole_ranks(view)
    paths = [_Path(0, one, two, (), None)]
    for step in steps:
        kinds: dict[_Tops | None, list[_Path]] = defaultdict(list)
        grown = [new for path in paths for new in _extend(step, path)]
        for new in sorted(grown, key=_transfers):
            alike = kinds[_kind(new.one[-1], new.two[-1])]
            if len(alike) < _PATHS_PER_KIND and all(new[1:3] != other[1:3] for other in alike):
                alike.append(new)
        paths = [path for alike in kinds.values() for path in alike]
    return _moves(min(paths, key=_transfers))


def _transfers(path: _Path) -> int:
    return path.transfers


def _moves(path: _Path) -> tuple[Move, ...]:
    parts = [path.moves]
    while path.parent is not None:
        path = path.parent
        parts.append(path.moves)
    return tuple(move for part in reversed(parts) for move in part)


def _kind(one: int, other: int) -> _Tops | None:
    """The two tops in order, or None if they are adjacent."""
    if edge_between(one, other) is not None:
        return None
    return (one, other) if one < other else (other, one)


def _extend(step: Step, path: _Path) -> Iterator[_Path]:
    """The useful ways to play `step`: at once, or after transfers to either side.

    Considers the two nearest cuts of each kind, as the nearest may cost more later.
    """
    one, two = path.one, path.two
    yield from _plays(step, path, one, two, ())
    if edge_between(one[-1], two[-1]) is None:
        return
    for source, target, transfer in ((one, two, Move("f1", "f2")), (two, one, Move("f2", "f1"))):
        met: Counter[_Tops] = Counter()
        for count in range(1, len(source)):
            tops = source[-1 - count], source[-count]
            if all(edge_between(step.rank, top) is None for top in tops):
                continue
            met[tops] += 1
            if met[tops] <= _CUTS_PER_KIND:
                left, grown = source[:-count], target + source[: -count - 1 : -1]
                holes = (left, grown) if source is one else (grown, left)
                yield from _plays(step, path, *holes, (transfer,) * count)


def _plays(
    step: Step, path: _Path, one: _Hole, two: _Hole, transfers: tuple[Move, ...]
) -> Iterator[_Path]:
    cost = path.transfers + len(transfers)
    if edge_between(step.rank, one[-1]) is not None:
        played = (*transfers, _play(step.fan, 1))
        yield _Path(cost, (*one, step.rank), two, played, path)
    if edge_between(step.rank, two[-1]) is not None:
        played = (*transfers, _play(step.fan, 2))
        yield _Path(cost, one, (*two, step.rank), played, path)


def _play(fan: int, hole: int) -> Move:
    return Move(f"t{fan + 1}", f"f{hole}")
