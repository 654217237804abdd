"""Piles, and the layout that says which there are and in what order."""

from dataclasses import fields

from service.games.base import View
from service.games.piles import Group, Layout, Pile, group


def test_what_a_player_sees_has_no_place_for_a_hidden_card():
    """Whoever adds a field here has to show that no hidden card gets into it."""
    assert [field.name for field in fields(View)] == ["variant", "piles"]
    assert Pile._fields == ("id", "kind", "hidden", "cards")


def test_a_pile_without_cards_is_empty():
    assert Pile("t1", "tableau", 0, ()).is_empty


def test_a_pile_of_face_down_cards_is_not_empty():
    assert not Pile("s", "stock", 8, ()).is_empty


def test_a_pile_of_face_up_cards_is_not_empty():
    assert not Pile("t1", "tableau", 0, ("9H",)).is_empty


def test_other_cards_on_a_pile_leave_its_hidden_cards_where_they_are():
    pile = Pile("t1", "tableau", 3, ("9H",))
    assert pile.with_cards(("2C", "AC")) == Pile("t1", "tableau", 3, ("2C", "AC"))
    assert pile.cards == ("9H",)


def test_the_piles_of_a_group_are_numbered_from_one():
    assert group("cell", "cell", "c", 3) == Group("cell", "cell", ("c1", "c2", "c3"))


def test_a_layout_lists_its_piles_group_by_group():
    layout = Layout((group("tableau", "column", "t", 2), Group("stock", "stock", ("s",))))
    assert layout.ids == ("t1", "t2", "s")
    assert layout.kinds == ("tableau", "tableau", "stock")
    assert layout.index == {"t1": 0, "t2": 1, "s": 2}
