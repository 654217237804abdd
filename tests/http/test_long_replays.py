"""Whatever a replay holds is taken by all that read replays: the longest line, in every form."""

import json

import pytest
from click.testing import CliRunner

from service.cli import main
from service.config import Settings
from service.play.keys import ServerKey
from service.records.record import LONGEST_LINE
from tests.http.kit import known
from tests.support.servers import SERVER_KEY

LINE = ["t3c1", *["c1c2", "c2c1"] * LONGEST_LINE][:LONGEST_LINE]
BODY_LIMIT = Settings(ServerKey(SERVER_KEY.encode()), "redis://nowhere").body_limit


@pytest.fixture(scope="module")
def longest(service):
    """The replay of a game with as many moves as a game can have, as JSON and as text."""
    player = service.api.new_game("astrocyte", 1)
    player.play(LINE[0])  # turns a card, which ends its batch
    for start in range(1, LONGEST_LINE, 200):
        assert player.play(*LINE[start : start + 200]).status == 200
    path = f"{player.path}/replay"
    return service.api.get(path).body, service.api.get(path, Accept="text/plain").body


def test_the_longest_replay_is_verified(api, longest):
    judged = api.request("POST", "/v1/referee/verify", raw=longest[0])
    assert (judged.json["right"], judged.json["ply"]) == (True, LONGEST_LINE)


def test_the_longest_replay_may_have_a_move_a_line(api, longest):
    spread = json.dumps(json.loads(longest[0]), indent=4).encode()
    assert api.request("POST", "/v1/referee/verify", raw=spread).json["right"]


def test_the_longest_replay_is_continued_at_any_ply(api, longest):
    told = json.loads(longest[0])
    for ply in (LONGEST_LINE, LONGEST_LINE - 1):
        deal = {"replay": told, "ply": ply}
        made = api.post("/v1/games", {"variant": "astrocyte", "deal": deal})
        assert made.json["game"]["ply"] == ply


def test_the_command_line_reads_the_longest_replay_in_both_forms(longest):
    for form in longest:
        shown = CliRunner().invoke(main, ["replay", "-", "--ply", "0"], input=form)
        assert f"right: in progress after {LONGEST_LINE} moves" in shown.output


def test_a_body_has_room_for_the_longest_line_of_the_longest_moves():
    """Ten thousand moves of two-digit piles and counts, and a card turned for each of the pack."""
    moves = ["t17t16x13"] * LONGEST_LINE
    reveals = [{"ply": LONGEST_LINE, "pile": "t17", "card": "9H"}] * 104
    replay = {"variant": "astrocyte", "deal": {}, "moves": moves, "reveals": reveals}
    body = {"variant": "astrocyte", "label": "🂡" * 64, "deal": {"replay": replay, "ply": 1}}
    assert len(json.dumps(body, indent=2)) < BODY_LIMIT


def test_a_longer_line_is_refused(api):
    told = {"variant": "astrocyte", "deal": {"number": "1"}, "moves": [*LINE, "c1c2"]}
    assert known(api.post("/v1/referee/verify", told)) == (422, "invalid-request")
