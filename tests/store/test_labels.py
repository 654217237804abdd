"""The interface of the stores of labels and tallies: one owner a label, and sums that are exact."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.records.labels import Ownership
from service.records.leaderboards import Attempt, Tally
from service.store import tallies
from tests.store.test_promise import ID, created, keys, new_game

DAY = 24 * 60 * 60 * 1000
OWNER = Ownership(ID, "5a17", "0123456789abcdef01234567", 1_000)
WON, OPEN = Tally(1, 1, 0, 0, 0), Tally(1, 0, 0, 0, 0)
ATTEMPT = Attempt("astrocyte", 20_000, "ada", ID, 5, OPEN)


def sums(store, day=20_000):
    return store.tally_store.tallies("astrocyte", day)


# Labels


@pytest.mark.parametrize("label", ["ada", "Æ ☆ 星", "a{b}c", "}{", " "])
def test_a_label_has_the_owner_who_was_first(store, label):
    assert store.label_store.ownership(label) is None
    other = OWNER._replace(game_id="b" * 26)
    for claim in (OWNER, other, OWNER):
        assert store.label_store.claim(label, claim, None) == OWNER
    assert store.label_store.ownership(label) == OWNER
    assert store.label_store.ownership(f"{label}.") is None


def test_an_owner_is_replaced_by_whoever_knows_it_as_it_is(store):
    used = OWNER._replace(used=True)
    store.label_store.claim("ada", OWNER, None)
    assert store.label_store.claim("ada", used, OWNER) == used
    assert store.label_store.claim("ada", OWNER._replace(since=2_000), OWNER) == used


def test_of_twenty_claims_of_a_label_at_once_one_succeeds(store):
    claims = [OWNER._replace(game_id=f"{number:026}") for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        owners = set(pool.map(lambda claim: store.label_store.claim("ada", claim, None), claims))
    assert owners == {store.label_store.ownership("ada")}


def test_whether_there_is_a_game_is_told(store):
    assert not store.label_store.has_game(ID)
    store.save(created(new_game()))
    assert store.label_store.has_game(ID)
    store.delete(ID)
    assert not store.label_store.has_game(ID)


# Tallies


def test_a_game_counts_once_as_its_latest_version_says(store):
    for version, tally in ((5, OPEN), (9, WON), (9, OPEN), (7, OPEN), (10, WON)):
        store.tally_store.count(ATTEMPT._replace(version=version, tally=tally))
    assert sums(store) == {"ada": WON}
    store.tally_store.count(ATTEMPT._replace(version=11))
    assert sums(store) == {"ada": OPEN}


def test_tallies_are_those_of_a_variant_a_day_and_a_label(store):
    others = {"label": "Æ ☆ 星"}, {"day": 20_001}, {"variant": "binary-star"}
    for number, more in enumerate(({}, *others)):
        store.tally_store.count(ATTEMPT._replace(game_id=f"{number:026}", **more))
    assert sums(store) == {"ada": OPEN, "Æ ☆ 星": OPEN}
    assert sums(store, 20_001) == {"ada": OPEN}
    assert sums(store, 20_002) == {}


def test_the_sums_of_many_games_at_once_are_those_of_their_latest_versions(store):
    choice = random.Random(3)
    entries = [
        ATTEMPT._replace(
            game_id=f"{game:026}",
            label=("ada", "bob")[game % 2],
            version=version,
            tally=Tally(1, version % 2, 1, 0, version // 3 % 2),
        )
        for game in range(12)
        for version in choice.sample(range(1, 30), 5)
    ]
    latest = {entry.game_id: entry for entry in sorted(entries, key=lambda one: one.version)}
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(store.tally_store.count, choice.sample(entries * 2, len(entries) * 2)))
    for label in ("ada", "bob"):
        of_label = [entry.tally for entry in latest.values() if entry.label == label]
        assert sums(store)[label] == Tally(*map(sum, zip(*of_label, strict=True)))


def test_a_day_has_another_revision_for_other_tallies(store):
    days, seen = [19_999, 20_000], []
    assert store.tally_store.revisions("astrocyte", days) == [None, None]
    for step in (ATTEMPT, ATTEMPT._replace(version=6, tally=WON), ATTEMPT._replace(label="bob")):
        store.tally_store.count(step)
        none, revision = store.tally_store.revisions("astrocyte", days)
        assert none is None
        seen.append(revision)
    assert seen[0] != seen[1]
    assert seen[1] == seen[2]  # the game counts already, at a later version


def test_a_day_counts_no_more_labels_than_it_can_hold(store, monkeypatch):
    monkeypatch.setattr(tallies, "MOST_LABELS", 2)
    for number, label in enumerate(("ada", "bob", "cyd", "ada")):
        store.tally_store.count(ATTEMPT._replace(game_id=f"{number:026}", label=label))
    assert sums(store) == {"ada": Tally(2, 0, 0, 0, 0), "bob": OPEN}


def test_owners_and_tallies_expire_and_those_of_a_variant_lie_in_one_slot(store, fake):
    store.label_store.claim("ada", OWNER, None)
    store.tally_store.count(ATTEMPT)
    names = keys(fake)
    assert len(names) == 4
    for key in names:
        assert 89 * DAY < fake.pttl(key) <= 90 * DAY
    tags = {key.partition(b"{")[2].partition(b"}")[0] for key in names if b"tally" in key}
    assert tags == {b"astrocyte"}
