"""Cards and packs: their spelling and their canonical order."""

import pytest

from service.errors import InputError
from service.games.cards import FACES, RANK, SUIT, TWO_PACKS, parse_card, without


def test_the_faces_run_from_the_ace_of_clubs_to_the_king_of_spades_and_packs_are_in_their_order():
    clubs = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    others = [clubs.replace("C", suit) for suit in "DHS"]
    assert " ".join(FACES) == " ".join([clubs, *others])
    assert TWO_PACKS == FACES + FACES


def test_ranks_count_from_the_ace_to_the_king_and_the_suit_is_the_second_letter():
    assert [RANK[face] for face in FACES] == [*range(1, 14)] * 4
    assert "".join(SUIT[face] for face in FACES[::13]) == "CDHS"


def test_a_card_is_written_rank_first():
    assert [parse_card(face) for face in FACES] == list(FACES)


@pytest.mark.parametrize(
    "text", ["", "9", "9X", "H9", "1H", "10H", "9h", "9H ", "9H\n", "٩H", "9H9H", "0S"]
)
def test_other_texts_are_no_cards(text):
    with pytest.raises(InputError):
        parse_card(text)


def test_a_pack_loses_only_the_first_copy_of_a_card_taken_out():
    assert without(("AC", "2C", "AC", "3C"), ["AC"]) == ("2C", "AC", "3C")
