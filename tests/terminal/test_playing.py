"""Whole games and single moves at a table in this process, by keys and by mouse."""

import pytest

from service.cli.terminal.colours import Role
from service.cli.terminal.dialogs import EndScreen, HelpScreen
from service.deals.deal import PublicDeal, start_position
from service.games import VARIANTS
from service.games.moves import DEAL, parse_move
from service.play.hints import HINT_PROVIDERS
from tests.http.kit import NEARLY_WON, WON_DEAL, WON_LINE
from tests.terminal.kit import at, board, deal, played

RUN = "t1: [2C 3C] KH 9S 8S 7S / t2: 5D / t3: TH / t4: TC / t5: 8H / t6: 4C / t7: 2D / t8: 3S"
EMPTY_COLUMN = "t1: - / t2: 9H 8C / t3: KS / t4: KD / t5: KC / t6: KH / t7: QS / t8: QD / s: [8]"


def keys_of(move: str) -> list[str]:
    """The keys that play `move`: source and target by their ids."""
    source, target, _ = parse_move(move)
    waits = source == "t1"  # ten to seventeen may follow
    return [*source[1:], *(["enter"] if waits else []), *target]


@played
async def test_a_whole_game_of_binary_star_is_won_by_typing_piles_as_fast_as_one_can():
    table = await deal("binary-star", WON_DEAL)
    async with at(table) as player:
        keys = [key for move in WON_LINE[:-1] for key in keys_of(move)]
        await player.type_ahead(*keys, "u", "u", "r", "r", *keys_of(WON_LINE[-1]))
        assert (table.state.ply, table.state.status) == (len(WON_LINE), "won")
        assert isinstance(player.pilot.app.screen, EndScreen)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_numbered_deal_has_the_cards_that_the_service_deals(variant):
    @played
    async def test() -> None:
        table = await deal(variant, 4711)
        assert table.state.view == start_position(PublicDeal(VARIANTS[variant], 4711)).view
        assert table.again == f"asterism play {variant} --deal 4711"

    test()


@played
async def test_taken_cards_show_where_they_can_go_and_escape_lets_them_go():
    async with at(board(RUN)) as player:
        await player.press("1")
        assert player.marked(Role.HELD) == {"t1"}
        assert player.marked(Role.TARGET) == {"t3", "t4", "t5", "c1", "c2", "c3", "c4"}
        await player.press("escape")
        assert not player.marked(Role.HELD) | player.marked(Role.TARGET)
        assert player.state.ply == 0


@played
async def test_up_and_down_choose_how_much_of_a_run_is_taken():
    async with at(board(RUN)) as player:
        await player.press("down", "enter")  # from three cards to one
        assert player.marked(Role.TARGET) == {"t5", "c1", "c2", "c3", "c4"}
        await player.press("escape", "enter", "tab", "enter")
        assert player.state.view["t3"].cards[1:] == ("9S", "8S", "7S")


@played
async def test_a_card_moves_by_two_clicks_or_by_dragging_it():
    async with at(board(RUN)) as player:
        await player.click("t1", 3)
        assert player.marked(Role.TARGET) == {"t3", "t4"}
        await player.click("t4")
        assert player.state.view["t4"].cards == ("TC", "9S", "8S", "7S")
        table = player.pilot
        await table.mouse_down("TableView", offset=player.where("t2"))
        await table.mouse_up("TableView", offset=player.where("c2", None))
        await player.settle()
        assert player.state.view["c2"].cards == ("5D",)


@played
async def test_a_second_click_on_a_card_makes_its_obvious_move_or_drops_it():
    async with at(board(RUN)) as player:
        await player.click("t6")
        await player.click("t6")
        assert player.told.startswith("4♣ t6 → t2.")
        await player.click("t1", 3)
        await player.click("t1", 3)
        assert player.state.ply == 1
        assert not player.marked(Role.HELD)


