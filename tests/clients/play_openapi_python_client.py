"""Plays both games with a client by openapi-python-client, and prints how it went."""

import json
import sys
from pathlib import Path

from asterism_client import AuthenticatedClient, Client
from asterism_client.api.games import create_game
from asterism_client.api.play import ask_hint, play_moves, read_replay
from asterism_client.api.referee import verify_replay
from asterism_client.models import (
    CreatedGame,
    GameOverProblem,
    GameStatus,
    HintAnswer,
    HintRequest,
    IllegalMoveProblem,
    MovesAnswer,
    MovesRequest,
    NewGame,
    NumberedDeal,
    Replay,
    ReplayRequest,
    Ruling,
    VariantName,
    VersionConflictProblem,
)


class Player:
    """A game and the client that holds its token."""

    def __init__(self, url: str, variant: VariantName, number: str) -> None:
        body = NewGame(variant=variant, deal=NumberedDeal(number=number))
        created = create_game.sync(client=Client(base_url=url), body=body)
        assert isinstance(created, CreatedGame), created
        self.game = created.game
        self.client = AuthenticatedClient(base_url=url, token=created.play_token)

    def hint(self) -> str:
        body = HintRequest(version=self.game.version)
        hinted = ask_hint.sync(self.game.id, client=self.client, body=body)
        assert isinstance(hinted, HintAnswer), hinted
        assert hinted.move is not None, hinted.why
        self.game = hinted.game
        return hinted.move

    def play(self, moves: list[str]) -> int:
        body = MovesRequest(version=self.game.version, moves=moves)
        played = play_moves.sync(self.game.id, client=self.client, body=body)
        assert isinstance(played, MovesAnswer), played
        self.game = played.game
        return played.applied

    def refusal(self, version: int, move: str) -> str:
        """Why the move is refused; the type checker knows what each problem brings with it."""
        body = MovesRequest(version=version, moves=[move])
        match play_moves.sync(self.game.id, client=self.client, body=body):
            case VersionConflictProblem() as problem:
                return f"{problem.code} {problem.current_version}"
            case IllegalMoveProblem() as problem:
                return f"{problem.code} {problem.rule}"
            case GameOverProblem() as problem:
                return f"{problem.code} {problem.game_status}"
            case answer:
                raise AssertionError(answer)

    def replay_is_right(self) -> bool:
        replay = read_replay.sync(self.game.id, client=self.client)
        assert isinstance(replay, Replay), replay
        body = ReplayRequest.from_dict(replay.to_dict())
        ruling = verify_replay.sync(client=self.client, body=body)
        assert isinstance(ruling, Ruling), ruling
        return ruling.right


def main(url: str, line: str) -> None:
    binary_star = Player(url, VariantName.BINARY_STAR, "1")
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
