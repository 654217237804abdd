"""Games are played, watched and looked up by both clients alike."""

import re
from itertools import islice

import pytest

from service.api.services import services_of
from service.client import (
    ClientError,
    GameOver,
    IllegalMove,
    NotAuthorized,
    NotFound,
    Problem,
    VersionConflict,
)
from service.client.deals import DailyDeal, KnownDeal
from service.client.models import KnownPile
from tests.http.kit import UNKNOWN_ID, WON_DEAL, WON_LINE


def test_ten_lines_play_a_game(asterism):
    game = asterism.new_game("binary-star", deal=WON_DEAL)
    while game.legal_moves and not game.stuck:
        game.play(game.legal_moves[0])
    assert game.stuck != game.is_over
    assert game.ply == len(list(game.moves())) > 0


def test_a_batch_wins_a_game_and_its_record_holds_every_move(asterism):
    game = asterism.new_game("binary-star", deal=WON_DEAL, label="ada")
    outcome = game.play(*WON_LINE, "t1f1")
    assert (outcome.applied, outcome.stopped) == (len(WON_LINE), "won")
    assert (game.status, game.is_over, game.legal_moves) == ("won", True, ())
    assert [item.move for item in game.moves()] == WON_LINE
    assert [item.ply for item in game.moves(after=100)] == list(range(101, len(WON_LINE) + 1))
    replay = game.replay()
    assert replay.moves == tuple(WON_LINE)
    assert (asterism.verify(replay).right, asterism.verify(replay).status) == (True, "won")
    assert "t8f1" in game.replay_text().splitlines()
    (result,) = asterism.results("binary-star-2")
    assert (result.label, result.moves, result.first_attempt) == ("ada", len(WON_LINE), True)
    (figures,) = asterism.stats("binary-star", label="ada")
    assert figures.figures["all"].won == 1
    with pytest.raises(GameOver):
        game.undo()


