"""A server key can be changed, and whatever was made under the old one stays what it was."""

from datetime import date

import pytest

from service.errors import TokenWrongError
from service.play.keys import FormerKey, ServerKey

GAME = "a" * 26
OLDER, OLD, NEW = (ServerKey(name * 8) for name in (b"oldest", b"former", b"recent"))
CHANGED = date(2026, 11, 30)


def after(*former):
    """The new key, after these."""
    return ServerKey(NEW.secret, former)


RING = after(FormerKey(OLD, CHANGED), FormerKey(OLDER, date(2026, 10, 31)))


@pytest.mark.parametrize("key", [NEW, OLD, OLDER], ids=["new", "old", "older"])
def test_a_token_is_good_under_the_key_that_its_game_was_made_with(key):
    RING.check(key.play_token(GAME, key.epoch), GAME, key.epoch)


@pytest.mark.parametrize("leaked", [OLD, OLDER])
@pytest.mark.parametrize("made_with", [NEW, OLD, OLDER])
def test_who_knows_an_old_key_plays_no_game_that_was_made_with_another(leaked, made_with):
    token = leaked.play_token(GAME, made_with.epoch)
    if leaked is made_with:
        RING.check(token, GAME, made_with.epoch)
    else:
        with pytest.raises(TokenWrongError):
            RING.check(token, GAME, made_with.epoch)


def test_a_key_that_is_listed_no_more_plays_nothing():
    with pytest.raises(TokenWrongError):
        after(FormerKey(OLDER, CHANGED)).check(OLD.play_token(GAME, OLD.epoch), GAME, OLD.epoch)


def test_a_game_that_does_not_say_its_key_is_played_under_any():
    for key in (NEW, OLD, OLDER):
        RING.check(key.play_token(GAME, 1), GAME, 1)
    with pytest.raises(TokenWrongError):
        RING.check(ServerKey(b"strange" * 8).play_token(GAME, 1), GAME, 1)


def test_an_epoch_tells_keys_apart_and_is_always_the_same():
    assert len({key.epoch for key in (NEW, OLD, OLDER)}) == 3
    assert RING.epoch == NEW.epoch


@pytest.mark.parametrize(
    ("day", "dealer"),
    [
        (date(2020, 1, 1), OLDER),
        (date(2026, 10, 31), OLDER),
        (date(2026, 11, 1), OLD),
        (CHANGED, OLD),
        (date(2026, 12, 1), NEW),
        (date(2099, 1, 1), NEW),
    ],
)
@pytest.mark.parametrize("order", [1, -1], ids=["as listed", "the other way round"])
def test_the_deals_of_a_day_are_those_of_the_key_it_belongs_to(day, dealer, order):
    ring = after(*RING.former[::order])
    assert ring.daily_seed("astrocyte", day) == dealer.daily_seed("astrocyte", day)


def test_a_key_to_come_is_listed_with_a_day_past_and_deals_nothing_yet():
    early = ServerKey(OLD.secret, (FormerKey(NEW, date(1970, 1, 1)),))
    late = after(FormerKey(OLD, date(2026, 12, 2)))
    for day in range(1, 3):
        today = date(2026, 12, day)
        assert early.daily_seed("astrocyte", today) == late.daily_seed("astrocyte", today)
    for maker in (early, late):
        for judge in (early, late):
            judge.check(maker.play_token(GAME, maker.epoch), GAME, maker.epoch)


def test_no_key_is_shown():
    assert "former" not in repr(RING)
    assert "oldest" not in repr(RING.former)
