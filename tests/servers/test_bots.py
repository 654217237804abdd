"""Bots that play whole games at random over HTTP, and check every answer against the engine."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.api.serializers import piles_json, reveals_json
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import format_move, parse_move
from service.records.record import Record
from tests.support.api import Api, api_at

TURNS = 60


class RandomBot:
    """Plays legal moves at random, one to three at once, undoes and redoes now and then.

    Beside the game over HTTP it keeps the record of the same deal and says after each answer
    what the game must look like.
    """

    def __init__(self, api: Api, variant: str, number: int) -> None:
        self.random = random.Random(f"{variant} {number}")
        self.player = api.new_game(variant, number)
        self.record = Record(PublicDeal(VARIANTS[variant], number))
        self.position = start_position(self.record.deal)
        self.moves = self.undos = self.requests = 0

    def play(self) -> int:
        """Plays the game; how many requests were accepted."""
        self.check()
        for _ in range(TURNS):
            if self.player.game["stuck"] and not self.record.ply:
                break
            self.turn()
        answer = self.player.resign()
        assert (answer.status, self.player.game["status"]) == (200, "resigned")
        assert self.player.game["legal_moves"] == []
        line = self.player.api.get(f"{self.player.path}/moves?limit=500").json["items"]
        assert [item["move"] for item in line] == [format_move(move) for move in self.record.line]
        assert self.player.delete().status == 204
        return self.requests

    def turn(self) -> None:
        """One request, and what must follow from it."""
        waiting = len(self.record.moves) - self.record.ply
        kind = self.random.random()
        if (kind < 0.12 and self.record.ply) or not self.player.game["legal_moves"]:
            steps = self.random.randint(1, min(4, self.record.ply))
            assert self.player.undo(steps).status == 200
            self.record = self.record.undone(steps)
            self.undos += steps
        elif kind < 0.2 and waiting:
            steps = self.random.randint(1, waiting)
            assert self.player.redo(steps).status == 200
            self.record = self.record.redone(steps)
        else:
            self.move()
        self.position = self.record.position()
        self.requests += 1
        self.check()

    def move(self) -> None:
        """A batch of one to three moves, and how far it must go."""
        batch, position, reveals = [], self.position, ()
        for _ in range(self.random.randint(1, 3)):
            moves = position.legal_moves()
            if not moves:
                break
            batch.append(self.random.choice(moves))
            position = position.after(batch[-1])
        applied, position = 0, self.position
        while applied < len(batch) and not reveals:
            position, reveals = position.play(batch[applied])
            applied += 1
        answer = self.player.play(*map(format_move, batch))
        assert answer.status == 200
        assert answer.json["applied"] == applied
        assert answer.json["reveals"] == reveals_json(reveals)
        assert answer.json["stopped"] == ("reveal" if applied < len(batch) else None)
        line = (*self.record.line, *batch[:applied])
        self.record = Record(self.record.deal, line, len(line))
        self.moves += applied

    def check(self) -> None:
        """The game answered last is the game of the record."""
        game, view = self.player.game, self.position.view
        assert game["piles"] == [
            {**pile, "cards": list(pile["cards"])} for pile in piles_json(view)
        ]
        assert [parse_move(move) for move in game["legal_moves"]] == list(view.legal_moves())
        assert (game["stuck"], game["status"]) == (view.stuck, "in_progress")
        assert (game["version"], game["ply"]) == (self.requests + 1, self.record.ply)
        assert game["can"]["undo"] == (self.record.ply > 0)
        assert game["can"]["redo"] == (len(self.record.moves) > self.record.ply)
        assert game["counters"]["moves"] == self.moves
        assert game["counters"]["undos"] == self.undos


@pytest.mark.parametrize("variant", VARIANTS)
def test_bots_play_games_at_once_and_every_answer_is_right(service, contract, variant):
    def play(numbers: range) -> int:
        with api_at(service.port, contract) as api:
            return sum(RandomBot(api, variant, number).play() for number in numbers)

    with ThreadPoolExecutor(2) as pool:
        requests = sum(pool.map(play, (range(1, 10), range(10, 20))))
    assert requests > 19 * TURNS / 3