def test_an_illegal_move_says_which_rule_forbids_it_and_changes_nothing(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    before = game.state
    with pytest.raises(IllegalMove, match=r"^KC is not one rank lower than TC") as caught:
        game.play("t1t2")
    refused = caught.value
    assert (refused.code, refused.rule, refused.status) == (
        "illegal-move",
        "rank-not-one-lower",
        409,
    )
    assert (refused.move, refused.index, refused.piles) == ("t1t2", 0, ("t1", "t2"))
    assert game.state is before
    assert game.refresh() is before


def test_a_move_that_turns_a_card_ends_its_batch(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    outcome = game.play("t7t2", "t4t3")
    assert (outcome.applied, outcome.stopped) == (1, "reveal")
    assert [(reveal.pile, reveal.card) for reveal in outcome.reveals] == [("t7", "KD")]
    assert game.pile("t7").cards == ("KD",)
    with pytest.raises(KeyError):
        game.pile("t9")


def test_a_game_goes_back_and_forth_gives_hints_and_is_resigned(asterism):
    game = asterism.new_game("binary-star", deal=WON_DEAL)
    game.play(*WON_LINE[:3])
    assert game.undo(2).ply == game.ply == 1
    assert game.redo().ply == game.ply == 2
    assert game.hint().line is None
    hint = game.hint(line=True)
    assert (hint.verdict, hint.line[0]) == ("winnable", hint.move)
    assert game.state.counters.hints == 2
    assert asterism.deal("binary-star-2").verdict == "winnable"
    assert game.read_legal_moves().legal_moves == game.legal_moves
    assert game.resign().status == game.status == "resigned"
    assert len(game.reveal().pack) == 102


def test_another_player_first_is_a_conflict_that_brings_the_game_up_to_date(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    other = asterism.game(game.id, game.token)
    other.play("t7t2")
    with pytest.raises(VersionConflict) as caught:
        game.play("t4t3")
    assert caught.value.game == game.state == other.state
    game.play("t4t3")
    assert other.refresh() == game.state


def test_who_has_no_token_watches(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    watched = asterism.game(game.id)
    assert watched.state == game.state
    with pytest.raises(NotAuthorized) as caught:
        watched.play("t7t2")
    assert caught.value.code == "token-missing"
    with pytest.raises(NotAuthorized, match="not that of this game"):
        asterism.game(game.id, "x" * 43).resign()
    with pytest.raises(ClientError, match="no play token has"):
        asterism.game(game.id, "with\nbreak")
    assert game.token not in repr(game)


def test_the_board_is_a_text_of_what_the_player_sees(asterism):
    board = asterism.new_game("astrocyte", deal=1).board()
    assert re.search(r"^t7: \[7\] 9H$", board, re.MULTILINE)
    assert "legal moves: t1c1 " in board


def test_deals_are_chosen_in_every_way(asterism):
    def deal(**asked):
        return asterism.new_game("astrocyte", **asked).state.deal

    assert deal(deal="18446744073709551615").number == "18446744073709551615"
    assert deal().fairness == "sealed"
    today = asterism.daily()
    assert deal(daily=True).id == f"astrocyte-daily-{today.day}"
    assert deal(daily=today.day).commitment in [item.commitment for item in today.items]
    for promise in (asterism.commit(), asterism.commit()):
        seed = "2f1d0c5be3a94c7e8d60b1f2a3c4d5e6"
        assert deal(commitment=promise, player_seed=seed).commitment == promise.commitment


def test_a_replay_is_continued_from_any_ply(asterism):
    game = asterism.new_game("binary-star", deal=WON_DEAL)
    game.play(*WON_LINE[:5])
    assert asterism.new_game("binary-star", replay=game.replay()).state.forked_at == 5
    own = {"variant": "binary-star", "deal": {"number": "2"}, "moves": WON_LINE}
    fork = asterism.new_game("binary-star", replay=own, ply=100)
    fork.play(*WON_LINE[100:])
    assert fork.status == "won"


def test_a_label_is_owned_by_who_has_its_key_and_ranked(asterism, service, monkeypatch):
    monkeypatch.setattr(services_of(service.app).play.standings.leaderboards, "_latest", {})
    key = asterism.new_game("binary-star", label="ada").label_key
    for _ in range(20):
        game = asterism.new_game("binary-star", label="ada", label_key=key)
        assert game.state.label_owned
        game.resign()
    with pytest.raises(NotAuthorized) as caught:
        asterism.new_game("binary-star", label="ada", label_key="x" * 43)
    assert caught.value.code == "label-key-wrong"
    (ada,) = asterism.leaderboard("binary-star", sort="win-rate")
    assert (ada.rank, ada.label, ada.begun, ada.won) == (1, "ada", 20, 0)


@pytest.mark.parametrize(
    "half",
    [{"deal": 1, "daily": True}, {"commitment": "x"}, {"player_seed": "00"}, {"ply": 1}],
)
def test_half_a_deal_and_two_deals_are_errors_of_the_program(asterism, wire, half):
    with pytest.raises(ValueError, match=r"^Give "):
        asterism.new_game("astrocyte", **half)
    assert not any(request.method == "POST" for request in wire.requests)


def test_what_the_service_knows_of_games_and_deals(asterism):
    assert [variant.name for variant in asterism.variants()] == ["binary-star", "astrocyte"]
    assert "**A13**" in asterism.rules("astrocyte")
    assert asterism.variant("binary-star").actions[:2] == ("t1f1", "t1f2")
    deals = list(islice(asterism.deals("binary-star", proven=True), 150))
    assert {deal.verdict for deal in deals} == {"winnable"}
    assert len({deal.number for deal in deals}) == 150
    assert isinstance(asterism.deal("binary-star-1"), KnownDeal)
    assert isinstance(asterism.deal(asterism.daily().items[1].id), DailyDeal)
    pack = asterism.new_game("binary-star", deal=1).reveal().pack
    piles = [KnownPile(id=f"t{n}", cards=pack[n - 1 :: 17]) for n in range(1, 18)]
    piles += [{"id": "f1", "under": [], "cards": ["AH"]}, KnownPile(id="f2", cards=("KS",))]
    judged = asterism.judge("binary-star", piles, ["t1f2"])
    assert (judged.stuck, judged.status) == (False, "in_progress")


def test_what_is_not_there_is_not_found(asterism):
    for look in (
        lambda: asterism.game(UNKNOWN_ID),
        lambda: asterism.rules("klondike"),
        lambda: asterism.deal("astrocyte-0"),
        lambda: list(asterism.results("../games")),
    ):
        with pytest.raises(NotFound):
            look()


def test_an_invalid_request_names_its_faults(asterism):
    with pytest.raises(Problem, match=r"^/\w+: .+ /\w+: ") as caught:
        asterism.new_game("klondike", label="")
    assert caught.value.code == "invalid-request"
    assert {fault.pointer for fault in caught.value.errors} == {"/variant", "/label"}


def test_a_deleted_game_is_gone(asterism):
    game = asterism.new_game("astrocyte", deal=1)
    game.delete()
    with pytest.raises(NotFound):
        game.refresh()
    with pytest.raises(NotFound):
        game.delete()
