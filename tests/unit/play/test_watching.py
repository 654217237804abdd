"""Watchers get what happens as it happens, by one read for all, and always give their slot back."""

import queue
import threading

import pytest

from service.errors import GameNotFoundError, StoreUnavailableError, TooManyWatchersError
from service.play import watching
from service.play.watcher_slots import WatcherLimits
from service.play.watching import WatchHub
from tests.store.test_promise import ID, after, created, first_move, new_game
from tests.support.servers import until

OTHER = "b" * 26
LONG = 30.0


class CountingStore:
    """A store that counts its reads, and can be made unavailable."""

    def __init__(self, store):
        self._store, self.reads, self.unavailable = store, 0, False

    def story(self, game_id, known=None):
        self.reads += 1
        if self.unavailable:
            raise StoreUnavailableError
        return self._store.story(game_id, known)


class Site:
    """A game, a hub for its watchers, and a change feed that the test writes."""

    def __init__(self, store, limits):
        self.store, self.counting = store, CountingStore(store)
        self._feed = queue.SimpleQueue()
        self.hub = WatchHub(
            self.counting, lambda: iter(self._feed.get, "end"), limits, clock=lambda: 9.0
        )
        self.game = new_game()
        store.save(created(self.game))

    def play(self):
        """Plays a move, and publishes it."""
        change = after(self.game, first_move(self.game))
        self.store.save(change)
        self.game = change.game
        self.publish(ID)

    def publish(self, game_id):
        self._feed.put(game_id)

    def end(self):
        self._feed.put("end")


@pytest.fixture
def site_for(store):
    """Makes a site with these limits, whose feed ends with the test."""
    made = []

    def make(limits):
        made.append(Site(store, limits))
        return made[-1]

    yield make
    for site in made:
        site.end()


@pytest.fixture
def site(site_for):
    return site_for(WatcherLimits())


def versions(messages):
    return [(message.kind, message.version) for message in messages]


def test_a_watcher_gets_a_snapshot_and_then_what_happens(site):
    stream = site.hub.join(ID, "here").messages(None, LONG)
    assert versions(next(stream)) == [("snapshot", 1)]
    site.play()
    assert versions(next(stream)) == [("moved", 2)]
    site.play()
    assert versions(next(stream)) == [("moved", 3)]


def test_late_changes_come_together(site):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.store.save(after(site.game, first_move(site.game)))
    site.game = site.store.load(ID)
    site.play()
    assert versions(next(stream)) == [("moved", 2), ("moved", 3)]


def test_a_new_watcher_sees_changes_that_were_not_published_yet(site):
    first = site.hub.join(ID, "here").messages(None, LONG)
    next(first)
    site.store.save(after(site.game, first_move(site.game)))
    assert versions(next(site.hub.join(ID, "there").messages(None, 0))) == [("snapshot", 2)]
    assert versions(next(first)) == [("moved", 2)]


def test_one_read_serves_a_hundred_watchers(site):
    watchers = [site.hub.join(ID, f"address {n}") for n in range(100)]
    stream = [watcher.messages(1, LONG) for watcher in watchers]
    before = site.counting.reads
    site.play()
    messages = [next(one) for one in stream]
    assert all(versions(found) == [("moved", 2)] for found in messages)
    assert len({id(found[0]) for found in messages}) == 1
    assert site.counting.reads == before + 1


def test_changes_of_games_that_nobody_watches_cost_no_read(site):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.publish(None)  # the first change makes the hub read all games
    before = site.counting.reads
    for _ in range(50):
        site.publish(OTHER)
    site.play()
    assert versions(next(stream)) == [("moved", 2)]
    assert site.counting.reads <= before + 2


def test_missed_changes_are_made_up_for(site):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.store.save(after(site.game, first_move(site.game)))
    site.publish(None)
    assert versions(next(stream)) == [("moved", 2)]


def test_every_so_often_all_watched_games_are_read(site, monkeypatch):
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.0)
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.store.save(after(site.game, first_move(site.game)))
    site.publish(OTHER)
    assert versions(next(stream)) == [("moved", 2)]


