"""Hints over HTTP: counted, repeatable, and right to the end."""

from tests.http.kit import KEY, assert_replayed, known, table


def hint(player, **headers):
    return player.post("hint", {"version": player.version}, **headers)


def test_a_hint_can_be_played_is_counted_and_leaves_the_table(api):
    player = api.new_game("binary-star", 1)
    before = player.game
    answer = hint(player).json
    assert answer["verdict"] == "winnable"
    assert answer["move"] in player.game["legal_moves"]
    assert table(player.game) == table(before)
    assert player.game["legal_moves"] == before["legal_moves"]
    assert (player.game["counters"]["hints"], player.version, player.game["ply"]) == (1, 2, 0)
    assert player.play(answer["move"]).status == 200


def test_following_the_hints_wins(api):
    player = api.new_game("binary-star", 4)
    while player.game["status"] == "in_progress":
        assert player.play(hint(player).json["move"]).status == 200
    assert player.game["status"] == "won"
    assert player.game["counters"]["hints"] == 102


def test_a_lost_game_says_how_many_moves_to_undo_and_that_helps(api):
    player = api.new_game("binary-star", 3)
    while not player.game["stuck"]:
        player.play(player.game["legal_moves"][0])
    answer = hint(player).json
    assert (answer["move"], answer["verdict"]) == (None, "unwinnable")
    assert player.undo(answer["undo_steps"]).status == 200
    assert hint(player).json["verdict"] == "winnable"


def test_a_repeated_hint_is_the_same_hint_counted_once(api):
    player = api.new_game("binary-star", 1)
    for headers in ({"Idempotency_Key": KEY}, {}):
        body = {"version": player.version}
        first = player.post("hint", body, **headers)
        assert_replayed(player.post("hint", body, **headers), first)
    assert player.game["counters"]["hints"] == 2


def test_there_is_no_hint_after_the_end(api):
    player = api.new_game("binary-star", 1)
    player.resign()
    assert known(hint(player)) == (409, "game-over")


def test_the_hints_of_astrocyte_lead_to_new_cards(api):
    player = api.new_game("astrocyte", 2)
    hidden = sum(pile["hidden"] for pile in player.game["piles"])
    for _ in range(12):
        answer = hint(player).json
        assert answer["verdict"] == "unknown"
        assert "turn" in answer["why"] or "deal" in answer["why"]
        assert player.play(answer["move"]).status == 200
    assert sum(pile["hidden"] for pile in player.game["piles"]) < hidden


def test_a_hint_of_astrocyte_after_an_undo_is_what_it_was_before(api):
    player = api.new_game("astrocyte", 2)
    advised = []
    while not (reveals := player.play(advised[-1]).json["reveals"] if advised else []):
        advised.append(hint(player).json["move"])
    player.undo()
    assert hint(player).json["move"] == advised[-1]
    assert player.play(advised[-1]).json["reveals"] == reveals


def test_the_plan_of_a_hint_stays_through_undo_and_redo(api):
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


def test_who_leaves_the_plan_of_a_hint_gets_a_new_one(api):
    player = api.new_game("binary-star", 1)
    advised = hint(player).json["move"]
    player.play(next(move for move in player.game["legal_moves"] if move != advised))
    answer = hint(player).json
    assert answer["verdict"] in {"winnable", "unwinnable"}
    assert answer["move"] is None or answer["move"] in player.game["legal_moves"]
