"""What happens on the table, in words."""

import re
from collections.abc import Sequence

from service.cli.render import GLYPHS
from service.cli.terminal.table import State
from service.games.base import View
from service.games.cards import RANKS, SUITS, Card
from service.games.moves import DEAL, Move
from service.records.hint import Hint, count_moves

_CARD = re.compile(rf"\b([{RANKS}])([{SUITS}])\b")


def with_suits(text: str) -> str:
    """`text` with cards as people read them: 10♥ for TH."""
    return _CARD.sub(lambda card: card_name(Card(card[0])), text)


def card_name(card: Card) -> str:
    """A card, such as 10♥."""
    return ("10" if card[0] == "T" else card[0]) + GLYPHS[card[1]]


def cards_name(view: View, pile: str, count: int) -> str:
    """The `count` top cards of a pile, such as 9♥–7♥."""
    cards = view[pile].cards[-count:]
    return card_name(cards[0]) if count == 1 else f"{card_name(cards[0])}–{card_name(cards[-1])}"


def move_name(view: View, move: Move) -> str:
    """A move to be played, such as `9♥ from t1 onto 10♣ of t3`."""
    if move == DEAL:
        return "Deal a row"
    target = view[move.target]
    onto = f"onto {card_name(target.cards[-1])} of " if target.cards else "to "
    return f"{cards_name(view, move.source, move.count)} from {move.source} {onto}{move.target}"


def choice(view: View, moves: Sequence[Move]) -> str:
    """Where cards can go, all of them or a part; `moves` begin at one pile."""
    most = max(moves, key=lambda move: move.count)
    part = " or a part" if any(move.count < most.count for move in moves) else ""
    *targets, last = dict.fromkeys(move.target for move in moves)
    places = f"{', '.join(targets)} or {last}" if targets else last
    return f"{cards_name(view, most.source, most.count)}{part} can go to {places}."


def effect(before: State, after: State, move: Move) -> str:
    """What a move did: the move and the cards that it turned."""
    if move == DEAL:
        left = sum(pile.hidden for pile in after.view.kind("stock"))
        return f"A row is dealt; {left // len(after.view.kind('tableau'))} left."
    text = f"{cards_name(before.view, move.source, move.count)} {move.source} → {move.target}."
    turned = after.view[move.source]
    if turned.hidden < before.view[move.source].hidden:
        text += f" {card_name(turned.cards[-1])} is turned up in {turned.id}."
    return text


def advice(view: View, hint: Hint) -> str:
    """A hint, its reason, and what Enter does with it."""
    if hint.move is not None:
        return f"{move_name(view, hint.move)}. {with_suits(hint.why)}  Enter plays it."
    if hint.undo_steps:
        return f"{with_suits(hint.why)}  Enter takes back {count_moves(hint.undo_steps)}."
    return with_suits(hint.why)


def heading(state: State) -> tuple[str, str]:
    """The title and the deal; and how far the game is."""
    view = state.view
    hidden = f"{view.hidden} face down   " if view.hidden else ""
    home = sum(len(pile.cards) for pile in view.kind("foundation"))
    cards = sum(len(pile.cards) + pile.hidden for pile in view.piles)
    return (
        f"{view.variant.title}  ·  {state.deal}",
        f"{hidden}{home} of {cards} home   move {state.ply}",
    )
