"""Draws a table: a view, and what is marked on it, as lines of styled text with places to click."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from service.cli.render import GLYPHS
from service.cli.terminal import colours
from service.cli.terminal.colours import Role
from service.cli.terminal.geometry import TAG, Layer, Place, Rows, layers, step_of
from service.cli.terminal.hand import Spot
from service.games.base import View
from service.games.cards import Card
from service.games.piles import Pile

_NIGHT = (" ", colours.ON_SKY)
_FANNED = 4
"""Columns that a covered card of a pile that spreads sideways shows."""


@dataclass(frozen=True)
class Marks:
    """What is marked: the role of the top cards of a pile, with how many, and lively labels.

    Without cards, the pile itself has the role.
    """

    roles: Mapping[str, tuple[tuple[Role, int], ...]] = field(default_factory=dict)
    lively: frozenset[str] = frozenset()

    def role(self, pile: str, depth: int) -> Role:
        """The role of the card with `depth - 1` others on it."""
        return next((r for r, count in self.roles.get(pile, ()) if depth <= count), Role.PLAIN)

    def label(self, pile: str) -> Role:
        """The role that the label of a pile shows."""
        return next((role for role, _ in self.roles.get(pile, ())), Role.PLAIN)


class Canvas:
    """A grid of characters, each with a style, and the spot that a click on it means."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[_NIGHT] * width for _ in range(height)]
        self.spots: dict[tuple[int, int], Spot] = {}

    def put(self, x: int, y: int, text: str, style: Style, spot: Spot | None = None) -> None:
        """Writes `text` from x, y on; what is off the canvas is left out."""
        if not 0 <= y < self.height:
            return
        for column, character in enumerate(text, start=x):
            if 0 <= column < self.width:
                self._cells[y][column] = (character, style)
                if spot is not None:
                    self.spots[column, y] = spot

    def scatter_stars(self) -> None:
        """Puts faint stars where nothing is near."""
        for y, line in enumerate(self._cells):
            for x in range(2, self.width - 2):
                is_dark = set(line[x - 2 : x + 3]) == {_NIGHT}
                if is_dark and (37 * x + 101 * y * y + x * y) % 53 == 0:
                    line[x] = ("·", colours.STAR)

    def line(self, y: int) -> list[Segment]:
        """Line `y` as segments of one style each."""
        return [
            Segment("".join(character for character, _ in cells), style)
            for style, cells in groupby(self._cells[y], key=lambda cell: cell[1])
        ]

    def text(self) -> str:
        """All lines without their styles."""
        return "\n".join("".join(c for c, _ in line).rstrip() for line in self._cells)


def draw(view: View, rows: Rows, marks: Marks, width: int, height: int) -> Canvas:
    """The table on a canvas of that size."""
    canvas = Canvas(width, height)
    for row in rows:
        piles = [view[place.pile] for place in row]
        step = step_of(piles, row[0].room, row[0].face)
        for place, pile in zip(row, piles, strict=True):
            if place.spread == "down":
                _draw_down(canvas, place, pile, marks, step)
            elif place.spread == "aside":
                _draw_aside(canvas, place, pile, marks)
            else:
                _draw_closed(canvas, place, pile, marks, len(view.kind("tableau")))
    canvas.scatter_stars()
    return canvas


def name_of(card: Card) -> str:
    """A card as it is shown, such as 10♥, in three columns."""
    return f"{'10' if card[0] == 'T' else card[0]:>2}{GLYPHS[card[1]]}"


def _draw_down(canvas: Canvas, place: Place, pile: Pile, marks: Marks, step: int) -> None:
    stack = layers(pile, place, step)
    missing = len(pile.cards) - sum(len(layer.cards) for layer in stack)
    _label(canvas, place, pile, marks, f" +{missing}" if missing else "")
    if pile.is_empty:
        return _empty(canvas, place, place.y + 1, min(place.face, place.room), marks)
    backs = sum(not layer.cards for layer in stack)
    for number, layer in enumerate(stack):
        y = place.y + 1 + layer.y
        if not layer.cards:
            words = str(pile.hidden) if number == backs - 1 else ""
            _back(canvas, place, y, pile, words, number % 2 == 0)
        elif len(layer.cards) == 1:
            _card(canvas, place, y, layer, pile, marks)
        else:
            _sharing(canvas, place, y, layer, pile, marks)
    return None