@played
async def test_an_illegal_move_changes_nothing_and_tells_the_rule_and_the_reason():
    async with at(board(RUN)) as player:
        await player.press("2", "3")
        assert (
            player.told == "rank-not-one-lower: 5♦ is not one rank lower than 10♥, the top of t3."
        )
        await player.click("t1", 4)
        assert player.told.startswith("run-not-")
        await player.press("escape", "d")
        assert player.told.startswith("stock-empty: ")
        assert player.state.ply == 0


@played
async def test_moves_are_taken_back_and_played_again_without_end():
    async with at(await deal("astrocyte", 1)) as player:
        start = player.state
        await player.press("u", "r")
        assert player.told == "There is nothing to play again."
        await player.press("4", "3", "d", "u", "u")
        assert player.state == start.__class__(**{**_fields(start), "can_redo": True})
        await player.press("r", "r")
        assert (player.state.ply, player.state.can_redo) == (2, False)
        assert player.state.view["s"].hidden == 32


@played
async def test_a_hint_marks_a_move_gives_the_reason_of_the_service_and_enter_plays_it():
    async with at(await deal("binary-star", WON_DEAL)) as player:
        expected, _ = HINT_PROVIDERS["binary-star"](player.state.view, (), list)
        assert expected.move is not None
        await player.press("h")
        assert expected.why in player.told
        assert player.marked(Role.HINT) == {expected.move.source, expected.move.target}
        await player.press("right")
        assert not player.marked(Role.HINT)
        await player.press("h", "enter", "h")
        assert player.state.ply == 1
        assert "moves that win" in player.told


@played
async def test_a_hint_in_a_lost_game_says_how_far_to_go_back_and_enter_goes_there():
    table = await deal("binary-star", WON_DEAL)
    while not table.state.stuck:
        await table.play(table.state.legal_moves[0])
    async with at(table) as player:
        lost = player.state.ply
        await player.press("h")
        assert player.told.startswith("Lost: ")
        assert player.told.endswith("Enter takes back 1 move.")
        await player.press("enter")
        assert (player.state.ply, player.state.stuck) == (lost - 1, False)


@played
async def test_a_row_is_dealt_by_a_key_or_a_click_and_refused_beside_an_empty_column():
    async with at(await deal("astrocyte", 1)) as player:
        await player.press("d")
        await player.click("s", None)
        assert player.told == "A row is dealt; 3 left."
    async with at(board(EMPTY_COLUMN.replace("[8]", f"[{'2C ' * 8}]"))) as player:
        assert DEAL not in player.state.legal_moves
        await player.press("d")
        assert player.told.startswith("deal-blocked-by-empty-column: ")


@played
async def test_a_stuck_game_says_so_and_what_can_be_done():
    async with at(board("t1: 5H / f1: AH / f2: KS 2S", "binary-star")) as player:
        assert player.told.startswith("Stuck")
        assert "u takes a move back" in player.told


@played
async def test_a_won_game_leads_to_the_next():
    async with at(board(NEARLY_WON)) as player:
        await player.press("1", "f", "1")
        assert isinstance(player.pilot.app.screen, EndScreen)
        await player.press("n", "7", "enter")
        assert (player.state.variant.name, player.state.deal) == ("binary-star", "deal 7")


@played
async def test_help_has_the_rules_and_closes_again():
    async with at(await deal("astrocyte", 1)) as player:
        await player.press("question_mark")
        assert isinstance(player.pilot.app.screen, HelpScreen)
        await player.press("escape")
        assert player.view.has_focus


@played
async def test_the_first_screen_asks_for_game_and_deal():
    async with at() as player:
        await player.press("down", "4", "7", "enter")
        assert (player.state.variant.name, player.state.deal) == ("astrocyte", "deal 47")
        await player.press("n", "tab", "0", "enter")
        assert "A deal number is 1 to" in player.screen.replace("&#160;", " ")
        await player.press("escape")
        assert player.view.has_focus


def _fields(state):
    return {name: getattr(state, name) for name in state.__dataclass_fields__}
