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
    game, _, responses, _ = store.load_with_answers(ID, None)
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


def first_move(game):
    return game.position.legal_moves()[:1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_loaded_as_it_was_saved(store, variant):
    game = new_game(variant, label="Æ ☆ 星", counters=Counters(3, 2, 1, 9), resigned=True)
    assert store.save(created(game)).fresh
    assert store.load(ID) == game


def test_a_sealed_deal_is_loaded_as_it_was_saved(store):
    deal = SealedDeal(VARIANTS["astrocyte"], bytes(range(32)), b"player")
    game = new_game()._replace(deal=deal, position=start_position(deal))
    store.save(created(game))
    assert store.load(ID).deal == deal


def test_a_daily_deal_is_loaded_as_it_was_saved(store):
    deal = DailyDeal(VARIANTS["astrocyte"], bytes(range(32)), day=date(2026, 11, 30))
    game = new_game()._replace(deal=deal, position=start_position(deal))
    store.save(created(game))
    assert store.load(ID).deal == deal


def test_an_outcome_is_loaded_as_it_was_saved(store):
    outcome = Outcome(3, (Reveal("t1", "9H"), Reveal("t2", "AS")), "reveal")
    game = new_game()._replace(receipt=Receipt(digest("mark"), outcome))
    store.save(created(game))
    assert store.load(ID).receipt == Receipt(digest("mark"), outcome)


def test_no_game_is_found_under_an_unknown_id(store):
    for read in readers(store):
        with pytest.raises(GameNotFoundError):
            read(ID)


def test_a_write_to_a_game_that_is_gone_makes_no_game(store, fake):
    with pytest.raises(GameNotFoundError):
        store.save(after(new_game(), first_move(new_game())))
    assert keys(fake) == []


def test_a_write_is_applied_at_the_version_it_was_made_for(store):
    game = new_game()
    store.save(created(game))
    change = after(game, first_move(game))
    assert store.save(change).fresh
    assert with_line(store) == (change.game, tuple(change.played))


def test_a_write_for_another_version_changes_nothing_and_shows_the_game_as_it_is(store, fake):
    game = new_game()
    store.save(created(game))
    change = after(game, first_move(game))
    store.save(change)
    before = {key: fake.dump(key) for key in keys(fake)}
    late = store.save(after(game, game.position.legal_moves()[1:2], request="late"))
    assert not late.fresh
    assert late.game == change.game
    assert {key: fake.dump(key) for key in keys(fake)} == before


def test_the_same_write_again_counts_as_done_and_is_not_done_twice(store):
    game = new_game()
    store.save(created(game))
    change = after(game, first_move(game))
    assert store.save(change).fresh
    assert store.save(change).fresh
    assert with_line(store) == (change.game, tuple(change.played))
    assert [event.version for event in store.story(ID).events] == [1, 2]


def test_a_game_is_created_once(store):
    game = new_game()
    store.save(created(game))
    second = store.save(created(game._replace(label="another")))
    assert not second.fresh
    assert second.game == game


def test_new_moves_replace_those_that_were_taken_back(store):
    game = new_game("binary-star")
    store.save(created(game))
    moves = []
    position = game.position
    for _ in range(4):
        moves.append(position.legal_moves()[0])
        position = position.after(moves[-1])
    played = after(game, moves).game
    store.save(after(game, moves))
    back = Record(game.deal, tuple(moves), 4).undone(3)
    undone = after(played, position=back.position(), ply=1, length=4)
    store.save(undone)
    assert with_line(store)[1] == tuple(moves)
    other = back.position().legal_moves()[-1]
    branched = after(undone.game, [other])
    store.save(branched)
    kept, line = with_line(store)
    assert line == (moves[0], other)
    assert Record(game.deal, line, kept.ply).position() == kept.position


def test_every_key_of_a_game_expires_and_a_write_extends_that(store, fake):
    game = new_game()
    store.save(created(game, key="k"))
    store.save(after(game, first_move(game), responses=store.load_with_answers(ID, None).responses))
    lasting = dict.fromkeys(("game", "line", "log", "answers"), TTL * 1000)
    lasting["used"] = DAYS_REMEMBERED * 24 * 60 * 60 * 1000
    for key in keys(fake):
        fake.pexpire(key, 1000)
    requested(store, "other")
    left = {key.decode().rpartition(":")[2]: fake.pttl(key) for key in keys(fake)}
    assert left.keys() == lasting.keys()
    for part, milliseconds in lasting.items():
        assert milliseconds - 5000 < left[part] <= milliseconds


def test_all_keys_of_a_game_lie_in_one_slot_of_a_cluster(store, fake):
    game = new_game()
    store.save(created(game))
    store.save(after(game, first_move(game)))
    assert {key.decode().partition("}")[0] for key in keys(fake)} == {f"ast:{{{ID}"}


def test_a_game_is_loaded_whole_with_its_answers_and_its_line(store):
    game = new_game()
    store.save(created(game, key="creation"))
    responses = store.load_with_answers(ID, None).responses
    change = after(game, first_move(game), key="k1", responses=responses)
    store.save(change)
    whole = store.load_whole(ID, digest("creation"))
    assert (whole.game, whole.answered, whole.line) == (change.game, game, change.played)
    assert whole.responses == store.load_with_answers(ID, None).responses


def test_an_answer_is_kept_under_its_key(store):
    store.save(created(new_game()))
    then = requested(store, "k1")
    now = requested(store)
    assert store.load(ID) == now
    assert answered(store, "k1") == then
    assert answered(store, "k2") is None
    assert store.load_with_answers(ID, None).answered is None


def test_a_key_that_comes_again_late_gets_the_answer_and_changes_nothing(store, fake):
    game = new_game()
    store.save(created(game))
    then = requested(store, "k1")
    now = requested(store)
    before = {key: fake.dump(key) for key in keys(fake)}
    again = store.save(after(game, first_move(game), request="other", key="k1"))
    assert (again.fresh, again.answered, again.game) == (False, True, then)
    late = store.save(after(game, first_move(game), request="other", key="k2"))
    assert (late.fresh, late.answered, late.game) == (False, False, now)
    assert {key: fake.dump(key) for key in keys(fake)} == before


def test_a_write_that_has_been_overtaken_since_it_was_applied_counts_as_done(store):
    game = new_game()
    store.save(created(game))
    change = after(game, first_move(game), key="k1")
    assert store.save(change).fresh
    now = requested(store, "k2")
    again = store.save(change)
    assert (again.fresh, again.game) == (True, change.game)
    assert store.load(ID) == now


def test_of_two_writes_under_one_key_at_once_one_is_applied(store):
    game = new_game()
    store.save(created(game))
    one, other = (after(game, request=request, key="k1") for request in ("one", "other"))
    assert store.save(one).fresh
    second = store.save(other)
    assert (second.fresh, second.answered, second.game) == (False, True, one.game)


@pytest.mark.parametrize("between", [None, "another"], ids=["no key", "a key"])
@pytest.mark.parametrize("count", range(1, RESPONSES_KEPT))
def test_an_answer_stays_while_further_requests_come(store, between, count):
    store.save(created(new_game(), key="creation"))
    then = requested(store, "k1")
    for number in range(count):
        requested(store, between and f"{between} {number}")
    assert answered(store, "k1") == then
    assert answered(store, "creation") == new_game()


def test_the_answer_to_the_creation_stays_and_of_the_others_the_last(store):
    store.save(created(new_game(), key="creation"))
    left = {f"k{n}": requested(store, f"k{n}") for n in range(RESPONSES_KEPT + 3)}
    requested(store)
    assert [answered(store, key) for key in left] == [
        *([None] * 3),
        *(left[f"k{n}"] for n in range(3, RESPONSES_KEPT + 3)),
    ]
    assert answered(store, "creation") == new_game()


def test_answers_are_kept_of_a_game_that_was_created_without_a_key(store):
    store.save(created(new_game()))
    left = {f"k{n}": requested(store, f"k{n}") for n in range(RESPONSES_KEPT + 1)}
    assert [key for key in left if answered(store, key)] == list(left)[1:]


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
    game = new_game()
    store.save(created(game))
    store.save(after(game, first_move(game)))
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
    store.save(after(game, first_move(game), responses=answers))
    fake.delete(*(key for key in keys(fake) if not key.endswith(part.encode())))
    with pytest.raises(IdempotencyKeyReusedError):
        store.save(created(game))
    assert len(keys(fake)) == 1


def test_a_game_is_deleted_at_the_version_given_and_at_no_other(store):
    store.save(created(new_game()))
    assert not store.delete(ID, version=2)
    assert store.load(ID) == new_game()
    for _ in range(2):
        assert store.delete(ID, version=1)


def test_a_story_is_the_game_and_its_events_in_order(store):
    game, told = new_game(), [Event(1, "created", 1_000)]
    store.save(created(game))
    for _ in range(3):
        change = after(game, first_move(game))
        store.save(change)
        game = change.game
        told.append(change.event)
    story = store.story(ID)
    assert (story.game, list(story.events)) == (game, told)


def test_a_story_that_is_up_to_date_is_not_read_again(store):
    game = new_game()
    store.save(created(game))
    known = store.story(ID)
    assert store.story(ID, known) is known
    store.save(after(game, first_move(game)))
    assert [event.version for event in store.story(ID, known).events] == [1, 2]


def test_a_story_has_the_last_64_events(store):
    game = new_game("binary-star")
    store.save(created(game))
    for _ in range(80):
        change = after(game)
        store.save(change)
        game = change.game
    versions = [event.version for event in store.story(ID).events]
    assert versions == list(range(81 - 63, 82))


def test_there_is_no_story_of_a_game_that_does_not_exist(store):
    with pytest.raises(GameNotFoundError):
        store.story(ID)
    store.save(created(new_game()))
    known = store.story(ID)
    store.delete(ID)
    with pytest.raises(GameNotFoundError):
        store.story(ID, known)


def test_an_unreadable_event_is_reported_and_left_unchanged(store, fake):
    game, key = new_game(), f"ast:{{{ID}}}:log"
    store.save(created(game))
    store.save(after(game, first_move(game)))
    wrong = (b"", b"{}", b"\x01", b"\x01\x05\x00\x01\x00", b"\x01\x05\x00\x00\x01")
    for damage in (*wrong, *(data + crc_hqx(data, 0).to_bytes(2, "big") for data in wrong)):
        fake.lset(key, -1, damage)
        with pytest.raises(GameUnreadableError):
            store.story(ID)
        assert fake.lrange(key, -1, -1) == [damage]


def test_the_change_feed_names_the_games_that_have_changed_or_gone(store, fake):
    feed = listen(fake.pubsub)
    assert next(feed) is None  # what happened before may have been missed
    game = new_game()
    store.save(created(game))
    store.save(after(game, first_move(game)))
    store.save(created(new_game()._replace(id="b" * 26)))
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


def test_a_write_that_changes_nothing_is_not_published(store, fake):
    game = new_game()
    store.save(created(game))
    store.save(after(game, first_move(game)))
    feed = listen(fake.pubsub)
    next(feed)
    store.save(after(game, first_move(game), request="late"))
    store.delete(ID, version=7)
    store.save(created(new_game()._replace(id="b" * 26)))
    assert next(feed) == "b" * 26


def test_twenty_writes_for_one_version_are_applied_once(store):
    game = new_game()
    store.save(created(game))
    changes = [after(game, [move]) for move in game.position.legal_moves()[:10]]
    changes = [
        change._replace(game=change.game._replace(receipt=Receipt(digest(f"r{n}"), Outcome(1))))
        for n, change in enumerate(changes * 2)
    ]
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(store.save, changes))
    assert sum(saved.fresh for saved in found) == 1
    winner = next(change for change, saved in zip(changes, found, strict=True) if saved.fresh)
    assert with_line(store) == (winner.game, tuple(winner.played))


