"""The interface of a store: atomic writes, nothing lost, and nothing kept for ever."""

from binascii import crc_hqx
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date

import pytest
from msgspec import msgpack
from redis.exceptions import NoPermissionError

from service.deals.commitment import LIFETIME, Commitment
from service.deals.deal import DailyDeal, PublicDeal, SealedDeal, start_position
from service.errors import (
    CommitmentUnknownError,
    CommitmentUsedError,
    GameNotFoundError,
    GameUnreadableError,
    IdempotencyKeyReusedError,
)
from service.games import VARIANTS
from service.games.base import Reveal
from service.play.keys import fingerprint
from service.records.events import Event
from service.records.game import Counters, Game, Outcome, Receipt
from service.records.record import Record
from service.store import Change
from service.store.codec import encode_commitment, encode_game
from service.store.idempotency import RESPONSES_KEPT
from service.store.pubsub import listen
from service.store.redis import DAYS_REMEMBERED
from tests.conftest import TTL
from tests.support.stored import with_check
from tests.support.walks import wandered

ID = "a" * 26


def new_game(variant="astrocyte", game_id=ID, **more):
    deal = PublicDeal(VARIANTS[variant], 1)
    receipt = Receipt(digest("created"), Outcome())
    return Game(game_id, deal, start_position(deal), 1_000, 1_000, receipt, **more)


def created(game, key=None):
    event = Event(1, "created", game.created_at)
    return Change(game, event, {}, answer_key=key and digest(key))


def digest(key):
    return fingerprint(key.encode())


def after(game, moves=(), request="moved", key=None, responses=None, **changes):
    """`game`, which keeps `responses`, one accepted request on: the change that plays `moves`."""
    position = game.position
    for move in moves:
        position = position.after(move)
    ply = game.ply + len(moves)
    further = game.next(
        game.updated_at + 5,
        Receipt(digest(request), Outcome(len(moves))),
        **{"position": position, "ply": ply, "length": ply, **changes},
    )
    return Change(
        further,
        Event(further.version, "moved", further.updated_at, tuple(moves)),
        responses or {},
        tuple(moves),
        key and digest(key),
    )


def requested(store, key=None):
    """One more request, after the game and its answers have been read; the game as it left it."""
    game, _, responses, *_ = store.load_with_answers(ID, None)
    change = after(game, request=key or f"request {game.version}", key=key, responses=responses)
    assert store.save(change).fresh
    return change.game


def answered(store, key):
    """The game as the request with `key` had left it, as far as the store knows."""
    return store.load_with_answers(ID, digest(key)).answered


def with_line(store):
    """The game and its line."""
    whole = store.load_whole(ID, None)
    return whole.game, whole.line


def readers(store):
    """All methods that load a game."""
    return (
        *(store.load, store.story),
        lambda game_id: store.load_page(game_id, 0, 1),
        lambda game_id: store.load_with_answers(game_id, None),
        lambda game_id: store.load_whole(game_id, None),
    )


def keys(fake):
    return list(fake.scan_iter())


def kept(fake):
    """Everything that lies in the store."""
    return {key: fake.dump(key) for key in keys(fake)}


def first_move(game):
    return game.position.legal_moves()[:1]


def played(store, game, **more):
    """A first move of `game`, which is saved: the change."""
    change = after(game, first_move(game), **more)
    assert store.save(change).fresh
    return change


@pytest.fixture
def game(store):
    """A game in the store."""
    store.save(created(new_game()))
    return new_game()


SEED = bytes(range(32))
GAMES = {
    "any": new_game("binary-star", label="Æ ☆ 星", counters=Counters(3, 2, 1, 9), resigned=True),
    "a sealed deal": new_game()._replace(deal=SealedDeal(VARIANTS["astrocyte"], SEED, b"player")),
    "a daily deal": new_game()._replace(
        deal=DailyDeal(VARIANTS["astrocyte"], SEED, day=date(2026, 11, 30))
    ),
    "an outcome": new_game()._replace(
        receipt=Receipt(digest("m"), Outcome(3, (Reveal("t1", "9H"), Reveal("t2", "AS")), "reveal"))
    ),
}


WHOLE = encode_game(new_game())


