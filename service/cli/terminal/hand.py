"""What a hand on the table can mean: the cards it points at, where they can go, and the move."""

from typing import NamedTuple

from service.games.base import View
from service.games.moves import DEAL, Move
from service.games.piles import Kind

_PREFERRED: tuple[Kind, ...] = ("foundation", "tableau", "cell")


class Spot(NamedTuple):
    """A place on the table: a pile, and how many of its top cards are meant.

    None means as many as a move can take.
    """

    pile: str
    depth: int | None = None


def counts_from(legal: tuple[Move, ...], pile: str) -> tuple[int, ...]:
    """How many cards a legal move takes from `pile`: each number once, fewest first."""
    return tuple(sorted({move.count for move in legal if move.source == pile and move != DEAL}))


def cards_meant(legal: tuple[Move, ...], spot: Spot) -> int:
    """The number of top cards that `spot` means, one at least."""
    if spot.depth is not None:
        return max(spot.depth, 1)
    return max(counts_from(legal, spot.pile), default=1)


def moves_from(view: View, legal: tuple[Move, ...], spot: Spot) -> dict[str, Move]:
    """Where the cards at `spot` can go: a legal move for each target.

    Of equivalent empty piles a list of legal moves has only the first; here are all of them. If
    `spot` leaves the count open, as many cards as possible move.
    """
    found: dict[str, Move] = {}
    for move in legal:
        if move.source != spot.pile or move == DEAL or spot.depth not in (None, move.count):
            continue
        for pile in _alike(view, move.target):
            if pile not in found or found[pile].count < move.count:
                found[pile] = move._replace(target=pile)
    return found


def obvious_move(view: View, legal: tuple[Move, ...], spot: Spot) -> Move | None:
    """The move that pointing twice at `spot` means, or None if there is a choice to make.

    It leads to the only pile of the best kind: foundations before the tableau before cells, and
    cards before empty places.
    """
    moves = moves_from(view, legal, spot)
    for kind in _PREFERRED:
        alike = [view[id] for id in moves if view[id].kind == kind]
        covered = [pile for pile in alike if not pile.is_empty]
        if covered:
            return moves[covered[0].id] if len(covered) == 1 else None
        if alike:
            return moves[alike[0].id]
    return None


def meant_move(view: View, legal: tuple[Move, ...], spot: Spot, target: str) -> Move:
    """The move of the cards at `spot` to `target`, legal or not."""
    found = moves_from(view, legal, spot).get(target)
    return found or Move(spot.pile, target, cards_meant(legal, spot))


def why_stays(view: View, spot: Spot, count: int) -> str:
    """Why no pile takes `count` cards of `spot.pile`, for people; empty if one does."""
    pile = view[spot.pile]
    if count > len(pile.cards):
        return f"No card of {pile.id} can be taken."
    others = (other for other in view.piles if other.id != pile.id and other.kind != "stock")
    refusals = [view.why_not(Move(pile.id, other.id, count)) for other in others]
    reasons = [refusal for refusal in refusals if refusal is not None]
    if len(reasons) < len(refusals):
        return ""
    if len({(reason.rule, reason.detail) for reason in reasons}) == 1:
        return f"{reasons[0].rule}: {reasons[0].detail}"
    return f"No pile takes {pile.cards[-count]} now."


def _alike(view: View, target: str) -> tuple[str, ...]:
    pile = view[target]
    if not pile.is_empty:
        return (target,)
    return tuple(other.id for other in view.kind(pile.kind) if other.is_empty)
