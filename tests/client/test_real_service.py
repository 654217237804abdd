"""Both clients against a real service, over sockets that break."""

import asyncio

import httpx
import pytest

from service.client import Asterism, AsyncAsterism
from tests.client.kit import FACES
from tests.http.kit import WON_DEAL, WON_LINE
from tests.support import awaiting
from tests.support.proxy import Proxy

pytestmark = pytest.mark.external


@pytest.fixture
def broken(running):
    """A way to the service that cuts answers short."""
    proxy = Proxy(running.port)
    yield proxy
    proxy.stop()


def url_of(proxy):
    return str(httpx.URL(proxy.url).copy_with(scheme="http", path="/"))


@pytest.mark.parametrize("face", FACES)
def test_a_game_is_won_though_every_third_answer_is_cut_short(broken, face):
    with FACES[face](url_of(broken)) as client:
        game = client.new_game("binary-star", deal=WON_DEAL)
        game.play(*WON_LINE[:70])
        broken.cut_every = 3
        for move in WON_LINE[70:]:
            assert game.play(move).applied == 1
        broken.cut_every = 0
    assert broken.cuts > 10
    assert (game.status, game.version) == ("won", 2 + len(WON_LINE[70:]))
    assert game.state.counters.moves == len(WON_LINE)


def test_many_games_at_once_are_played_and_watched(running):
    async def play(asterism):
        game = await asterism.new_game("binary-star", deal=WON_DEAL)
        watched = await asterism.game(game.id)

        async def watch():
            return [move async for event in watched.events(after=1) for move in event.moves]

        watching = asyncio.create_task(watch())
        for move in WON_LINE:
            await game.play(move)
        assert await asyncio.wait_for(watching, 30) == WON_LINE
        return game.status

    async def play_all():
        async with AsyncAsterism(f"http://127.0.0.1:{running.port}") as asterism:
            return await asyncio.gather(*(play(asterism) for _ in range(4)))

    assert awaiting.run(play_all()) == ["won"] * 4


def test_a_watcher_hears_everything_over_streams_that_break(running, broken):
    with Asterism(f"http://127.0.0.1:{running.port}") as playing, Asterism(url_of(broken)) as own:
        game = playing.new_game("binary-star", deal=WON_DEAL)
        game.play(*WON_LINE[:70])
        watched = own.game(game.id)
        broken.cut_every = 3
        game.play(WON_LINE[70])
        heard = []
        for event in watched.events(after=2):
            heard += event.moves
            if not game.is_over:
                game.play(WON_LINE[game.ply])
    assert broken.cuts > 5
    assert heard == WON_LINE[70:]
    assert watched.state == game.state