@pytest.mark.parametrize("saved", GAMES.values(), ids=GAMES)
def test_a_game_is_loaded_as_it_was_saved(store, saved):
    game = saved._replace(position=start_position(saved.deal))
    assert store.save(created(game)).fresh
    assert store.load(ID) == game


def test_no_game_is_found_under_an_unknown_id_and_a_write_makes_none(store, fake):
    for read in readers(store):
        with pytest.raises(GameNotFoundError):
            read(ID)
    with pytest.raises(GameNotFoundError):
        store.save(after(new_game(), first_move(new_game())))
    assert keys(fake) == []


def test_a_write_is_applied_at_its_version_once_however_often_it_comes(store, game):
    change = played(store, game)
    assert store.save(change).fresh
    assert with_line(store) == (change.game, tuple(change.played))
    assert [event.version for event in store.story(ID).events] == [1, 2]


def test_a_write_for_another_version_changes_nothing_and_shows_the_game_as_it_is(store, fake, game):
    change = played(store, game)
    before = kept(fake)
    late = store.save(after(game, game.position.legal_moves()[1:2], request="late"))
    assert (late.fresh, late.game) == (False, change.game)
    assert kept(fake) == before


def test_a_game_is_created_once(store, game):
    second = store.save(created(game._replace(label="another")))
    assert (second.fresh, second.game) == (False, game)


def test_new_moves_replace_those_that_were_taken_back(store):
    game = new_game("binary-star")
    store.save(created(game))
    walk = wandered(game.position, [0] * 4)
    further = after(game, walk.moves)
    store.save(further)
    back = Record(game.deal, walk.moves, 4).undone(3)
    undone = after(further.game, position=back.position(), ply=1, length=4)
    store.save(undone)
    assert with_line(store)[1] == walk.moves
    other = back.position().legal_moves()[-1]
    store.save(after(undone.game, [other]))
    kept, line = with_line(store)
    assert line == (walk.moves[0], other)
    assert Record(game.deal, line, kept.ply).position() == kept.position


def test_every_key_of_a_game_expires_and_a_write_extends_that(store, fake):
    """All of them lie in one slot of a cluster."""
    store.save(created(new_game(), key="k"))
    played(store, new_game(), responses=store.load_with_answers(ID, None).responses)
    lasting = dict.fromkeys(("game", "line", "log", "answers"), TTL * 1000)
    lasting["used"] = DAYS_REMEMBERED * 24 * 60 * 60 * 1000
    for key in keys(fake):
        fake.pexpire(key, 60_000)
    requested(store, "other")
    left = {key.decode(): fake.pttl(key) for key in keys(fake)}
    assert left.keys() == {f"ast:{{{ID}}}:{part}" for part in lasting}
    for part, milliseconds in lasting.items():
        assert milliseconds - 5000 < left[f"ast:{{{ID}}}:{part}"] <= milliseconds


def test_a_game_is_loaded_whole_with_its_answers_and_its_line(store):
    game = new_game()
    store.save(created(game, key="creation"))
    responses = store.load_with_answers(ID, None).responses
    change = after(game, first_move(game), key="k1", responses=responses)
    store.save(change)
    whole = store.load_whole(ID, digest("creation"))
    assert (whole.game, whole.answered, whole.line) == (change.game, game, change.played)
    assert whole.responses == store.load_with_answers(ID, None).responses


def test_a_key_that_comes_again_late_gets_the_answer_and_changes_nothing(store, fake, game):
    then = requested(store, "k1")
    now = requested(store)
    before = kept(fake)
    assert (answered(store, "k1"), answered(store, "k2")) == (then, None)
    assert store.load_with_answers(ID, None).answered is None
    again = store.save(after(game, first_move(game), request="other", key="k1"))
    assert (again.fresh, again.answered, again.game) == (False, True, then)
    late = store.save(after(game, first_move(game), request="other", key="k2"))
    assert (late.fresh, late.answered, late.game) == (False, False, now)
    assert kept(fake) == before


def test_a_write_that_has_been_overtaken_since_it_was_applied_counts_as_done(store, game):
    change = played(store, game, key="k1")
    now = requested(store, "k2")
    again = store.save(change)
    assert (again.fresh, again.game) == (True, change.game)
    assert store.load(ID) == now