def test_silence_is_broken_by_heartbeats(site, monkeypatch):
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.01)
    stream = site.hub.join(ID, "here").messages(1, LONG)
    assert next(stream) == ()
    assert next(stream) == ()
    site.play()
    assert versions(next(found for found in stream if found)) == [("moved", 2)]


def test_messages_end_when_their_time_is_over(site):
    stream = site.hub.join(ID, "here").messages(None, 0.05)
    assert [versions(found) for found in stream] == [[("snapshot", 1)]]


def test_a_deletion_is_the_last_message(site):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.store.delete(ID)
    site.publish(ID)
    assert versions(next(stream)) == [("deleted", 1)]
    assert list(stream) == []
    with pytest.raises(GameNotFoundError):
        site.hub.join(ID, "here")


def test_a_game_created_again_under_its_id_starts_anew(site):
    watcher = site.hub.join(ID, "here")
    site.play()
    assert versions(next(watcher.messages(1, LONG))) == [("moved", 2)]
    site.store.delete(ID)
    site.store.save(created(new_game()))
    assert versions(next(site.hub.join(ID, "there").messages(2, 0))) == [("snapshot", 1)]


def test_an_unreadable_game_ends_its_messages(site, fake):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    fake.execute_command("SET", f"ast:{{{ID}}}:game", b"{\0\0\0\7")
    site.publish(ID)
    assert list(stream) == []


def test_while_the_store_is_unavailable_watchers_stay_and_new_ones_are_refused(site):
    stream = site.hub.join(ID, "here").messages(1, LONG)
    site.counting.unavailable = True
    before = site.counting.reads
    site.play()
    until(lambda: site.counting.reads > before)
    with pytest.raises(StoreUnavailableError):
        site.hub.join(ID, "there")
    site.counting.unavailable = False
    site.publish(None)
    assert versions(next(stream)) == [("moved", 2)]
    assert site.hub.watchers == 1


def is_empty(hub):
    """Whether nothing is left of any watcher."""
    return not (hub.watchers or vars(hub)["_watched"] or vars(vars(hub)["_slots"])["_taken"])


def test_a_watcher_that_leaves_gives_its_slot_back(site):
    watchers = [site.hub.join(ID, f"address {n % 3}") for n in range(9)]
    assert site.hub.watchers == 9
    for watcher in watchers:
        watcher.leave()
        watcher.leave()  # does nothing more
    assert is_empty(site.hub)


def test_a_refused_watcher_takes_no_slot(site):
    with pytest.raises(GameNotFoundError):
        site.hub.join(OTHER, "here")
    assert is_empty(site.hub)


@pytest.mark.parametrize("step", ["_attach", "_ensure_listener", "_read"])
def test_a_watcher_that_is_interrupted_while_it_joins_takes_no_slot(site, monkeypatch, step):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(site.hub, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        site.hub.join(ID, "here")
    assert is_empty(site.hub)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(WatcherLimits(3, 9, 9), 3), (WatcherLimits(9, 3, 9), 3), (WatcherLimits(9, 9, 3), 3)],
)
def test_no_more_watchers_than_the_limit(site_for, limits, limit):
    hub = site_for(limits).hub
    watchers = [hub.join(ID, "here") for _ in range(limit)]
    for _ in range(2):
        with pytest.raises(TooManyWatchersError) as refused:
            hub.join(ID, "here")
        assert refused.value.limit == limit
    watchers.pop().leave()
    hub.join(ID, "here")


def test_the_limit_of_one_address_leaves_others_alone(site_for):
    hub = site_for(WatcherLimits(9, 1, 9)).hub
    hub.join(ID, "here")
    hub.join(ID, "there")


def test_a_graceful_shutdown_sends_the_rest_and_ends_all_watchers(site):
    stream = [site.hub.join(ID, f"address {n}").messages(None, LONG) for n in range(5)]
    for one in stream:
        next(one)
    waiting = [threading.Thread(target=list, args=(one,)) for one in stream]
    for thread in waiting:
        thread.start()
    site.hub.close()
    for thread in waiting:
        thread.join(10)
        assert not thread.is_alive()
    late = site.hub.join(ID, "late").messages(None, LONG)
    assert [versions(found) for found in late] == [[("snapshot", 1)]]
