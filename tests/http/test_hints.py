"""Hints over HTTP: counted, repeatable, right to the end, and nothing where there is no adviser."""

from tests.http.kit import KEY


def hint(player, **headers):
    return player.post("hint", {"version": player.version}, **headers)


def test_a_hint_can_be_played(api):
    player = api.new_game("binary-star", 1)
    answer = hint(player)
    assert answer.json["verdict"] == "winnable"
    assert answer.json["move"] in player.game["legal_moves"]
    assert player.play(answer.json["move"]).status == 200


def test_a_hint_is_counted_and_takes_the_version_further_but_not_the_ply(api):
    player = api.new_game("binary-star", 1)
    hint(player)
    hint(player)
    assert player.game["counters"]["hints"] == 2
    assert (player.version, player.game["ply"]) == (3, 0)


def test_a_hint_changes_nothing_on_the_table(api):
    player = api.new_game("binary-star", 1)
    before = player.game
    hint(player)
    assert player.game["piles"] == before["piles"]
    assert player.game["legal_moves"] == before["legal_moves"]


def test_following_the_hints_wins(api):
    player = api.new_game("binary-star", 4)
    while player.game["status"] == "in_progress":
        assert player.play(hint(player).json["move"]).status == 200
    assert player.game["status"] == "won"
    assert player.game["counters"]["hints"] == 102


def test_a_lost_game_says_how_many_moves_to_take_back_and_that_helps(api):
    player = api.new_game("binary-star", 3)
    while not player.game["stuck"]:
        player.play(player.game["legal_moves"][0])
    answer = hint(player).json
    assert (answer["move"], answer["verdict"]) == (None, "unwinnable")
    assert player.undo(answer["undo_steps"]).status == 200
    assert hint(player).json["verdict"] == "winnable"


def test_a_hint_asked_for_again_is_the_same_hint_counted_once(api):
    player = api.new_game("binary-star", 1)
    first = player.post("hint", {"version": 1}, Idempotency_Key=KEY)
    again = player.post("hint", {"version": 1}, Idempotency_Key=KEY)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json == first.json
    without_a_key = player.post("hint", {"version": 2})
    assert player.post("hint", {"version": 2}).json == without_a_key.json
    assert player.game["counters"]["hints"] == 2


def test_a_hint_for_an_old_version_is_refused(api):
    player = api.new_game("binary-star", 1)
    player.play(player.game["legal_moves"][0])
    assert player.post("hint", {"version": 1}).code == "version-conflict"


def test_a_hint_needs_the_play_token(api):
    player = api.new_game("binary-star", 1)
    assert api.post(f"{player.path}/hint", {"version": 1}).code == "token-missing"


def test_there_is_no_hint_after_the_end(api):
    player = api.new_game("binary-star", 1)
    player.resign()
    assert hint(player).code == "game-over"


def test_the_hints_of_astrocyte_lead_to_news(api):
    player = api.new_game("astrocyte", 2)
    hidden = sum(pile["hidden"] for pile in player.game["piles"])
    for _ in range(12):
        answer = hint(player).json
        assert answer["verdict"] == "unknown"
        assert answer["move"] in player.game["legal_moves"]
        assert "turn" in answer["why"] or "deal" in answer["why"]
        assert player.play(answer["move"]).status == 200
    assert sum(pile["hidden"] for pile in player.game["piles"]) < hidden


def test_a_hint_of_astrocyte_after_undo_tells_what_was_seen_before(api):
    player = api.new_game("astrocyte", 2)
    advised = []
    while not (reveals := player.play(advised[-1]).json["reveals"] if advised else []):
        advised.append(hint(player).json["move"])
    player.undo()
    assert hint(player).json["move"] == advised[-1]
    assert player.play(advised[-1]).json["reveals"] == reveals


def test_the_line_of_a_hint_is_kept_through_undo_and_redo(api):
    player = api.new_game("binary-star", 2)
    moves = []
    for _ in range(6):
        moves.append(hint(player).json["move"])
        player.play(moves[-1])
    player.undo(4)
    assert hint(player).json["why"] == "The first of 100 moves that win."
    assert hint(player).json["move"] == moves[2]
    player.redo(2)
    assert hint(player).json["move"] == moves[4]


def test_who_leaves_the_line_of_a_hint_gets_advice_on_where_he_is(api):
    player = api.new_game("binary-star", 1)
    advised = hint(player).json["move"]
    player.play(next(move for move in player.game["legal_moves"] if move != advised))
    answer = hint(player).json
    assert answer["verdict"] in {"winnable", "unwinnable"}
    assert answer["move"] is None or answer["move"] in player.game["legal_moves"]
