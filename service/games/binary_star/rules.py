"""The rules of Binary Star, `binary-star/1`, each by its number in RULES.md."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from typing_extensions import override

from service.games.base import Variant, position_of
from service.games.cards import FACES, RANK, TWO_PACKS, Card, without
from service.games.moves import DEAL, Move
from service.games.piles import Layout, PileCards, group
from service.games.position import Position, Refusal, View

FANS = 17
HOLES = 2
CARDS_A_FAN = 6
BASES: tuple[Card, Card] = (Card("AH"), Card("KS"))
"""The cards that the holes f1 and f2 start with (B2)."""


def _neighbours(card: Card) -> frozenset[Card]:
    return frozenset(other for other in FACES if (RANK[card] - RANK[other]) % 13 in (1, 12))


NEIGHBOURS: dict[Card, frozenset[Card]] = dict(zip(FACES, map(_neighbours, FACES), strict=True))
"""The cards that join each card: ranks one apart, ace and king included, any suits (B5)."""


class BinaryStar(Variant):
    """Binary Star. All cards lie face up, so a view shows everything."""

    name = "binary-star"
    title = "Binary Star"
    ruleset = "binary-star/1"
    rules = files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")
    layout = Layout(
        (group("tableau", "fan", "t", FANS), group("foundation", "black hole", "f", HOLES))
    )
    pack = without(TWO_PACKS, BASES)
    actions = (
        *(Move(f"t{fan}", f"f{hole}") for fan in range(1, FANS + 1) for hole in (1, 2)),
        Move("f1", "f2"),
        Move("f2", "f1"),
    )

    @override
    def start(self, pack: Sequence[Card]) -> Position:
        """Deals six rounds of one card a fan, left to right; each hole has its base (B2, B4)."""
        fans = [PileCards(f"t{n + 1}", (), tuple(pack[n::FANS])) for n in range(FANS)]
        holes = [PileCards(f"f{n}", (), (base,)) for n, base in enumerate(BASES, start=1)]
        return position_of(self, fans + holes)

    @override
    def why_not(self, view: View, move: Move) -> Refusal | None:
        return _why_not(view, move)

    @override
    def legal_moves(self, view: View) -> tuple[Move, ...]:
        return _legal_moves(view)

    @override
    def won(self, view: View) -> bool:
        # B11
        for cards in view.cards[:FANS]:  # noqa: SIM110  # a generator takes four times as long
            if cards:
                return False
        return True

    @override
    def stuck(self, view: View) -> bool:
        """Whether no chain of transfers leads to a position where a fan card can be played (B12).

        Hole f1 upwards, then hole f2 downwards, is one path of adjacent cards with a cut in it.
        While the tops beside the cut are adjacent, transfers slide the cut anywhere between the
        bases and do nothing else: every card of the path can become a top.
        """
        *fans, one, two = view.cards
        reachable = one + two if one[-1] in NEIGHBOURS[two[-1]] else (one[-1], two[-1])
        ranks = {RANK[card] % 13 for card in reachable}
        wanted = {(rank + step) % 13 for rank in ranks for step in (1, -1)}
        return not any(RANK[fan[-1]] % 13 in wanted for fan in fans if fan)

    @override
    def why_unreachable(self, position: Position) -> str | None:
        view = position.view
        fans, holes = view.kind("tableau"), view.kind("foundation")
        if view.hidden:
            return "In Binary Star every card lies face up."
        if Counter(card for pile in view.piles for card in pile.cards) != Counter(TWO_PACKS):
            return "The cards on the table are not two whole packs."
        for fan in fans:
            if len(fan.cards) > CARDS_A_FAN:
                return f"Fan {fan.id} holds more than {CARDS_A_FAN} cards."
        for hole, base in zip(holes, BASES, strict=True):
            if hole.cards[:1] != (base,):
                return f"Black hole {hole.id} does not start with {base}."
            if not all(one in NEIGHBOURS[other] for one, other in pairwise(hole.cards)):
                return f"Black hole {hole.id} holds neighbours that do not join."
        return None


def _why_not(view: View, move: Move) -> Refusal | None:
    source_id, target_id, count = move
    source, target = _INDEX.get(source_id, -1), _INDEX.get(target_id, -1)
    if source < 0 or target < 0:
        return _why_no_pile(move)
    if source == target:
        return Refusal("same-pile", "A card moves from one pile to another.", (source_id,))
    if target < FANS:
        return Refusal("tableau-not-buildable", "A fan accepts no cards.", (target_id,))
    if count != 1:
        return Refusal("count-invalid", "One card moves at a time.", (source_id,))
    cards, onto = view.cards[source], view.cards[target][-1]
    if not cards:
        return Refusal("source-empty", f"Fan {source_id} is empty.", (source_id,))
    if source >= FANS and len(cards) == 1:
        return Refusal("base-card-fixed", "The base of a black hole never leaves it.", (source_id,))
    if cards[-1] not in NEIGHBOURS[onto]:
        return Refusal(
            "rank-not-adjacent",
            f"{cards[-1]} is not one rank above or below {onto}, the top of {target_id}.",
            (source_id, target_id),
        )
    return None


def _legal_moves(view: View) -> tuple[Move, ...]:
    *fans, one, two = view.cards
    holes = _holes_by_card(one[-1], two[-1])
    found: list[Move] = []
    for fan, cards in enumerate(fans):
        if cards and cards[-1] in holes:
            found += _PLAYS[fan][holes[cards[-1]]]
    if one[-1] in NEIGHBOURS[two[-1]]:
        if len(one) > 1:
            found.append(_ONE_TO_TWO)
        if len(two) > 1:
            found.append(_TWO_TO_ONE)
    return tuple(found)


def _why_no_pile(move: Move) -> Refusal:
    """Why no card moves from or to a pile that Binary Star does not have."""
    if move == DEAL:
        return Refusal("no-such-pile", "Binary Star has no stock.", ("s",))
    id = move.source if move.source not in _INDEX else move.target
    return Refusal("no-such-pile", f"Binary Star has no pile {id}.", (id,))


@cache
def _holes_by_card(one: Card, two: Card) -> dict[Card, int]:
    """What of `_PLAYS` each card can do while `one` and `two` are the tops of the holes."""
    onto_one, onto_two = NEIGHBOURS[one], NEIGHBOURS[two]
    either = dict.fromkeys(onto_one, 0) | dict.fromkeys(onto_two, 1)
    return either | dict.fromkeys(onto_one & onto_two, 2)


def _plays(fan: str) -> tuple[tuple[Move, ...], ...]:
    """The moves of a card of `fan` that joins the top of f1, of f2, or of both."""
    one, two = Move(fan, "f1"), Move(fan, "f2")
    return (one,), (two,), (one, two)


_INDEX = BinaryStar.layout.index
_PLAYS = tuple(map(_plays, BinaryStar.layout.ids[:FANS]))
_ONE_TO_TWO, _TWO_TO_ONE = Move("f1", "f2"), Move("f2", "f1")

BINARY_STAR = BinaryStar()