def test_of_two_writes_under_one_key_at_once_one_is_applied(store, game):
    one, other = (after(game, request=request, key="k1") for request in ("one", "other"))
    assert store.save(one).fresh
    second = store.save(other)
    assert (second.fresh, second.answered, second.game) == (False, True, one.game)


@pytest.mark.parametrize("creation", ["creation", None], ids=["a key", "no key"])
def test_the_answer_to_the_creation_stays_and_of_the_others_the_last(store, creation):
    store.save(created(new_game(), key=creation))
    left = {f"k{n}": requested(store, f"k{n}") for n in range(RESPONSES_KEPT + 3)}
    requested(store)
    remembered = dict(list(left.items())[3:])
    assert {key: answered(store, key) for key in left if answered(store, key)} == remembered
    assert answered(store, "creation") == (creation and new_game())


def test_damaged_answers_are_reported_and_left_unchanged(store, fake):
    store.save(created(new_game(), key="creation"))
    change = after(new_game(), key="k1", responses=store.load_with_answers(ID, None).responses)
    store.save(change)
    key = f"ast:{{{ID}}}:answers"
    whole = fake.get(key)
    for damage in (b"", whole[:-1], whole + b"x", bytes([whole[0] ^ 1]) + whole[1:]):
        fake.set(key, damage)
        with pytest.raises(GameUnreadableError):
            store.load_with_answers(ID, None)
        with pytest.raises(GameUnreadableError):
            store.save(created(new_game(), key="k2"))
        assert fake.get(key) == damage
        assert store.load(ID) == change.game
    fake.delete(key)
    with pytest.raises(GameUnreadableError):
        store.load_with_answers(ID, None)


def test_a_deleted_game_leaves_nothing(store, fake):
    store.save(created(new_game()))
    played(store, new_game())
    for _ in range(2):  # once and again is the same
        assert store.delete(ID)
        assert keys(fake) == []


# Ids that have been used


@pytest.fixture(params=["deleted", "expired"])
def bury(request, store, fake):
    """Lets the game go, in one way or the other."""

    def go():
        if request.param == "deleted":
            return store.delete(ID)
        return fake.delete(*(f"ast:{{{ID}}}:{part}" for part in ("game", "line", "log", "answers")))

    return go


def test_the_id_of_a_game_that_is_gone_does_not_come_back_by_its_key(store, fake, bury):
    store.save(created(new_game(), key="creation"))
    bury()
    (left,) = keys(fake)
    assert 89 < fake.ttl(left) / (24 * 60 * 60) <= DAYS_REMEMBERED
    for key in ("creation", "another", None):
        with pytest.raises(IdempotencyKeyReusedError, match="deleted or has expired"):
            store.save(created(new_game(), key=key))
    for read in readers(store):
        with pytest.raises(GameNotFoundError):
            read(ID)
    assert keys(fake) == [left]


@pytest.mark.parametrize("part", ["line", "log", "answers", "used"])
def test_no_game_is_made_of_what_another_has_left(store, fake, part):
    game = new_game()
    store.save(created(game, key="creation"))
    answers = store.load_with_answers(ID, None).responses
    played(store, game, responses=answers)
    fake.delete(*(key for key in keys(fake) if not key.endswith(part.encode())))
    with pytest.raises(IdempotencyKeyReusedError):
        store.save(created(game))
    assert len(keys(fake)) == 1


def test_a_game_is_deleted_at_the_version_given_and_at_no_other(store, game):
    assert not store.delete(ID, version=2)
    assert store.load(ID) == game
    for _ in range(2):
        assert store.delete(ID, version=1)


def test_a_story_is_the_game_and_its_events_in_order(store, game):
    told = [Event(1, "created", 1_000)]
    for _ in range(3):
        change = played(store, game)
        game = change.game
        told.append(change.event)
    story = store.story(ID)
    assert (story.game, list(story.events)) == (game, told)
    assert store.story(ID, story) is story, "what is up to date is not read again"
    played(store, game)
    assert [event.version for event in store.story(ID, story).events] == [1, 2, 3, 4, 5]


