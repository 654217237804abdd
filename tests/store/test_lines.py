"""A page of a long line is read from a checkpoint near it, and is what the whole line says."""

import pytest

from service.errors import GameUnreadableError
from service.games.moves import parse_move
from service.records.record import Record
from service.store import CHECKPOINT_PLIES
from tests.store.test_promise import ID, after, created, new_game

BATCH = 100
LENGTH = 3 * CHECKPOINT_PLIES + 50
AROUND = [0, 1, 255, 256, 257, 300, 301, 599, 600, LENGTH - 3, LENGTH, LENGTH + 1]
"""Plies after which pages are read: about checkpoints, batches and the end."""
CHECKPOINTS = f"ast:{{{ID}}}:checkpoints"

LINE = [parse_move(move) for move in ("t1c1", *("c1c2", "c2c1") * LENGTH)][:LENGTH]


def play(store, game, moves):
    for first in range(0, len(moves), BATCH):
        change = after(game, moves[first : first + BATCH])
        assert store.save(change).fresh
        game = change.game
    return game


def undo(store, game, moves, ply):
    position = Record(game.deal, tuple(moves), ply).position()
    change = after(game, position=position, ply=ply, length=len(moves))
    assert store.save(change).fresh
    return change.game


@pytest.fixture
def game(store):
    """A game of Astrocyte that was played for long."""
    game = new_game()
    store.save(created(game))
    return play(store, game, LINE)


def check_pages(store, moves, positions):
    """Each page has the moves that it was asked for, behind few that lead to them."""
    for ply in AROUND:
        page = store.load_page(ID, ply, 3)
        assert tuple(moves[page.ply : ply + 3]) == page.moves
        assert max(0, min(ply, len(moves)) - page.ply) <= CHECKPOINT_PLIES + BATCH or not moves
        assert page.checkpoint == (positions[page.ply] if page.ply else None)


def positions_along(game, moves):
    positions = [new_game().position]
    for move in moves:
        positions.append(positions[-1].after(move))
    return positions


def test_a_page_begins_at_a_checkpoint_near_it(store, game):
    check_pages(store, LINE, positions_along(game, LINE))


def test_no_checkpoint_is_left_of_moves_that_others_have_replaced(store, game):
    ply = CHECKPOINT_PLIES + 100
    back = undo(store, game, LINE, ply)
    assert store.load_page(ID, LENGTH, 1).ply > ply  # what was undone can be redone
    other = [parse_move(move) for move in ("t2c3", *("c3c4", "c4c3") * 300)]
    play(store, back, other)
    moves = [*LINE[:ply], *other]
    check_pages(store, moves, positions_along(game, moves))


def test_a_line_that_is_played_at_once_has_checkpoints(store):
    positions = positions_along(new_game(), LINE)
    start = new_game()._replace(position=positions[-1], ply=LENGTH, length=LENGTH)
    every = {ply: positions[ply] for ply in range(0, LENGTH, CHECKPOINT_PLIES)}
    assert store.save(created(start)._replace(played=LINE, positions=every)).fresh
    check_pages(store, LINE, positions)


def test_a_game_that_is_not_long_has_no_checkpoints(store, fake):
    game = new_game()
    store.save(created(game))
    play(store, game, LINE[: CHECKPOINT_PLIES - 1])
    assert not fake.exists(CHECKPOINTS)


def test_without_its_checkpoints_a_line_is_read_from_the_start(store, fake, game):
    fake.delete(CHECKPOINTS)
    page = store.load_page(ID, 600, 3)
    assert (page.ply, page.checkpoint, page.moves) == (0, None, tuple(LINE[:603]))


def test_a_broken_checkpoint_is_reported(store, fake, game):
    (broken, ply), *_ = fake.zrange(CHECKPOINTS, 0, 0, withscores=True)
    fake.zrem(CHECKPOINTS, broken)
    fake.zadd(CHECKPOINTS, {broken[:-1]: ply})
    with pytest.raises(GameUnreadableError):
        store.load_page(ID, int(ply), 3)


def test_a_page_of_a_line_that_lost_moves_is_reported(store, fake, game):
    line = f"ast:{{{ID}}}:line"
    fake.set(line, fake.get(line)[:-1])
    with pytest.raises(GameUnreadableError):
        store.load_page(ID, 0, 3)


def test_checkpoints_go_with_their_game(store, fake, game):
    assert fake.exists(CHECKPOINTS)
    store.delete(ID)
    assert not fake.exists(CHECKPOINTS)
