"""Cases of games: what becomes of them, of their hints, their replays and results."""

import json
import time

from tests.reports.site import LONG, case
from tests.support.walks import fixture

KEY = "the-key-of-a-creation-that-is-sent-again"


def of_deal(number):
    """What creates a labelled game of a numbered deal."""
    return {"variant": "astrocyte", "deal": {"number": str(number)}, "label": "p"}


def results(api, number):
    """The results of a numbered deal."""
    return api.get(f"/v1/deals/astrocyte-{number}/results").json["items"]


@case("N2", "a game is deleted and created again with its key", "404, 0 first attempts")
def comes_back(site):
    with site.api() as api:
        player = api.begin(of_deal(2), Idempotency_Key=KEY)
        player.play("deal")
        player.delete()
        api.post("/v1/games", of_deal(2), Idempotency_Key=KEY)
        status = player.read().status
        again = player if status == 200 else api.begin(of_deal(2))
        again.play("deal")
        again.resign()
        return f"{status}, {sum(r['first_attempt'] for r in results(api, 2))} first attempts"


@case("N4", "a hint after 242 moves of deal 5034, which 40 more moves win", "a move")
def dead_end(site):
    told = fixture("astrocyte-5034-dead-end.json")
    with site.api() as api:
        player, moves = api.new_game("astrocyte", told["deal"]), told["line"]
        while moves:
            moves = moves[player.play(*moves[:100]).json["applied"] :]
        hint = player.post("hint", {"version": player.version}).json
    return "a move" if hint["move"] else hint["why"]


@case("N11", "the replay of 9,801 moves is verified, continued and shown", "200, 201, exit 0")
def long_replay(site):
    with site.api() as api:
        replay = api.get(f"{site.long_game}/replay").body
        verified = api.request("POST", "/v1/referee/verify", raw=replay).status
        deal = {"replay": json.loads(replay), "ply": LONG}
        continued = api.post("/v1/games", {"variant": "astrocyte", "deal": deal}).status
    shown, _ = site.run("replay", "-", "--ply", "0", given=replay)
    return f"{verified}, {continued}, exit {shown}"


@case("N41", "a game is resigned, deleted, and looked up in the results", "no replay named")
def dead_link(site):
    with site.api() as api:
        player = api.begin(of_deal(41))
        player.play("deal")
        player.resign()
        player.delete()
        (result,) = results(api, 41)
        return f"{api.get(result['replay']).status}" if result["replay"] else "no replay named"


@case("N42", "a row is dealt, and the game deleted", "1 begun, 1 left")
def dodged(site):
    with site.api() as api:
        player = api.begin(of_deal(42))
        player.play("deal")
        player.delete()
        figures = api.get("/v1/stats?deal=astrocyte-42").json["items"][0]["figures"]["all"]
    return f"{figures.get('begun', figures.get('games'))} begun, {figures.get('left', 0)} left"


@case("N43", "pages of one after 9,700 moves, and of 800 results", "like the page of few")
def pages(site):
    moves = f"{site.long_game}/moves?limit=1"
    with site.api() as api:
        for number in [43] * 800 + [44]:
            api.begin({"variant": "astrocyte", "deal": {"number": str(number)}}).resign()
        many, few = (f"/v1/deals/astrocyte-{number}/results?limit=1" for number in (43, 44))
        late = fastest(api, f"{moves}&after=9700") / fastest(api, moves)
        long = fastest(api, many) / fastest(api, few)
    return "like the page of few" if max(late, long) < 3 else f"{late:.1f} ×, {long:.1f} × as long"


def fastest(api, path):
    """Seconds that a GET takes at its best."""
    took = []
    for _ in range(25):
        begun = time.perf_counter()
        assert api.get(path).status == 200
        took.append(time.perf_counter() - begun)
    return min(took)
