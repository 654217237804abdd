"""Answers are read as they were kept, wherever a game has gone; damaged, they are no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import GameUnreadableError
from service.play import actions
from service.play.actions import RequestStamp
from service.play.keys import fingerprint
from service.records.game import Game, Outcome, Receipt
from service.store import codec
from service.store.idempotency import (
    RESPONSES_KEPT,
    add_response,
    decode_responses,
    encode_responses,
)
from tests.properties.test_damage import damage
from tests.support.walks import dealt_walks

ID = "a" * 26
KEYS = [fingerprint(f"key {number}".encode()) for number in range(24)]


@st.composite
def courses(draw):
    """A game at each of its versions, with the key of the request that led there, or None."""
    walk = draw(dealt_walks(most=len(KEYS) - 1))
    receipt = Receipt(fingerprint(b"created"), Outcome())
    start, label = walk.positions[0], draw(st.none() | st.text(max_size=8))
    game = Game(ID, walk.deal, start, 1_000, 1_000, receipt, label=label)
    games = [game]
    for number, move in enumerate(walk.moves):
        stamp = RequestStamp(2_000 + 997 * number, fingerprint(bytes([number])))
        games.append(actions.play_moves(games[-1], [move], stamp).game)
    asked = draw(st.lists(st.booleans(), min_size=len(games), max_size=len(games)))
    return [(game, key if it else None) for game, key, it in zip(games, KEYS, asked, strict=False)]


def kept(course):
    """The state and the answers, as they lie in the store when all has been asked."""
    written, state = b"", b""
    for game, key in course:
        responses = decode_responses(written or None, state)
        state = codec.encode_game(game)
        written = encode_responses(add_response(responses, key, state), state)
    return state, written


@given(courses())
def test_the_creation_s_answer_and_the_last_are_kept_and_no_others(course):
    state, written = kept(course)
    responses = decode_responses(written or None, state)
    given = {key: game for game, key in course if key is not None}
    known = {key: game for key, game in given.items() if game.version == 1}
    known |= dict(list(given.items())[-RESPONSES_KEPT:])
    assert {key: codec.decode_game(ID, then) for key, then in responses.items()} == known


@given(courses().filter(lambda course: any(key for _, key in course)), st.data())
def test_answers_that_are_damaged_are_no_other_answers(course, data):
    state, written = kept(course)
    broken = data.draw(damage(written))
    if broken != written:
        with pytest.raises(GameUnreadableError):
            decode_responses(broken, state)


@given(courses().filter(lambda course: len(course) > 1 and course[0][1]))
def test_answers_are_read_beside_the_game_they_were_written_with_and_no_other(course):
    _, written = kept(course)
    with pytest.raises(GameUnreadableError):
        decode_responses(written, codec.encode_game(course[0][0]))
