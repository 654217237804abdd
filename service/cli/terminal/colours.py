"""The colours of the table. It brings its own background, so any terminal shows them alike."""

from enum import Enum

from rich.style import Style
from textual.theme import Theme

from service.games.cards import Card

THEME = Theme(
    name="asterism",
    primary="#f4c15d",
    secondary="#7ea6ff",
    accent="#f4c15d",
    warning="#f4c15d",
    error="#ff9d8a",
    success="#8fe0a8",
    foreground="#eceefa",
    background="#0b1030",
    surface="#151c3d",
    panel="#1a2250",
    dark=True,
    variables={"footer-key-foreground": "#f4c15d", "footer-background": "#151c3d"},
)
"""The night sky of the page to play on."""

SKY = "#0b1030"
_RED, _BLACK = "#b3141f", "#141a33"


class Role(Enum):
    """What a card or a pile is at the moment; each has a colour and a mark of its own."""

    PLAIN = " "
    CURSOR = "▸"
    HELD = "●"
    TARGET = "▾"
    HINT = "★"


_FACES = {
    Role.PLAIN: ("#fbf8ee", "#e4dfcf"),
    Role.CURSOR: ("#f9d98c", "#f4c15d"),
    Role.HELD: ("#b5d6ff", "#93c1fb"),
    Role.TARGET: ("#bdf0cb", "#9fe3b2"),
    Role.HINT: ("#e6ccff", "#d4aefc"),
}
"""The colours of faces by role; the second for every other covered card, to tell them apart."""

_INKS = {
    Role.PLAIN: "#48538a",
    Role.CURSOR: "#f4c15d",
    Role.HELD: "#93c1fb",
    Role.TARGET: "#8fe0a8",
    Role.HINT: "#d4aefc",
}
"""The colours of outlines and of labels with a mark."""

STAR = Style(color="#3a4680", bgcolor=SKY)
ON_SKY = Style(color="#eceefa", bgcolor=SKY)
QUIET = Style(color="#6f79a8", bgcolor=SKY)
LIVELY = Style(color="#eceefa", bgcolor=SKY, bold=True)
BACKS = (Style(color="#5f6cb8", bgcolor="#27327a"), Style(color="#5f6cb8", bgcolor="#1f2968"))
"""The backs of cards; the second for every other one, to tell them apart."""
BACK_COUNT = Style(color="#dfe4f5", bgcolor="#27327a", bold=True)


def face_style(card: Card, role: Role, shaded: bool) -> Style:
    """The style of the face of `card`."""
    ink = _RED if card[1] in "DH" else _BLACK
    return Style(color=ink, bgcolor=_FACES[role][shaded], bold=True)


def outline_style(role: Role) -> Style:
    """The style of the outline of an empty place."""
    return Style(color=_INKS[role], bgcolor=SKY, bold=role is not Role.PLAIN)
