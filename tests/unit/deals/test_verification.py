"""A revealed deal is verified: each claim follows from its seeds, or is called wrong."""

import json

import pytest

from service.api.serializers import deal_reveal_json
from service.deals.deal import PublicDeal, SealedDeal
from service.deals.verification import verify_reveal
from service.errors import InputError, RevealError
from service.games import VARIANTS

BROUGHT = bytes(range(16)).hex()

DEALS = [
    *(PublicDeal(game, number) for game in VARIANTS.values() for number in (1, 2, 2**64 - 1)),
    *(SealedDeal(game, bytes([n]) * 32) for game in VARIANTS.values() for n in range(2)),
    *(SealedDeal(g, b"seed" * 8, bytes(range(n))) for g in VARIANTS.values() for n in (16, 64)),
]
SEALED, NUMBERED = DEALS[-2], DEALS[0]


def revealed(deal, **changed):
    """What a reveal tells of `deal`, as JSON, some of it changed."""
    return json.loads(json.dumps({**deal_reveal_json(deal), **changed}))


def swapped(pack):
    return [pack[1], pack[0], *pack[2:]]


def verdicts(told, **noted):
    return {check.claim: check.ok for check in verify_reveal(told, **noted)}


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: f"{deal.id} {deal.player_seed!r:.12}")
def test_a_true_reveal_is_right_in_everything(deal):
    claims = {"seed", "pack"} | ({"commitment"} if deal.fairness == "sealed" else set())
    assert verdicts(revealed(deal)) == dict.fromkeys(claims, True)


@pytest.mark.parametrize(
    ("deal", "changed", "wrong"),
    [
        (SEALED, {"commitment": "0" * 64}, {"commitment"}),
        (SEALED, {"server_seed": "0" * 64}, {"commitment", "seed", "pack"}),
        (SEALED, {"player_seed": ""}, {"seed", "pack"}),
        (SEALED, {"seed": "0" * 64}, {"seed"}),
        (SEALED, {"pack": swapped(revealed(SEALED)["pack"])}, {"pack"}),
        (SEALED, {"pack": None}, {"pack"}),
        (NUMBERED, {"number": "3"}, {"seed", "pack"}),
        (NUMBERED, {"pack": []}, {"pack"}),
    ],
)
def test_what_was_changed_is_called_wrong_and_what_follows_from_it(deal, changed, wrong):
    found = verdicts(revealed(deal, **changed))
    assert {claim for claim, right in found.items() if not right} == wrong


def test_what_was_noted_before_the_game_is_held_against_the_reveal():
    told = revealed(SEALED)
    noted = verdicts(told, commitment=SEALED.commitment.upper(), player_seed=told["player_seed"])
    assert all(noted.values())
    assert len(noted) == 5
    other = verdicts(told, commitment="0" * 64, player_seed="00")
    wrong = [claim for claim, right in other.items() if not right]
    assert wrong == ["noted commitment", "noted seed"]


def test_a_numbered_deal_is_not_the_one_that_was_committed_to():
    found = verdicts(revealed(NUMBERED), commitment="0" * 64, player_seed=BROUGHT)
    assert (found["noted commitment"], found["noted seed"]) == (False, False)


UNKNOWN = "unknown scheme, variant or ruleset"
UNTOLD = "neither a number nor both seeds"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"scheme": "asterism-deal/2"}, UNKNOWN),
        *(({"variant": name}, UNKNOWN) for name in ("klondike", None, ["x"], "Astrocyte")),
        ({"ruleset": "astrocyte/9"}, UNKNOWN),
        *(({"number": number}, "A deal number is 1 to") for number in ("0", "07", "", "9" * 99)),
        *(({"number": number}, UNTOLD) for number in (7, 1.5, [], True)),
        *(({"server_seed": seed}, UNTOLD) for seed in (None, "00", "xy" * 32, "A0" * 32, 3)),
        *(({"player_seed": seed}, UNTOLD) for seed in (None, "0", "0f ", "0F", "xy", 3)),
    ],
)
def test_what_is_no_reveal_is_refused_in_words(changed, said):
    with pytest.raises(InputError, match=said):
        list(verify_reveal(revealed(SEALED, **changed)))


@pytest.mark.parametrize(
    "missing", ["scheme", "variant", "ruleset", "number", "server_seed", "player_seed"]
)
def test_a_reveal_that_lacks_something_is_refused(missing):
    told = revealed(SEALED)
    del told[missing]
    with pytest.raises(RevealError):
        list(verify_reveal(told))
