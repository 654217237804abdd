"""Watchers are told what happens when it happens, all by one reader, and leave nothing behind."""

import queue
import threading

import pytest

from service.errors import GameNotFoundError, StoreUnavailableError, TooManyWatchersError
from service.play import watching as watch_module
from service.play.watcher_slots import WatcherLimits
from service.play.watching import WatchHub
from tests.servers import until
from tests.store.test_promise import ID, after, created, first_move, new_game

OTHER = "b" * 26
LONG = 30.0


class Counting:
    """A store that counts how often it is asked for a story, and can be away."""

    def __init__(self, store):
        self._store, self.asked, self.away = store, 0, False

    def story(self, game_id, known=None):
        self.asked += 1
        if self.away:
            raise StoreUnavailableError
        return self._store.story(game_id, known)


class Hall:
    """A game that is watched, and news of it that comes when it is said to."""

    def __init__(self, store, room):
        self.store, self.counting = store, Counting(store)
        self._news = queue.SimpleQueue()
        self.watch = WatchHub(
            self.counting, lambda: iter(self._news.get, "end"), room, clock=lambda: 9.0
        )
        self.game = new_game()
        store.save(created(self.game))

    def happens(self):
        """A move is played, and the news of it comes."""
        change = after(self.game, first_move(self.game))
        self.store.save(change)
        self.game = change.game
        self.news(ID)

    def news(self, game_id):
        self._news.put(game_id)

    def end(self):
        self._news.put("end")


@pytest.fixture
def hall_for(store):
    """Makes a hall with so much room, whose news ends with the test."""
    made = []

    def make(room):
        made.append(Hall(store, room))
        return made[-1]

    yield make
    for hall in made:
        hall.end()


@pytest.fixture
def hall(hall_for):
    return hall_for(WatcherLimits())


def versions(messages):
    return [(message.kind, message.version) for message in messages]


def test_a_watcher_is_told_how_the_game_stands_and_then_what_happens(hall):
    told = hall.watch.join(ID, "here").messages(None, LONG)
    assert versions(next(told)) == [("snapshot", 1)]
    hall.happens()
    assert versions(next(told)) == [("moved", 2)]
    hall.happens()
    assert versions(next(told)) == [("moved", 3)]


def test_news_that_comes_late_is_told_together(hall):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.store.save(after(hall.game, first_move(hall.game)))
    hall.game = hall.store.load(ID)
    hall.happens()
    assert versions(next(told)) == [("moved", 2), ("moved", 3)]


def test_who_joins_sees_what_no_news_has_come_of_yet(hall):
    first = hall.watch.join(ID, "here").messages(None, LONG)
    next(first)
    hall.store.save(after(hall.game, first_move(hall.game)))
    assert versions(next(hall.watch.join(ID, "there").messages(None, 0))) == [("snapshot", 2)]
    assert versions(next(first)) == [("moved", 2)]


def test_a_hundred_watchers_are_told_by_one_look(hall):
    watchers = [hall.watch.join(ID, f"address {n}") for n in range(100)]
    told = [watcher.messages(1, LONG) for watcher in watchers]
    before = hall.counting.asked
    hall.happens()
    messages = [next(one) for one in told]
    assert all(versions(found) == [("moved", 2)] for found in messages)
    assert len({id(found[0]) for found in messages}) == 1
    assert hall.counting.asked == before + 1


def test_news_of_a_game_that_nobody_watches_costs_no_look(hall):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.news(None)  # the first news of a process makes it look at all
    before = hall.counting.asked
    for _ in range(50):
        hall.news(OTHER)
    hall.happens()
    assert versions(next(told)) == [("moved", 2)]
    assert hall.counting.asked <= before + 2


def test_news_that_was_missed_is_made_up_for(hall):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.store.save(after(hall.game, first_move(hall.game)))
    hall.news(None)
    assert versions(next(told)) == [("moved", 2)]


def test_every_so_often_all_games_are_looked_at_whatever_the_news_says(hall, monkeypatch):
    monkeypatch.setattr(watch_module, "POLL_SECONDS", 0.0)
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.store.save(after(hall.game, first_move(hall.game)))
    hall.news(OTHER)
    assert versions(next(told)) == [("moved", 2)]


