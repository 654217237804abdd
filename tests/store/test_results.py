"""The interface of a result store: one result a game in a list, repeated or not, in bounds."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.deals.deal import PublicDeal
from service.errors import IdempotencyKeyReusedError
from service.records.results import Result
from service.store import executor, results
from tests.store.test_promise import ID, created, keys, new_game

DAY = 24 * 60 * 60 * 1000
RESULT = Result(ID, 5, "Æ ☆ 星", "won", 102, 5_000, 3, 1, True, False, 1_000, 2_000, 9_000)


@pytest.fixture
def few(monkeypatch):
    """Lists that keep three results."""
    monkeypatch.setattr(results, "MOST_RESULTS", 3)


def numbered(number):
    """A result that was told at `number`."""
    return RESULT._replace(game_id=f"{number:026}", published_at=number)


def test_a_result_is_loaded_as_it_was_entered(store):
    store.result_store.enter(["deal:astrocyte-1"], RESULT)
    assert store.result_store.results("deal:astrocyte-1") == [RESULT]


def test_an_unknown_list_is_empty(store):
    assert store.result_store.results("deal:astrocyte-1") == []


def test_a_result_entered_again_is_one_result(store):
    for _ in range(3):
        store.result_store.enter(["variant:astrocyte"], RESULT)
    assert store.result_store.results("variant:astrocyte") == [RESULT]


def test_lists_are_independent(store):
    names = ["variant:astrocyte", "label:astrocyte:a", "label:astrocyte:a}b", "label:astrocyte:}"]
    for number, name in enumerate(names):
        store.result_store.enter([name], numbered(number))
    for number, name in enumerate(names):
        assert store.result_store.results(name) == [numbered(number)]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 5, 1, 5, 2, 4, 4, 1]])
def test_a_list_keeps_the_latest_results_in_whatever_order_they_are_entered(store, order):
    for number in order:
        store.result_store.enter(["variant:astrocyte"], numbered(number))
    assert sorted(store.result_store.results("variant:astrocyte")) == [
        numbered(n) for n in (3, 4, 5)
    ]


@pytest.mark.usefixtures("few")
def test_a_list_that_was_cut_to_size_keeps_nothing_else(store, fake):
    for number in range(9):
        store.result_store.enter(["variant:astrocyte"], numbered(number))
    sizes = {b"hash": fake.hlen, b"zset": fake.zcard}
    kinds = {key: fake.type(key) for key in keys(fake)}
    assert sorted(kinds.values()) == [b"hash", b"string", b"zset", b"zset"]
    assert {sizes[kind](key) for key, kind in kinds.items() if kind in sizes} == {3}


def test_results_and_first_attempts_expire(store, fake):
    store.result_store.enter(["variant:astrocyte"], RESULT)
    store.result_store.claim("astrocyte-1", "ada", ID)
    assert len(keys(fake)) == 5
    for key in keys(fake):
        assert 89 * DAY < fake.pttl(key) <= 90 * DAY


def test_the_keys_of_a_list_lie_in_one_slot_of_a_cluster(store, fake):
    store.result_store.enter(["label:astrocyte:a{b}c"], RESULT)
    tags = {key.partition(b"{")[2].partition(b"}")[0] for key in keys(fake)}
    assert len(tags) == 1


def ranked(number):
    """A result of a deal, the better the lower its number."""
    return RESULT._replace(game_id=f"{number:026}", moves=number)


def test_a_ranking_is_read_from_any_place_on(store):
    name, numbers = "deal:astrocyte-1", [5, 3, 11, 8, 2]
    for number in numbers:
        store.result_store.enter([name], ranked(number))
    best = [ranked(number) for number in sorted(numbers)]
    ranking = store.result_store.ranking
    assert ranking(name, "", 9) == best
    assert [ranking(name, result.sort_key, 2) for result in best] == [
        best[place : place + 2] for place in range(1, len(best) + 1)
    ]
    assert ranking(name, ranked(4).sort_key, 1) == [ranked(5)]
    assert ranking("deal:astrocyte-2", "", 9) == []


def test_a_game_is_ranked_once_it_has_ended_and_once_only(store):
    name, listed = "deal:astrocyte-1", []
    played_on = {6: {"status": "open"}, 7: {}, 8: {"kept_until": 0}}
    for version, more in played_on.items():
        store.result_store.enter([name], RESULT._replace(version=version, **more))
        listed.append([result.version for result in store.result_store.ranking(name, "", 9)])
    assert listed == [[], [7], [8]]


@pytest.mark.parametrize("order", [(9, 10), (10, 9), (10, 10, 9, 10), (99, 100, 9)])
def test_of_several_entries_of_a_game_that_of_the_highest_version_stays(store, order):
    name = "variant:astrocyte"
    for version in order:
        store.result_store.enter([name], RESULT._replace(version=version, moves=version))
    (kept,) = store.result_store.results(name)
    assert kept.version == kept.moves == max(order)


def test_of_twenty_entries_of_a_game_at_once_that_of_the_highest_version_stays(store):
    name, versions = "deal:astrocyte-1", list(range(1, 21))
    random.Random(3).shuffle(versions)

    def enter(version):
        store.result_store.enter([name], RESULT._replace(version=version, moves=version))

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(enter, versions))
    expected = [RESULT._replace(version=20, moves=20)]
    assert store.result_store.results(name) == expected
    assert store.result_store.ranking(name, "", 99) == expected


def test_a_list_has_another_revision_for_other_results(store):
    name, seen = "variant:astrocyte", []

    def revision(now=5_000):
        return store.result_store.revision(name, now)

    for step in (RESULT, RESULT._replace(version=6), RESULT._replace(game_id="b" * 26)):
        seen.append(revision())
        store.result_store.enter([name], step)
        assert revision() not in seen
    known = revision()
    store.result_store.enter([name], step)
    assert known == revision() == revision(2_000) != revision(1_999)


# First attempts


@pytest.fixture
def impatient(monkeypatch):
    """A creation that has not ended when the next begins has failed."""
    monkeypatch.setattr(results, "CREATION_SECONDS", 0.0)


FIRST, SECOND, THIRD = (letter * 26 for letter in "abc")


def attempt(store, game_id, key=None, deal=1):
    """The creation of a game by ada at a deal of Astrocyte, up to the step that saves it."""
    game = new_game(game_id=game_id, label="ada")
    game = game._replace(deal=PublicDeal(game.variant, deal))
    first = store.result_store.claim(game.deal.id, "ada", game_id)
    return created(game._replace(first_attempt=first), key)


def is_first(store, game_id, **more):
    """Whether a game of ada is a first attempt, which is created now."""
    change = attempt(store, game_id, **more)
    assert store.save(change).fresh
    return change.game.first_attempt


def test_the_first_game_of_a_label_at_a_deal_stays_the_first(store):
    assert is_first(store, FIRST)
    assert not is_first(store, SECOND)
    assert store.result_store.claim("astrocyte-1", "ada", FIRST)
    assert not store.result_store.claim("astrocyte-1", "ada", SECOND)
    assert store.result_store.claim("astrocyte-2", "ada", SECOND)
    assert store.result_store.claim("astrocyte-1", "bob", SECOND)


@pytest.mark.parametrize("key", [None, "creation"])
def test_a_first_attempt_is_not_given_again_when_its_game_has_gone(store, key):
    assert is_first(store, FIRST, key=key)
    store.delete(FIRST)
    assert not is_first(store, SECOND)
    with pytest.raises(IdempotencyKeyReusedError):
        store.save(attempt(store, FIRST, key))


def test_a_creation_that_failed_leaves_the_first_attempt_to_its_repeat(store):
    attempt(store, FIRST, "creation")
    assert is_first(store, FIRST, key="creation")


@pytest.mark.usefixtures("impatient")
def test_a_creation_that_failed_leaves_the_first_attempt_to_the_next(store):
    late = attempt(store, FIRST)
    assert is_first(store, SECOND)
    with pytest.raises(IdempotencyKeyReusedError):
        store.save(late)  # it was only slow: now it comes too late
    assert not is_first(store, THIRD)


def test_a_creation_that_was_refused_for_its_key_leaves_the_first_attempt_to_the_next(store):
    assert is_first(store, FIRST, key="creation")
    assert not store.save(attempt(store, FIRST, "creation", deal=2)).fresh
    assert is_first(store, SECOND, deal=2)
    assert not is_first(store, THIRD, deal=2)


def test_of_twenty_games_of_a_label_at_once_one_is_the_first(store):
    def create(number):
        return is_first(store, f"{number:026}")

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(create, range(20))) == 1


def test_the_ids_of_all_games_are_found(store, monkeypatch):
    monkeypatch.setattr(executor, "KEYS_PER_SCAN", 10)
    ids = {f"{number:026}" for number in range(60)}
    for game_id in ids:
        store.save(created(new_game(game_id=game_id)))
    store.result_store.enter(["label:astrocyte:{x}:game"], RESULT)
    assert set(store.game_ids()) == ids
