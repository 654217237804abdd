"""A server key can be changed; games and daily deals of the old one stay what they were."""

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


KEYS = after(FormerKey(OLD, CHANGED), FormerKey(OLDER, date(2026, 10, 31)))


@pytest.mark.parametrize("key", [NEW, OLD, OLDER], ids=["new", "old", "older"])
@pytest.mark.parametrize("made_with", [NEW, OLD, OLDER], ids=["new", "old", "older"])
def test_a_key_makes_tokens_for_its_own_games_only(key, made_with):
    token = key.play_token(GAME, made_with.epoch)
    if key is made_with:
        KEYS.check(token, GAME, made_with.epoch)
    else:
        with pytest.raises(TokenWrongError):
            KEYS.check(token, GAME, made_with.epoch)


def test_a_removed_key_makes_no_valid_token():
    with pytest.raises(TokenWrongError):
        after(FormerKey(OLDER, CHANGED)).check(OLD.play_token(GAME, OLD.epoch), GAME, OLD.epoch)


def test_a_game_without_an_epoch_takes_tokens_of_any_key():
    for key in (NEW, OLD, OLDER):
        KEYS.check(key.play_token(GAME, 1), GAME, 1)
    with pytest.raises(TokenWrongError):
        KEYS.check(ServerKey(b"strange" * 8).play_token(GAME, 1), GAME, 1)


def test_an_epoch_identifies_its_key():
    assert len({key.epoch for key in (NEW, OLD, OLDER)}) == 3
    assert KEYS.epoch == NEW.epoch


@pytest.mark.parametrize(
    ("day", "dealer"),
    [
        (date(2026, 10, 31), OLDER),
        (date(2026, 11, 1), OLD),
        (CHANGED, OLD),
        (date(2026, 12, 1), NEW),
    ],
)
@pytest.mark.parametrize("order", [1, -1], ids=["as listed", "the other way round"])
def test_a_daily_deal_is_derived_from_the_key_of_its_day(day, dealer, order):
    keys = after(*KEYS.former[::order])
    assert keys.daily_seed("astrocyte", day) == dealer.daily_seed("astrocyte", day)


def test_a_future_key_can_be_listed_with_a_past_day():
    early = ServerKey(OLD.secret, (FormerKey(NEW, date(1970, 1, 1)),))
    late = after(FormerKey(OLD, date(2026, 12, 2)))
    for day in range(1, 3):
        today = date(2026, 12, day)
        assert early.daily_seed("astrocyte", today) == late.daily_seed("astrocyte", today)
    for maker in (early, late):
        for judge in (early, late):
            judge.check(maker.play_token(GAME, maker.epoch), GAME, maker.epoch)


def test_the_repr_of_a_key_has_no_secret():
    assert "former" not in repr(KEYS)
    assert "oldest" not in repr(KEYS.former)