def test_silence_shows_a_sign_of_life(hall, monkeypatch):
    monkeypatch.setattr(watch_module, "HEARTBEAT_SECONDS", 0.01)
    told = hall.watch.join(ID, "here").messages(1, LONG)
    assert next(told) == ()
    assert next(told) == ()
    hall.happens()
    assert versions(next(found for found in told if found)) == [("moved", 2)]


def test_what_a_watcher_is_told_ends_when_its_time_is_over(hall):
    told = hall.watch.join(ID, "here").messages(None, 0.05)
    assert [versions(found) for found in told] == [[("snapshot", 1)]]


def test_a_deletion_is_the_last_thing_that_is_told(hall):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.store.delete(ID)
    hall.news(ID)
    assert versions(next(told)) == [("deleted", 1)]
    assert list(told) == []
    with pytest.raises(GameNotFoundError):
        hall.watch.join(ID, "here")


def test_a_game_that_was_made_again_is_told_from_its_beginning(hall):
    watcher = hall.watch.join(ID, "here")
    hall.happens()
    assert versions(next(watcher.messages(1, LONG))) == [("moved", 2)]
    hall.store.delete(ID)
    hall.store.save(created(new_game()))
    assert versions(next(hall.watch.join(ID, "there").messages(2, 0))) == [("snapshot", 1)]


def test_a_game_that_can_no_longer_be_read_ends_what_is_told_of_it(hall, fake):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    fake.execute_command("SET", f"ast:{{{ID}}}:game", b"{\0\0\0\7")
    hall.news(ID)
    assert list(told) == []


def test_while_the_store_is_away_watchers_stay_and_new_ones_are_sent_away(hall):
    told = hall.watch.join(ID, "here").messages(1, LONG)
    hall.counting.away = True
    before = hall.counting.asked
    hall.happens()
    until(lambda: hall.counting.asked > before)
    with pytest.raises(StoreUnavailableError):
        hall.watch.join(ID, "there")
    hall.counting.away = False
    hall.news(None)
    assert versions(next(told)) == [("moved", 2)]
    assert hall.watch.watchers == 1


def test_who_has_left_leaves_nothing_behind(hall):
    watchers = [hall.watch.join(ID, f"address {n % 3}") for n in range(9)]
    assert hall.watch.watchers == 9
    for watcher in watchers:
        watcher.leave()
    assert hall.watch.watchers == 0
    assert vars(hall.watch)["_watched"] == {}
    assert not vars(vars(hall.watch)["_seats"])["_taken"]


def test_who_cannot_join_takes_no_seat(hall):
    with pytest.raises(GameNotFoundError):
        hall.watch.join(OTHER, "here")
    assert hall.watch.watchers == 0
    assert vars(hall.watch)["_watched"] == {}


@pytest.mark.parametrize(
    ("room", "limit"),
    [(WatcherLimits(3, 9, 9), 3), (WatcherLimits(9, 3, 9), 3), (WatcherLimits(9, 9, 3), 3)],
)
def test_no_more_watch_than_there_is_room_for(hall_for, room, limit):
    watch = hall_for(room).watch
    watchers = [watch.join(ID, "here") for _ in range(limit)]
    for _ in range(2):
        with pytest.raises(TooManyWatchersError) as refused:
            watch.join(ID, "here")
        assert refused.value.limit == limit
    watchers.pop().leave()
    watch.join(ID, "here")


def test_an_address_that_is_full_leaves_room_for_others(hall_for):
    watch = hall_for(WatcherLimits(9, 1, 9)).watch
    watch.join(ID, "here")
    watch.join(ID, "there")


def test_when_the_process_ends_everybody_is_told_the_rest_and_sent_away(hall):
    told = [hall.watch.join(ID, f"address {n}").messages(None, LONG) for n in range(5)]
    for one in told:
        next(one)
    waiting = [threading.Thread(target=list, args=(one,)) for one in told]
    for thread in waiting:
        thread.start()
    hall.watch.close()
    for thread in waiting:
        thread.join(10)
        assert not thread.is_alive()
    late = hall.watch.join(ID, "late").messages(None, LONG)
    assert [versions(found) for found in late] == [[("snapshot", 1)]]
