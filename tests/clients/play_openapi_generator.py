"""Plays both games with a client by openapi-generator, and prints how it went."""

import json
import sys
from pathlib import Path

from openapi_client import (
    ApiClient,
    Configuration,
    GameOverProblem,
    GamesApi,
    GameStatus,
    HintRequest,
    IllegalMoveProblem,
    MovesRefused,
    MovesRequest,
    NewGame,
    NewGameDeal,
    NumberedDeal,
    PlayApi,
    RefereeApi,
    ReplayRequest,
    VariantName,
    VersionConflictProblem,
)
from openapi_client.exceptions import ConflictException


class Player:
    """A game and the client that holds its token."""

    def __init__(self, url: str, variant: VariantName, number: str) -> None:
        configuration = Configuration(host=url)
        self.client = ApiClient(configuration)
        deal = NewGameDeal(NumberedDeal(number=number))
        created = GamesApi(self.client).create_game(NewGame(variant=variant, deal=deal))
        self.game = created.game
        configuration.access_token = created.play_token
        self.to = PlayApi(self.client)

    def hint(self) -> str:
        hinted = self.to.ask_hint(self.game.id, HintRequest(version=self.game.version))
        assert hinted.move is not None, hinted.why
        self.game = hinted.game
        return hinted.move

    def play(self, moves: list[str]) -> int:
        request = MovesRequest(version=self.game.version, moves=moves)
        played = self.to.play_moves(self.game.id, request)
        self.game = played.game
        return played.applied

    def refusal(self, version: int, move: str) -> str:
        """Why the move is refused; the type checker knows what each problem brings with it."""
        answer: object = None
        try:
            self.to.play_moves(self.game.id, MovesRequest(version=version, moves=[move]))
        except ConflictException as error:
            answer = error.data
        assert isinstance(answer, MovesRefused), answer
        match answer.actual_instance:
            case VersionConflictProblem() as problem:
                return f"{problem.code} {problem.current_version}"
            case IllegalMoveProblem() as problem:
                return f"{problem.code} {problem.rule.value}"
            case GameOverProblem() as problem:
                return f"{problem.code} {problem.game_status.value}"
            case other:
                raise AssertionError(other)

    def replay_is_right(self) -> bool:
        replay = self.to.read_replay(self.game.id)
        request = ReplayRequest.from_dict(replay.to_dict())
        assert request is not None
        return RefereeApi(self.client).verify_replay(request).right


def main(url: str, line: str) -> None:
    binary_star = Player(url, VariantName.BINARY_MINUS_STAR, "1")
    refused = [binary_star.refusal(binary_star.game.version, "f1f2")]
    while binary_star.game.status == GameStatus.IN_PROGRESS:
        binary_star.play([binary_star.hint()])
    refused.append(binary_star.refusal(binary_star.game.version, "f1f2"))

    won = json.loads(Path(line).read_text())
    astrocyte, moves = Player(url, VariantName.ASTROCYTE, won["deal"]), won["moves"]
    while moves:
        moves = moves[astrocyte.play(moves[:200]) :]
    refused.append(astrocyte.refusal(1, "deal"))

    players = [binary_star, astrocyte]
    told = {
        "ended": [[p.game.variant, p.game.status, p.game.counters.moves] for p in players],
        "refused": refused,
        "replays_are_right": [player.replay_is_right() for player in players],
    }
    print(json.dumps(told))


main(*sys.argv[1:])