WHOLE = encode_game(new_game())


@pytest.mark.parametrize(
    "damage",
    [
        *(
            b"",
            b"{",
            b"[]",
            b"null",
            b"\xff\xfe",
            b'{"schema":1}',
            WHOLE[:1],
            WHOLE[:5],
            WHOLE[:-1],
        ),
        *(WHOLE + b"\0", b"\0" + WHOLE, bytes([WHOLE[0] ^ 2]) + WHOLE[1:]),
        *(with_check(b"\1" + data) for data in (b"", b"\0", b"\0\0\0\1", b"\0\0\0\1\x90")),
        *(with_check(bytes([schema]) + WHOLE[1:-4]) for schema in (0, 2, 255)),
        *(WHOLE[:1] + bytes(4) + WHOLE[5:], bytes(5)),
    ],
)
def test_a_broken_game_is_reported_and_left_unchanged(store, fake, damage):
    store.save(created(new_game()))
    key = f"ast:{{{ID}}}:game"
    fake.set(key, damage)
    for read in readers(store):
        with pytest.raises(GameUnreadableError):
            read(ID)
    for change in (created(new_game()), after(new_game()._replace(version=7))):
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


def test_a_line_that_lost_moves_is_reported(store, fake):
    game = new_game()
    store.save(created(game))
    store.save(after(game, first_move(game)))
    fake.set(f"ast:{{{ID}}}:line", b"\0")
    with pytest.raises(GameUnreadableError):
        store.load_whole(ID, None)