def test_a_story_has_the_last_64_events(store, game):
    for _ in range(80):
        change = after(game)
        store.save(change)
        game = change.game
    assert [event.version for event in store.story(ID).events] == list(range(81 - 63, 82))


def test_there_is_no_story_of_a_game_that_has_gone(store, game):
    known = store.story(ID)
    store.delete(ID)
    with pytest.raises(GameNotFoundError):
        store.story(ID, known)


def test_an_unreadable_event_is_reported_and_left_unchanged(store, fake, game):
    key = f"ast:{{{ID}}}:log"
    played(store, game)
    wrong = (b"", b"{}", b"\x01\x05\x00\x01\x00")
    for damage in (*wrong, *(data + crc_hqx(data, 0).to_bytes(2, "big") for data in wrong)):
        fake.lset(key, -1, damage)
        with pytest.raises(GameUnreadableError):
            store.story(ID)
        assert fake.lrange(key, -1, -1) == [damage]


def test_the_change_feed_names_the_games_that_have_changed_or_gone(store, fake):
    feed = listen(fake.pubsub)
    assert next(feed) is None  # what happened before may have been missed
    store.save(created(new_game()))
    played(store, new_game())
    store.save(after(new_game(), first_move(new_game()), request="late"))  # which changes nothing
    store.delete(ID, version=7)
    store.save(created(new_game(game_id="b" * 26)))
    store.delete(ID)
    assert [next(feed) for _ in range(4)] == [ID, ID, "b" * 26, ID]


def test_why_the_change_feed_is_lost_is_logged_once(fake, caplog, monkeypatch):
    monkeypatch.setattr("service.store.pubsub.time.sleep", lambda _: None)
    refusals = iter([NoPermissionError("no right to that channel at 10.1.2.3")] * 3)

    @contextmanager
    def subscribe():
        for refusal in refusals:
            raise refusal
        with fake.pubsub() as subscription:
            yield subscription

    assert next(listen(subscribe)) is None
    (line,) = caplog.messages
    assert "does not let the service use its channels" in line
    assert "10.1.2.3" not in line


def together(store, changes):
    """What comes of these writes if all are sent at once; the game of the one that is applied."""
    with ThreadPoolExecutor(len(changes)) as pool:
        found = list(pool.map(store.save, changes))
    (applied,) = (c for c, saved in zip(changes, found, strict=True) if saved.fresh)
    return found, applied


def test_twenty_writes_for_one_version_are_applied_once(store, game):
    moves = game.position.legal_moves()[:10] * 2
    changes = [after(game, [move], request=f"r{n}") for n, move in enumerate(moves)]
    _, applied = together(store, changes)
    assert with_line(store) == (applied.game, tuple(applied.played))


@pytest.mark.parametrize(
    "damage",
    [b"", b'{"schema":1}', WHOLE[:-1], bytes([WHOLE[0] ^ 2]) + WHOLE[1:], bytes(5)],
)
def test_a_broken_game_is_reported_and_left_unchanged(store, fake, game, damage):
    key = f"ast:{{{ID}}}:game"
    fake.set(key, damage)
    for read in readers(store):
        with pytest.raises(GameUnreadableError):
            read(ID)
    for change in (created(game), after(game._replace(version=7))):
        with pytest.raises(GameUnreadableError):
            store.save(change)
    assert not store.delete(ID, version=7)
    assert fake.get(key) == damage


def test_a_key_of_another_type_is_reported_and_left_unchanged(store, fake):
    key = f"ast:{{{ID}}}:game"
    fake.rpush(key, "mine")
    for read in readers(store):
        with pytest.raises(GameUnreadableError):
            read(ID)
    with pytest.raises(GameUnreadableError):
        store.save(created(new_game()))
    assert fake.lrange(key, 0, -1) == [b"mine"]


def test_a_line_that_lost_moves_is_reported(store, fake, game):
    played(store, game)
    fake.set(f"ast:{{{ID}}}:line", b"\0")
    with pytest.raises(GameUnreadableError):
        store.load_whole(ID, None)


# Commitments


def commitment(seed=1, expires_at=3_601_000):
    return Commitment(ID, bytes([seed]) * 32, expires_at)


