"""Where the piles of a table lie on the screen, and how a pile is compressed to fit."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from service.games.piles import Layout, Pile

Spread = Literal["down", "aside", "none"]
"""Whether the cards of a pile overlap downwards, sideways, or lie on each other."""

NARROWEST, WIDEST = 6, 10
"""Columns from pile to pile; cards are one narrower."""
_ROOM_TO_SPREAD = 24
TAG = 10
"""Columns beside a pile that spreads sideways, for its id and its count."""

SMALLEST = (60, 18)
"""Columns and lines that a table needs."""


class Place(NamedTuple):
    """A pile on the screen: its label stands at x, y, its cards below, or beside it if aside.

    `width` is that of a card, `face` the height of an uncovered one, `room` the lines for cards,
    or the columns of a pile that spreads sideways.
    """

    pile: str
    x: int
    y: int
    width: int
    face: int
    room: int
    spread: Spread


Rows = tuple[tuple[Place, ...], ...]


def places(layout: Layout, width: int, height: int) -> Rows:
    """The places of all piles on a screen, row by row: first the others, then the tableau."""
    others = [group.ids for group in layout.groups if group.kind != "tableau"]
    tableau = [id for group in layout.groups if group.kind == "tableau" for id in group.ids]
    count = sum(map(len, others))
    face = 5 if height >= 32 else 4 if height >= 26 else 3
    if width // count >= _ROOM_TO_SPREAD:
        first = _sideways([id for ids in others for id in ids], width, face)
        used = face + 1
    else:
        first = _closed(others, width, face)
        used = face + 1 + (height >= 22)
    rows = next(n for n in range(1, 99) if width // -(-len(tableau) // n) >= NARROWEST)
    a_row = -(-len(tableau) // rows)
    pitch, room = _pitch(width, a_row), (height - used) // rows
    below = (
        tuple(
            Place(id, x, used + n * room, pitch - 1, face, room - 1, "down")
            for id, x in _centred(tableau[n * a_row : (n + 1) * a_row], width, pitch)
        )
        for n in range(rows)
    )
    return (first, *below)


def _closed(groups: list[tuple[str, ...]], width: int, face: int) -> tuple[Place, ...]:
    """Piles by their top cards in a row, with a gap between groups if there is room."""
    ids = [id for group in groups for id in group]
    pitch = _pitch(width, len(ids))
    gap = max(0, min(3, (width - pitch * len(ids)) // len(groups)))
    extra = {id: n * gap for n, group in enumerate(groups) for id in group}
    width -= gap * (len(groups) - 1)
    return tuple(
        Place(id, x + extra[id], 0, pitch - 1, face, face, "none")
        for id, x in _centred(ids, width, pitch)
    )


def _pitch(width: int, piles: int) -> int:
    return min(width // piles, WIDEST)


def _centred(piles: Sequence[str], width: int, pitch: int) -> list[tuple[str, int]]:
    """The piles, each with where it begins, in the middle of a row."""
    x = (width - pitch * len(piles) + 1) // 2
    return [(id, x + n * pitch) for n, id in enumerate(piles)]


def _sideways(piles: list[str], width: int, face: int) -> tuple[Place, ...]:
    pitch = width // len(piles)
    return tuple(
        Place(id, n * pitch + 1, 0, 7, face, pitch - TAG - 3, "aside") for n, id in enumerate(piles)
    )


class Layer(NamedTuple):
    """Lines of a pile that spreads downwards: `cards` of it side by side, or backs if none.

    `y` counts from the first line of the pile; `cards` are indices of its face-up cards.
    """

    y: int
    height: int
    cards: tuple[int, ...]


def step_of(piles: list[Pile], room: int, face: int) -> int:
    """Lines that each covered card shows: two if all of `piles` have the room, else one."""
    longest = max((2 * len(pile.cards) - 2 + pile.hidden for pile in piles), default=0)
    return 2 if longest + face <= room else 1


def layers(pile: Pile, place: Place, step: int) -> tuple[Layer, ...]:
    """How `pile` fits its place: backs shrink first, then the top card, then cards share lines.

    If even that is not enough, the deepest cards are left out.
    """
    room, covered = place.room, max(len(pile.cards) - 1, 0)
    top = place.face if pile.cards else 0
    backs = min(pile.hidden, max(room - top - covered * step, 1))
    top = min(top, max(room - backs - covered * step, 1))
    lines = min(covered, max((room - backs - top) // step, 0))
    found = [Layer(y, 1, ()) for y in range(backs)]
    groups = _shared_lines(covered, lines, max(place.width // 3, 1))
    found += [Layer(backs + n * step, step, group) for n, group in enumerate(groups)]
    if pile.cards:
        found.append(Layer(backs + lines * step, top, (covered,)))
    return tuple(found)


def _shared_lines(cards: int, lines: int, most: int) -> list[tuple[int, ...]]:
    """The indices 0 … `cards` - 1 on so many lines: the deepest share lines, at most `most` each.

    Those that find no place are left out, deepest first.
    """
    groups: list[tuple[int, ...]] = []
    end = cards
    for deeper in range(lines - 1, -1, -1):
        size = max(1, min(most, end - deeper * most))
        groups.append(tuple(range(max(end - size, 0), end)))
        end -= size
    return groups[::-1]