# Commitments


def commitment(seed=1, expires_at=3_601_000):
    return Commitment(ID, bytes([seed]) * 32, expires_at)


def spending(game=None):
    return created(game or new_game())._replace(spends_commitment=True)


def test_a_commitment_is_loaded_as_it_was_stored(store):
    assert store.commit(commitment()) == commitment()
    assert store.commitment(ID) == commitment()


def test_no_commitment_is_found_under_an_unknown_id(store):
    with pytest.raises(CommitmentUnknownError):
        store.commitment(ID)


def test_a_commitment_is_never_replaced(store):
    store.commit(commitment())
    assert store.commit(commitment(seed=2, expires_at=9_999_999)) == commitment()
    store.save(spending())
    assert store.commit(commitment(seed=2)) == commitment()
    assert store.commitment(ID) == commitment()


def test_a_commitment_expires_and_nothing_extends_that(store, fake):
    store.commit(commitment())
    (key,) = keys(fake)
    assert LIFETIME * 1000 - 5000 < fake.pttl(key) <= LIFETIME * 1000
    fake.pexpire(key, 30_000)
    store.commit(commitment(seed=2))
    store.save(spending())
    assert 25_000 < fake.pttl(key) <= 30_000


def test_a_commitment_lies_in_the_slot_of_its_game(store, fake):
    store.commit(commitment())
    store.save(spending())
    assert {key.decode().partition("}")[0] for key in keys(fake)} == {f"ast:{{{ID}"}


def test_a_commitment_is_spent_once(store, fake):
    store.commit(commitment())
    assert store.save(spending()).fresh
    other = store.save(spending(new_game(label="another")))
    assert (other.fresh, other.game) == (False, new_game())
    store.delete(ID)
    with pytest.raises(CommitmentUsedError):
        store.save(spending())
    assert [key for key in keys(fake) if not key.endswith(b"commitment")] == []


def test_the_same_creation_again_counts_as_done(store):
    store.commit(commitment())
    assert store.save(spending()).fresh
    assert store.save(spending()).fresh


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
    changes = [spending(new_game(label=f"{n}")) for n in range(20)]
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(store.save, changes))
    assert sum(saved.fresh for saved in found) == 1
    winner = next(c.game for c, saved in zip(changes, found, strict=True) if saved.fresh)
    assert {saved.game for saved in found} == {winner} == {store.load(ID)}


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


def test_a_store_answers_a_ping(store):
    store.ping()


def test_scripts_are_reloaded_into_a_server_that_lost_them(store, fake):
    store.save(created(new_game()))
    fake.script_flush()
    game = store.load(ID)
    assert store.save(after(game, first_move(game))).fresh
