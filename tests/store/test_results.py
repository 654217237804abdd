"""The interface of a result store: one result a game in a list, repeated or not, in bounds."""

import pytest

from service.records.results import Result
from service.store import redis, results
from tests.store.test_promise import ID, created, keys, new_game

DAY = 24 * 60 * 60 * 1000
RESULT = Result(ID, "Æ ☆ 星", True, 102, 5_000, 3, 1, True, False, 1_000, 2_000)


@pytest.fixture
def few(monkeypatch):
    """Lists that keep three results."""
    monkeypatch.setattr(results, "MOST_RESULTS", 3)


def numbered(number):
    """A result that was told at `number`."""
    return RESULT._replace(game_id=f"{number:026}", published_at=number)


def test_a_result_is_loaded_as_it_was_entered(store):
    store.result_store.enter("deal:astrocyte-1", RESULT)
    assert store.result_store.results("deal:astrocyte-1") == [RESULT]


def test_an_unknown_list_is_empty(store):
    assert store.result_store.results("deal:astrocyte-1") == []


def test_a_result_entered_again_is_one_result(store):
    for _ in range(3):
        store.result_store.enter("variant:astrocyte", RESULT)
    assert store.result_store.results("variant:astrocyte") == [RESULT]


def test_lists_are_independent(store):
    names = ["variant:astrocyte", "label:astrocyte:a", "label:astrocyte:a}b", "label:astrocyte:}"]
    for number, name in enumerate(names):
        store.result_store.enter(name, numbered(number))
    for number, name in enumerate(names):
        assert store.result_store.results(name) == [numbered(number)]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 5, 1, 5, 2, 4, 4, 1]])
def test_a_list_keeps_the_latest_results_in_whatever_order_they_are_entered(store, order):
    for number in order:
        store.result_store.enter("variant:astrocyte", numbered(number))
    assert sorted(store.result_store.results("variant:astrocyte")) == [
        numbered(n) for n in (3, 4, 5)
    ]


@pytest.mark.usefixtures("few")
def test_a_list_that_was_cut_to_size_keeps_nothing_else(store, fake):
    for number in range(9):
        store.result_store.enter("variant:astrocyte", numbered(number))
    assert sorted(fake.type(key) for key in keys(fake)) == [b"hash", b"zset"]
    for key in keys(fake):
        assert (fake.hlen(key) if fake.type(key) == b"hash" else fake.zcard(key)) == 3


def test_results_and_first_attempts_expire(store, fake):
    store.result_store.enter("variant:astrocyte", RESULT)
    store.result_store.claim("astrocyte-1", "ada", ID)
    assert len(keys(fake)) == 3
    for key in keys(fake):
        assert 89 * DAY < fake.pttl(key) <= 90 * DAY


def test_the_keys_of_a_list_lie_in_one_slot_of_a_cluster(store, fake):
    store.result_store.enter("label:astrocyte:a{b}c", RESULT)
    tags = {key.partition(b"{")[2].partition(b"}")[0] for key in keys(fake)}
    assert len(tags) == 1


def test_the_first_game_of_a_label_at_a_deal_stays_the_first(store):
    one, other = ID, "b" * 26
    for _ in range(2):
        assert store.result_store.claim("astrocyte-1", "ada", one)
        assert not store.result_store.claim("astrocyte-1", "ada", other)
    assert store.result_store.claim("astrocyte-2", "ada", other)
    assert store.result_store.claim("astrocyte-1", "bob", other)


def test_the_ids_of_all_games_are_found(store, monkeypatch):
    monkeypatch.setattr(redis, "KEYS_PER_SCAN", 10)
    ids = {f"{number:026}" for number in range(60)}
    for game_id in ids:
        store.save(created(new_game(game_id=game_id)))
    store.result_store.enter("label:astrocyte:{x}:game", RESULT)
    assert set(store.game_ids()) == ids
