"""Piles, and the layout that says which there are and in what order."""

from service.games.base import View
from service.games.piles import Group, Layout, Pile, group


def test_what_a_player_sees_has_no_place_for_a_hidden_card():
    """Whoever adds a field here has to show that no hidden card gets into it."""
    computed = ["_legal_moves", "_piles", "_stuck", "_won"]
    assert list(View.__slots__) == [*computed, "cards", "face_down", "variant"]
    assert Pile._fields == ("id", "kind", "hidden", "cards")


def test_a_pile_is_empty_if_it_holds_no_card_face_up_or_face_down():
    piles = [("t1", 0, ()), ("s", 8, ()), ("t1", 0, ("9H",))]
    found = [Pile(id, "tableau", hidden, cards).is_empty for id, hidden, cards in piles]
    assert found == [True, False, False]


def test_a_layout_lists_its_piles_group_by_group_numbered_from_one():
    layout = Layout((group("tableau", "column", "t", 2), Group("stock", "stock", ("s",))))
    assert layout.ids == ("t1", "t2", "s")
    assert layout.kinds == ("tableau", "tableau", "stock")
    assert layout.index == {"t1": 0, "t2": 1, "s": 2}
