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

    def play_unpublished(self):
        """Plays a move of which no watcher hears yet."""
        change = after(self.game, first_move(self.game))
        self.store.save(change)
        self.game = change.game

    def play(self):
        """Plays a move, and publishes it."""
        self.play_unpublished()
        self.publish(ID)

    def publish(self, game_id):
        self._feed.put(game_id)

    def watch(self, after=1, seconds=LONG, address="here"):
        """What a new watcher of the game is told."""
        return self.hub.join(ID, address).messages(after, seconds)

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
    stream = site.watch(after=None)
    assert versions(next(stream)) == [("snapshot", 1)]
    site.play()
    assert versions(next(stream)) == [("moved", 2)]
    site.play_unpublished()
    site.play()
    assert versions(next(stream)) == [("moved", 3), ("moved", 4)]


def test_a_new_watcher_sees_changes_that_were_not_published_yet(site):
    first = site.watch(after=None)
    next(first)
    site.play_unpublished()
    assert versions(next(site.watch(None, 0, "there"))) == [("snapshot", 2)]
    assert versions(next(first)) == [("moved", 2)]


def test_one_read_serves_a_hundred_watchers(site):
    streams = [site.watch(address=f"address {n}") for n in range(100)]
    before = site.counting.reads
    site.play()
    messages = [next(stream) for stream in streams]
    assert all(versions(found) == [("moved", 2)] for found in messages)
    assert len({id(found[0]) for found in messages}) == 1
    assert site.counting.reads == before + 1


def test_changes_of_games_that_nobody_watches_cost_no_read(site):
    stream = site.watch()
    site.publish(None)  # the first change makes the hub read all games
    before = site.counting.reads
    for _ in range(50):
        site.publish(OTHER)
    site.play()
    assert versions(next(stream)) == [("moved", 2)]
    assert site.counting.reads <= before + 2


@pytest.mark.parametrize(("published", "every"), [(None, 60.0), (OTHER, 0.0)])
def test_missed_changes_are_made_up_for_at_once_and_every_so_often(
    site, monkeypatch, published, every
):
    monkeypatch.setattr(watching, "POLL_SECONDS", every)
    stream = site.watch()
    site.play_unpublished()
    site.publish(published)
    assert versions(next(stream)) == [("moved", 2)]


def test_silence_is_broken_by_heartbeats(site, monkeypatch):
    monkeypatch.setattr(watching, "HEARTBEAT_SECONDS", 0.01)
    stream = site.watch()
    assert (next(stream), next(stream)) == ((), ())
    site.play()
    assert versions(next(found for found in stream if found)) == [("moved", 2)]


def test_messages_end_when_their_time_is_over(site):
    assert [versions(found) for found in site.watch(None, 0.05)] == [[("snapshot", 1)]]


def test_a_deletion_is_the_last_message(site):
    stream = site.watch()
    site.store.delete(ID)
    site.publish(ID)
    assert [versions(found) for found in stream] == [[("deleted", 1)]]
    with pytest.raises(GameNotFoundError):
        site.hub.join(ID, "here")


def test_a_deletion_that_is_noticed_twice_is_told_to_who_has_not_heard_of_it(site):
    stream = site.watch()
    site.store.delete(ID)
    for _ in range(2):
        with pytest.raises(GameNotFoundError):
            site.hub.join(ID, "there")
    assert [versions(found) for found in stream] == [[("deleted", 1)]]


def test_a_game_created_again_under_its_id_starts_anew(site):
    stream = site.watch()
    site.play()
    assert versions(next(stream)) == [("moved", 2)]
    site.store.delete(ID)
    site.store.save(created(new_game()))
    assert versions(next(site.watch(2, 0, "there"))) == [("snapshot", 1)]


def test_an_unreadable_game_ends_its_messages(site, fake):
    stream = site.watch()
    fake.execute_command("SET", f"ast:{{{ID}}}:game", b"{\0\0\0\7")
    site.publish(ID)
    assert list(stream) == []


def test_while_the_store_is_unavailable_watchers_stay_and_new_ones_are_refused(site):
    stream = site.watch()
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


@pytest.mark.parametrize("limits", [(3, 9, 9), (9, 3, 9), (9, 9, 3)])
def test_no_more_watchers_than_the_limit(site_for, limits):
    hub = site_for(WatcherLimits(*limits)).hub
    watchers = [hub.join(ID, "here") for _ in range(3)]
    for _ in range(2):
        with pytest.raises(TooManyWatchersError) as refused:
            hub.join(ID, "here")
        assert refused.value.limit == 3
    if limits[1] == 3:
        hub.join(ID, "there")
    watchers.pop().leave()
    hub.join(ID, "here")


def test_a_graceful_shutdown_sends_the_rest_and_ends_all_watchers(site):
    streams = [site.watch(None, address=f"address {n}") for n in range(5)]
    for stream in streams:
        next(stream)
    waiting = [threading.Thread(target=list, args=(stream,)) for stream in streams]
    for thread in waiting:
        thread.start()
    site.hub.close()
    for thread in waiting:
        thread.join(10)
        assert not thread.is_alive()
    late = site.watch(after=None, address="late")
    assert [versions(found) for found in late] == [[("snapshot", 1)]]
