"""Several clients on one game: what is sent together is applied once, and the others told."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from tests.support.api import Player, api_at

CLIENTS = 20


@pytest.fixture
def together(service, contract):
    """Lets many clients, each on a connection of its own, send at one moment."""

    def send(player, clients, request):
        barrier = Barrier(clients)

        def one(n):
            with api_at(service.port, contract) as api:
                own = Player(api, player.game, player.token)
                own.read()
                barrier.wait()
                return request(own, n)

        with ThreadPoolExecutor(clients) as pool:
            return list(pool.map(one, range(clients)))

    return send


def one_of(moves, n):
    """A move chosen by `n`; how many there are is up to the other clients."""
    return moves[n % len(moves)]


def test_twenty_posts_of_one_move_with_keys_of_their_own_are_applied_once(api, together):
    player = api.new_game("binary-star", 1)
    move = player.game["legal_moves"][0]
    answers = together(
        player, CLIENTS, lambda own, _: own.play(move, Idempotency_Key=str(uuid.uuid4()))
    )
    assert sorted(answer.status for answer in answers) == [200] + [409] * (CLIENTS - 1)
    for loser in (answer for answer in answers if answer.status == 409):
        assert loser.code == "version-conflict"
        assert (loser.json["expected_version"], loser.json["current_version"]) == (1, 2)
        assert "Read the game again" in loser.json["detail"]
    game = player.read().json
    assert (game["version"], game["ply"]) == (2, 1)
    assert len(api.get(f"{player.path}/moves").json["items"]) == 1


@pytest.mark.parametrize("key", [{"Idempotency_Key": "a-key-for-all-of-them"}, {}])
def test_one_request_sent_twenty_times_is_applied_once_and_answered_alike(api, together, key):
    """With one key for all, or without: then it is taken for a repeat."""
    player = api.new_game("astrocyte", 1)
    move = player.game["legal_moves"][0]
    answers = together(player, CLIENTS, lambda own, _: own.play(move, **key))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1
    assert (player.read().json["version"], player.game["ply"]) == (2, 1)


def test_ten_parallel_deals_deal_one_row_a_version(api, together):
    player = api.new_game("astrocyte", 3)
    for row in range(1, 6):
        answers = together(
            player, 10, lambda own, _: own.play("deal", Idempotency_Key=str(uuid.uuid4()))
        )
        assert sorted(answer.status for answer in answers) == [200] + [409] * 9
        assert player.read().json["version"] == 1 + row
        assert player.pile("s")["hidden"] == 40 - 8 * row
        assert [len(player.pile(f"t{n}")["cards"]) for n in range(1, 9)] == [1 + row] * 8


def test_the_loser_can_go_on_after_one_read(api, together):
    player = api.new_game("astrocyte", 4)

    def until_played(own, n):
        for _ in range(100):
            move = one_of(own.game["legal_moves"], n)
            if own.play(move, Idempotency_Key=str(uuid.uuid4())).status == 200:
                return own
            own.read()
        raise AssertionError("never got a turn")

    together(player, 6, until_played)
    assert player.read().json["version"] == 7


def test_two_hundred_mixed_requests_of_32_clients_are_all_answered(api, together):
    player = api.new_game("astrocyte", 5)

    def some(own, n):
        statuses = []
        for turn in range(7):
            kind = (n + turn) % 4
            if kind == 0:
                statuses.append(own.read().status)
            elif kind == 1:
                statuses.append(own.undo().status)
            else:
                statuses.append(own.play(one_of(own.game["legal_moves"], turn)).status)
            own.read()
        return statuses

    answers = [status for each in together(player, 32, some) for status in each]
    assert len(answers) == 224
    assert set(answers) <= {200, 409}
    game = player.read().json
    line = api.get(f"{player.path}/moves").json["items"]
    assert len(line) == game["ply"]
    accepted_writes = game["version"] - 1
    assert accepted_writes == game["counters"]["moves"] + game["counters"]["undos"]


def test_games_made_together_by_all_workers_differ_in_id_and_cards(api, service, contract):
    def make(_):
        with api_at(service.port, contract) as client:
            return [client.new_game("binary-star").game for _ in range(20)]

    with ThreadPoolExecutor(20) as pool:
        games = [game for made in pool.map(make, range(20)) for game in made]
    assert len({game["id"] for game in games}) == 400
    assert len({str(game["piles"]) for game in games}) == 400
    assert len({game["deal"]["commitment"] for game in games}) == 400
