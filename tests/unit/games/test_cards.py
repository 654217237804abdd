"""Cards and packs: their spelling and their canonical order."""

import pytest

from service.errors import InputError
from service.games.cards import FACES, RANK, SUIT, TWO_PACKS, parse_card, without


def test_the_faces_run_from_the_ace_of_clubs_to_the_king_of_spades():
    clubs = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    others = [clubs.replace("C", suit) for suit in "DHS"]
    assert " ".join(FACES) == " ".join([clubs, *others])


def test_two_packs_are_all_faces_in_order_and_then_all_again():
    assert TWO_PACKS == FACES + FACES


def test_ranks_count_from_the_ace_to_the_king():
    hearts = ["AH", "2H", "9H", "TH", "JH", "QH", "KH"]
    assert [RANK[face] for face in hearts] == [1, 2, 9, 10, 11, 12, 13]


def test_the_suit_of_a_card_is_its_second_letter():
    assert [SUIT[face] for face in ("TC", "TD", "TH", "TS")] == list("CDHS")


@pytest.mark.parametrize("text", ["AC", "TS", "2H", "KD"])
def test_a_card_is_written_rank_first(text):
    assert parse_card(text) == text


@pytest.mark.parametrize(
    "text", ["", "9", "9X", "H9", "1H", "10H", "9h", "9H ", "9H\n", "٩H", "9H9H", "0S"]
)
def test_other_texts_are_no_cards(text):
    with pytest.raises(InputError):
        parse_card(text)


def test_a_pack_loses_only_the_first_copy_of_a_card_taken_out():
    assert without(("AC", "2C", "AC", "3C"), ["AC"]) == ("2C", "AC", "3C")
