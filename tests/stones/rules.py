"""The rules of Stones, `stones/1`, each by its number in RULES.md."""

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files

from typing_extensions import override

from service.games.base import Position, Refusal, Variant, View, position_of
from service.games.cards import RANK, TWO_PACKS, Card
from service.games.moves import Move
from service.games.piles import Layout, PileCards, group

FANS = 8


class Stones(Variant):
    """Stones."""

    name = "stones"
    title = "Stones"
    ruleset = "stones/1"
    rules = files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")
    layout = Layout((group("tableau", "fan", "t", FANS), group("foundation", "path", "f", 1)))
    pack = TWO_PACKS
    actions = tuple(Move(f"t{n}", "f1") for n in range(1, FANS + 1))

    @override
    def start(self, pack: Sequence[Card]) -> Position:
        fans = [tuple(pack[n::FANS]) for n in range(FANS)]
        return position_of(
            self, [PileCards(f"t{n}", fan[:-1], fan[-1:]) for n, fan in enumerate(fans, start=1)]
        )

    @override
    def why_not(self, view: View, move: Move) -> Refusal | None:
        if move not in self.action_index:
            return Refusal("not-available", "Only the top of a fan moves.", (move.source,))
        cards, path = view[move.source].cards, view["f1"].cards
        if not cards:
            return Refusal("source-empty", f"{move.source} is empty.", (move.source,))
        if path and abs(RANK[cards[-1]] - RANK[path[-1]]) > 4:
            return Refusal("rank-not-adjacent", "The step is too wide.", move[:2])
        return None

    @override
    def legal_moves(self, view: View) -> tuple[Move, ...]:
        return tuple(move for move in self.actions if self.why_not(view, move) is None)

    @override
    def won(self, view: View) -> bool:
        return all(pile.is_empty for pile in view.kind("tableau"))

    @override
    def stuck(self, view: View) -> bool:
        return not view.legal_moves()

    @override
    def why_unreachable(self, position: Position) -> str | None:
        cards = Counter(card for pile in position.view.piles for card in pile.cards)
        cards.update(card for under in position.under for card in under)
        return None if cards == Counter(self.pack) else "These are not two whole packs."


STONES = Stones()
