"""How a hand points, takes and moves: each gesture gives the hand after it, and perhaps a move."""

from typing import NamedTuple

from service.cli.terminal import words
from service.cli.terminal.geometry import Place, Rows
from service.cli.terminal.hand import (
    Spot,
    cards_meant,
    counts_from,
    meant_move,
    moves_from,
    obvious_move,
    why_stays,
)
from service.cli.terminal.table import State
from service.games.moves import DEAL, Move

LARGEST_COUNT = 13
"""No move of any game takes more cards."""


class Hand(NamedTuple):
    """The cursor, the cards that are held if any, and the beginning of a pile's id as typed."""

    cursor: Spot
    held: Spot | None = None
    typed: str = ""


class Gesture(NamedTuple):
    """The hand after a gesture, the move it asks for, and what to tell."""

    hand: Hand
    move: Move | None = None
    note: str = ""


def first_hand(state: State) -> Hand:
    """A hand at the first pile that can move."""
    legal = (move.source for move in state.legal_moves if move != DEAL)
    return Hand(Spot(next(legal, state.variant.layout.ids[0])))


def point(hand: Hand, state: State, spot: Spot) -> Gesture:
    """Takes the cards at `spot`, or brings the held ones there; a stock deals a row.

    Pointing at the held cards again makes their obvious move, or drops them. Where cards never go
    in this game, others are taken instead.
    """
    hand = Hand(spot, hand.held)
    if state.view[spot.pile].kind == "stock":
        return Gesture(Hand(spot), DEAL)
    if hand.held is None:
        return _take(state, spot)
    if spot.pile != hand.held.pile:
        if state.view[spot.pile].cards and not _is_way(state, hand.held.pile, spot.pile):
            return _take(state, spot)
        move = meant_move(state.view, state.legal_moves, hand.held, spot.pile)
        return Gesture(Hand(spot), move)
    if _count(state, spot) != _count(state, hand.held):
        return _take(state, spot)
    return Gesture(Hand(spot), obvious_move(state.view, state.legal_moves, hand.held))


def enter(hand: Hand, state: State, rows: Rows) -> Gesture:
    """Points at the cursor; at held cards with a choice of targets, goes to the first of these."""
    gesture = point(hand, state, hand.cursor)
    targets = _targets(hand, state)
    if hand.held and hand.held.pile == hand.cursor.pile and gesture.move is None and targets:
        return Gesture(following(hand, state, rows, 1), None, "Tab: next target.  Enter: move.")
    return gesture


def type_key(hand: Hand, state: State, key: str) -> Gesture | None:
    """Points at the pile whose id is typed, `t` left out or not; None if there is no such pile.

    While a longer id may follow, as 12 after 1, only the cursor goes there.
    """
    ids = state.variant.layout.ids
    for typed in (hand.typed + key, key):
        id = typed if typed[0].isalpha() else f"t{typed}"
        possible = [other for other in ids if other.startswith(id)]
        if not possible:
            continue
        if possible == [id]:
            return point(hand, state, Spot(id))
        cursor = Spot(id) if id in ids else hand.cursor
        note = f"{id}  Enter: this pile." if id in ids else f"{id}…"
        return Gesture(Hand(cursor, hand.held, typed), None, note)
    return None


def following(hand: Hand, state: State, rows: Rows, step: int) -> Hand:
    """The hand at the next target of the held cards, or at the next pile that can move."""
    wanted = _targets(hand, state) or {move.source for move in state.legal_moves if move != DEAL}
    order = [place.pile for row in rows for place in row if place.pile in wanted]
    if not order:
        return hand
    if hand.cursor.pile in order:
        pile = order[(order.index(hand.cursor.pile) + step) % len(order)]
    else:
        all_piles = [place.pile for row in rows for place in row]
        here = all_piles.index(hand.cursor.pile)
        pile = next((id for id in order if all_piles.index(id) > here), order[0])
    return Hand(Spot(pile), hand.held)


def steer(hand: Hand, state: State, rows: Rows, right: int, down: int) -> Hand:
    """The hand one place further; downwards in a pile from more of its cards to fewer."""
    row, column = next(
        (row, column)
        for row, line in enumerate(rows)
        for column, place in enumerate(line)
        if place.pile == hand.cursor.pile
    )
    if right:
        place = rows[row][(column + right) % len(rows[row])]
        return Hand(Spot(place.pile), hand.held)
    counts = counts_from(state.legal_moves, hand.cursor.pile)
    if hand.held is None and len(counts) > 1:
        now = _count(state, hand.cursor)
        further = [n for n in counts if (n < now if down > 0 else n > now)]
        if further:
            count = further[-1] if down > 0 else further[0]
            return Hand(Spot(hand.cursor.pile, None if count == counts[-1] else count), hand.held)
    place = _nearest(rows[(row + down) % len(rows)], rows[row][column])
    return Hand(Spot(place.pile), hand.held)


def _take(state: State, spot: Spot) -> Gesture:
    pile = state.view[spot.pile]
    if not pile.cards:
        return Gesture(Hand(spot), None, f"{pile.id} is empty.")
    count = cards_meant(state.legal_moves, spot)
    hand = Hand(spot, spot)
    moves = [
        move
        for move in state.legal_moves
        if move.source == spot.pile and move != DEAL and spot.depth in (None, move.count)
    ]
    if not moves:
        return Gesture(hand, None, why_stays(state.view, spot, count))
    return Gesture(hand, None, words.choice(state.view, moves))


def _is_way(state: State, source: str, target: str) -> bool:
    """Whether cards ever go from one of these piles to the other."""
    index = state.variant.action_index
    return any(Move(source, target, count) in index for count in range(1, LARGEST_COUNT + 1))


def _targets(hand: Hand, state: State) -> set[str]:
    return set(moves_from(state.view, state.legal_moves, hand.held)) if hand.held else set()


def _count(state: State, spot: Spot) -> int:
    return cards_meant(state.legal_moves, spot)


def _nearest(row: tuple[Place, ...], here: Place) -> Place:
    return min(row, key=lambda place: abs(place.x - here.x))
