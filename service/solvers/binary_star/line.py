"""From the steps of a line found in packed positions to legal moves on the real holes."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.games.base import View
from service.games.moves import Move
from service.solvers.binary_star.state import Step, edge_between, hole_ranks

_ALIKE = 4
_PLACES = 2

_Hole = tuple[int, ...]
_Tops = tuple[int, int]


class _Path(NamedTuple):
    """One way to have carried out the steps so far, and the way it grew from."""

    transfers: int
    one: _Hole
    two: _Hole
    moves: tuple[Move, ...]
    before: "_Path | None"


def plain_moves(view: View, steps: Sequence[Step]) -> tuple[Move, ...]:
    """The moves of `steps`, of which none needs a transfer, from `view` on."""
    tops = [hole[-1] for hole in hole_ranks(view)]
    moves = []
    for step in steps:
        hole = tops.index(step.onto)
        tops[hole] = step.rank
        moves.append(_play(step.fan, hole + 1))
    return tuple(moves)


def moves_with_transfers(view: View, steps: Sequence[Step]) -> tuple[Move, ...]:
    """Moves that play the fans of `steps` in their order, from `view` on, with few transfers.

    A step leaves open which of several like edges is slid between the tops, and which hole is
    played onto. After the same plays, ways with the same tops can go on alike and differ only in
    what later transfers cost; so can all ways with adjacent tops. The cheapest few of each kind
    are kept, and as every kind is, the line that the search found is never lost.
    """
    one, two = hole_ranks(view)
    ways = [_Path(0, one, two, (), None)]
    for step in steps:
        kinds: dict[_Tops | None, list[_Path]] = defaultdict(list)
        grown = [new for way in ways for new in _carry_out(step, way)]
        for new in sorted(grown, key=_transfers):
            alike = kinds[_kind(new.one[-1], new.two[-1])]
            if len(alike) < _ALIKE and all(new[1:3] != other[1:3] for other in alike):
                alike.append(new)
        ways = [way for alike in kinds.values() for way in alike]
    return _moves(min(ways, key=_transfers))


def _transfers(way: _Path) -> int:
    return way.transfers


def _moves(way: _Path) -> tuple[Move, ...]:
    parts = [way.moves]
    while way.before is not None:
        way = way.before
        parts.append(way.moves)
    return tuple(move for part in reversed(parts) for move in part)


def _kind(one: int, other: int) -> _Tops | None:
    """Two tops in a fixed order, or None for any two that are adjacent."""
    if edge_between(one, other) is not None:
        return None
    return (one, other) if one < other else (other, one)


def _carry_out(step: Step, way: _Path) -> Iterator[_Path]:
    """Every way to play `step` that may be of use: at once, or after transfers to either side.

    Going outwards from the cut, two places of each kind: what is nearer now may cost more later.
    """
    one, two = way.one, way.two
    yield from _plays(step, way, one, two, ())
    if edge_between(one[-1], two[-1]) is None:
        return
    for source, target, transfer in ((one, two, Move("f1", "f2")), (two, one, Move("f2", "f1"))):
        met: Counter[_Tops] = Counter()
        for count in range(1, len(source)):
            tops = source[-1 - count], source[-count]
            if all(edge_between(step.rank, top) is None for top in tops):
                continue
            met[tops] += 1
            if met[tops] <= _PLACES:
                left, grown = source[:-count], target + source[: -count - 1 : -1]
                holes = (left, grown) if source is one else (grown, left)
                yield from _plays(step, way, *holes, (transfer,) * count)


def _plays(
    step: Step, way: _Path, one: _Hole, two: _Hole, transfers: tuple[Move, ...]
) -> Iterator[_Path]:
    cost = way.transfers + len(transfers)
    if edge_between(step.rank, one[-1]) is not None:
        played = (*transfers, _play(step.fan, 1))
        yield _Path(cost, (*one, step.rank), two, played, way)
    if edge_between(step.rank, two[-1]) is not None:
        played = (*transfers, _play(step.fan, 2))
        yield _Path(cost, one, (*two, step.rank), played, way)


def _play(fan: int, hole: int) -> Move:
    return Move(f"t{fan + 1}", f"f{hole}")
