"""The messages for a watcher: everything since, in order, and no card that is hidden again."""

import random
from collections import Counter

import pytest

from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import DEAL
from service.play.actions import RequestStamp, play_moves, redo, resign, undo
from service.records.game import Game, Outcome, Receipt
from service.records.record import Record
from service.records.timeline import Timeline

STAMP = RequestStamp(2_000, "request")
ASTROCYTE = VARIANTS["astrocyte"]


class PlayedGame:
    """A game as it is played on, and its timeline after each request."""

    def __init__(self, kept=64):
        deal = PublicDeal(ASTROCYTE, 1)
        self.game = Game(
            "g" * 26, deal, start_position(deal), 1_000, 1_000, Receipt("r", Outcome())
        )
        self.kept, self.moves, self.events = kept, (), []

    def move(self, *moves):
        step = play_moves(self.game, moves, STAMP)
        self.moves = (*self.moves[: self.game.ply], *step.played)
        return self._went(step)

    def undo(self, steps=1):
        return self._went(undo(self.game, self._record, steps, STAMP))

    def redo(self, steps=1):
        return self._went(redo(self.game, self._record, steps, STAMP))

    def resign(self):
        return self._went(resign(self.game, STAMP))

    def single(self):
        """A legal move that is no deal."""
        return next(move for move in self.game.legal_moves if move != DEAL)

    @property
    def timeline(self):
        return Timeline(self.game, tuple(self.events[-self.kept :]))

    @property
    def _record(self):
        return Record(self.game.deal, self.moves, self.game.ply)

    def _went(self, step):
        self.game = step.game
        self.events.append(step.event)
        return self


def kinds(messages):
    return [(message.version, message.kind) for message in messages]


def test_a_new_watcher_gets_a_snapshot_and_one_who_is_up_to_date_nothing():
    timeline = PlayedGame().move(DEAL).timeline
    (told,) = timeline.since(None)
    assert (told.kind, told.version, told.game, told.event) == ("snapshot", 2, timeline.game, None)
    assert timeline.since(2) == ()
    assert kinds(timeline.since(17)) == [(2, "snapshot")], "a watcher ahead of the game"


def test_a_watcher_who_missed_something_gets_every_event_and_the_game_with_the_last():
    play = PlayedGame().move(DEAL)
    play.move(play.single()).resign()
    told = play.timeline.since(2)
    assert kinds(told) == [(3, "moved"), (4, "resigned")]
    assert [message.game for message in told] == [None, play.game]
    assert [message.event for message in told] == play.events[1:]


def test_a_watcher_who_missed_more_than_is_stored_gets_a_snapshot():
    play = PlayedGame(kept=3).move(DEAL)
    for _ in range(5):
        play.move(play.single())
    assert kinds(play.timeline.since(4)) == [(5, "moved"), (6, "moved"), (7, "moved")]
    for after in (0, 1, 3):
        assert kinds(play.timeline.since(after)) == [(7, "snapshot")]


def test_watchers_at_the_same_version_share_their_messages():
    timeline = PlayedGame().move(DEAL).timeline
    assert timeline.since(1)[0] is timeline.since(1)[0]
    assert timeline.since(None)[0] is timeline.since(99)[0]


@pytest.mark.parametrize(
    ("play", "since", "taken_back", "cards"),
    [
        (lambda play: play.move(DEAL).undo(), 1, [True, False], [0, 0]),
        (lambda play: play.move(DEAL).undo().redo(), 1, [True, False, False], [0, 0, 8]),
        (
            lambda play: play.move(DEAL).move(play.single()).undo(),
            *(1, [False, True, False], [8, 0, 0]),
        ),
        (
            lambda play: play.move(DEAL).move(play.single()).undo(2).move(DEAL),
            *(3, [False, False], [0, 8]),
        ),
    ],
    ids=["undone", "redone", "a later one undone", "undone before"],
)
def test_an_undone_move_is_sent_without_its_cards_and_any_other_with_them(
    play, since, taken_back, cards
):
    told = play(PlayedGame()).timeline.since(since)
    assert [message.taken_back for message in told] == taken_back
    assert [len(message.event.reveals) for message in told] == cards
    assert [message.event.moves for message in told if message.taken_back] == [()] * sum(taken_back)


def at_random(seed):
    """A game played at random, batches and undos and all, after each request."""
    choice, play = random.Random(seed), PlayedGame()
    for _ in range(50):
        action = choice.choice(["move"] * 3 + ["undo", "redo"])
        if action == "undo" and play.game.ply:
            yield play.undo(choice.randint(1, min(4, play.game.ply)))
        elif action == "redo" and play.game.length > play.game.ply:
            yield play.redo(choice.randint(1, play.game.length - play.game.ply))
        elif play.game.legal_moves:
            yield play.move(*batch(choice, play.game.position))


def batch(choice, position):
    """Up to three moves that can be played one after the other, all cards known."""
    moves = []
    while len(moves) < 3 and (legal := position.legal_moves()):
        moves.append(choice.choice(legal))
        position = position.after(moves[-1])
    return moves


@pytest.mark.parametrize("seed", range(8))
def test_the_moves_that_are_sent_are_an_end_of_the_line_and_their_cards_lie_face_up(seed):
    """Independent of how it is found out which these are. A batch counts whole, or not at all."""
    for play in at_random(seed):
        line = list(play.moves[: play.game.ply])
        piles = play.game.position.view.piles
        face_up = Counter(card for pile in piles for card in pile.cards)
        for after in range(1, play.game.version):
            told = play.timeline.since(after)
            moves = [move for message in told for move in message.event.moves]
            if not any(message.taken_back for message in told):
                assert moves == line[len(line) - len(moves) :]
            rest = iter(line)
            assert all(move in rest for move in moves), "they stand in the line in their order"
            assert Counter(r.card for m in told for r in m.event.reveals) <= face_up