def _draw_closed(canvas: Canvas, place: Place, pile: Pile, marks: Marks, a_row: int) -> None:
    """A pile as its top card and the number of cards, or of rows of `a_row` if face down."""
    _label(canvas, place, pile, marks)
    top, y, count = len(pile.cards) - 1, place.y + 1, len(pile.cards)
    if pile.is_empty:
        return _empty(canvas, place, y, place.face, marks)
    if not pile.cards:
        rows = pile.hidden // a_row
        words = {place.face // 2: str(rows), place.face // 2 + 1: "rows" if rows > 1 else "row"}
        for line in range(place.face):
            _back(canvas, place, y + line, pile, words.get(line, ""), False)
        return None
    _card(canvas, place, y, Layer(0, place.face, (top,)), pile, marks)
    if count > 1:
        style = colours.face_style(pile.cards[-1], marks.role(pile.id, 1), False)
        canvas.put(place.x, y + place.face - 1, f"{count:>{place.width - 1}} ", style)
    return None


def _draw_aside(canvas: Canvas, place: Place, pile: Pile, marks: Marks) -> None:
    """A pile as its top card, with those under it to the left as far as there is room."""
    role, style = _label_look(place, marks)
    spot = Spot(pile.id)
    canvas.put(place.x, place.y, f"{role.value}{pile.id}".ljust(TAG - 1), style, spot)
    count = f" {len(pile.cards)} cards" if len(pile.cards) != 1 else " 1 card"
    canvas.put(place.x, place.y + 1, count, colours.QUIET, spot)
    if pile.is_empty:
        return _empty(canvas, place._replace(x=place.x + TAG), place.y, place.face, marks)
    shown = min(len(pile.cards) - 1, (place.room - place.width) // _FANNED)
    x = place.x + TAG
    for index in range(len(pile.cards) - 1 - shown, len(pile.cards) - 1):
        card = pile.cards[index]
        style = colours.face_style(card, Role.PLAIN, index % 2 == 0)
        for line in range(place.face):
            text = name_of(card) if line == 0 else ""
            canvas.put(x, place.y + line, text.ljust(_FANNED), style, Spot(pile.id))
        x += _FANNED
    layer = Layer(0, place.face, (len(pile.cards) - 1,))
    _card(canvas, place._replace(x=x), place.y, layer, pile, marks)
    return None


def _label_look(place: Place, marks: Marks) -> tuple[Role, Style]:
    role = marks.label(place.pile)
    if role is not Role.PLAIN:
        return role, colours.outline_style(role)
    return role, colours.LIVELY if place.pile in marks.lively else colours.QUIET


def _label(canvas: Canvas, place: Place, pile: Pile, marks: Marks, more: str = "") -> None:
    role, style = _label_look(place, marks)
    text = f"{role.value}{'stock' if pile.kind == 'stock' else pile.id}{more}"
    canvas.put(place.x, place.y, text.ljust(place.width), style, Spot(pile.id))


def _empty(canvas: Canvas, place: Place, y: int, height: int, marks: Marks) -> None:
    style, inner = colours.outline_style(marks.label(place.pile)), place.width - 2
    spot = Spot(place.pile)
    canvas.put(place.x, y, f"╭{'─' * inner}╮", style, spot)
    for line in range(1, height - 1):
        canvas.put(place.x, y + line, f"│{' ' * inner}│", style, spot)
    canvas.put(place.x, y + height - 1, f"╰{'─' * inner}╯", style, spot)


def _back(  # noqa: PLR0913, PLR0917 - what a line is made of
    canvas: Canvas, place: Place, y: int, pile: Pile, words: str, shaded: bool
) -> None:
    """A line of a card that lies face down, with `words` in it."""
    spot = Spot(pile.id)
    canvas.put(place.x, y, "░" * place.width, colours.BACKS[shaded], spot)
    if words:
        text = f" {words} " if len(words) + 2 <= place.width else words
        canvas.put(place.x + (place.width - len(text)) // 2, y, text, colours.BACK_COUNT, spot)


def _card(  # noqa: PLR0913, PLR0917
    canvas: Canvas, place: Place, y: int, layer: Layer, pile: Pile, marks: Marks
) -> None:
    """A card of its own lines: its name above, and below too if it is high enough."""
    index = layer.cards[0]
    card, depth = pile.cards[index], len(pile.cards) - index
    role = marks.role(pile.id, depth)
    style = colours.face_style(card, role, depth > 1 and depth % 2 == 0)
    name = name_of(card)
    for line in range(layer.height):
        text = f"{role.value}{name}" if line == 0 else ""
        if line == layer.height - 1 and line >= 2 and place.width >= 7:
            text = f"{name.strip():>{place.width - 1}}"
        canvas.put(place.x, y + line, text.ljust(place.width), style, Spot(pile.id, depth))


def _sharing(  # noqa: PLR0913, PLR0917
    canvas: Canvas, place: Place, y: int, layer: Layer, pile: Pile, marks: Marks
) -> None:
    """Cards that share a line, side by side."""
    width = place.width // len(layer.cards)
    for number, index in enumerate(layer.cards):
        card, depth = pile.cards[index], len(pile.cards) - index
        last = number == len(layer.cards) - 1
        wide = place.width - number * width if last else width
        style = colours.face_style(card, marks.role(pile.id, depth), depth % 2 == 0)
        for line in range(layer.height):
            text = name_of(card) if line == 0 else ""
            spot = Spot(pile.id, depth)
            canvas.put(place.x + number * width, y + line, text.ljust(wide), style, spot)