def spending(game=None):
    return created(game or new_game())._replace(spends_commitment=True)


def test_a_commitment_is_loaded_as_it_was_stored_and_never_replaced(store):
    with pytest.raises(CommitmentUnknownError):
        store.commitment(ID)
    assert store.commit(commitment()) == commitment()
    assert store.commit(commitment(seed=2, expires_at=9_999_999)) == commitment()
    store.save(spending())
    assert store.commit(commitment(seed=2)) == commitment()
    assert store.commitment(ID) == commitment()


def test_a_commitment_expires_in_the_slot_of_its_game_and_nothing_extends_that(store, fake):
    store.commit(commitment())
    (key,) = keys(fake)
    assert LIFETIME * 1000 - 5000 < fake.pttl(key) <= LIFETIME * 1000
    fake.pexpire(key, 30_000)
    store.commit(commitment(seed=2))
    store.save(spending())
    assert 25_000 < fake.pttl(key) <= 30_000
    assert {key.decode().partition("}")[0] for key in keys(fake)} == {f"ast:{{{ID}"}


def test_a_commitment_is_spent_once(store, fake):
    store.commit(commitment())
    for _ in range(2):
        assert store.save(spending()).fresh, "the same creation again counts as done"
    other = store.save(spending(new_game(label="another")))
    assert (other.fresh, other.game) == (False, new_game())
    store.delete(ID)
    with pytest.raises(CommitmentUsedError):
        store.save(spending())
    assert [key for key in keys(fake) if not key.endswith(b"commitment")] == []


def test_a_game_is_made_of_no_commitment_that_is_gone(store, fake):
    with pytest.raises(CommitmentUnknownError):
        store.save(spending())
    assert keys(fake) == []


@pytest.mark.parametrize("spent", [True, False], ids=["spent", "unspent"])
def test_a_commitment_that_has_expired_does_not_come_back_by_its_key(store, fake, spent):
    store.commit(commitment(), digest("k"))
    if spent:
        store.save(spending())
    fake.delete(f"ast:{{{ID}}}:commitment")
    with pytest.raises(IdempotencyKeyReusedError, match="deleted or has expired"):
        store.commit(commitment(seed=2), digest("k"))
    with pytest.raises(CommitmentUnknownError):
        store.commitment(ID)


def test_no_commitment_is_made_where_a_game_lies(store, fake):
    store.commit(commitment())
    store.save(spending())
    fake.delete(f"ast:{{{ID}}}:commitment")
    with pytest.raises(IdempotencyKeyReusedError):
        store.commit(commitment())


def test_a_game_is_made_of_a_commitment_whose_id_is_remembered(store):
    store.commit(commitment(), digest("k"))
    assert store.save(spending(new_game())).fresh


def test_of_twenty_games_made_of_one_commitment_at_once_one_is_kept(store):
    store.commit(commitment())
    found, applied = together(store, [spending(new_game(label=f"{n}")) for n in range(20)])
    assert {saved.game for saved in found} == {applied.game} == {store.load(ID)}


NO_COMMITMENTS = (
    *(b"", b"\xc1", b"\xc0", msgpack.encode([]), msgpack.encode([bytes(32)])),
    *(msgpack.encode(members) for members in ([bytes(31), 1], ["0" * 32, 1], [bytes(32), -1])),
)


@pytest.mark.parametrize(
    "damage",
    [
        *NO_COMMITMENTS,
        *(with_check(b"\1" + data) for data in NO_COMMITMENTS),
        with_check(b"\2" + encode_commitment(commitment())[1:-4]),
        with_check(encode_commitment(commitment())[1:-4]),
    ],
)
def test_a_broken_commitment_is_reported(store, fake, damage):
    store.commit(commitment())
    fake.hset(f"ast:{{{ID}}}:commitment", "state", damage)
    with pytest.raises(GameUnreadableError):
        store.commitment(ID)
    with pytest.raises(GameUnreadableError):
        store.commit(commitment())


def test_scripts_are_reloaded_into_a_server_that_lost_them(store, fake, game):
    store.ping()
    fake.script_flush()
    played(store, store.load(ID))
