"""Figures are exact, however often a process ends between keeping a game and entering its result.

Many games are played here, most of them to their ends, on a real server. Again and again the
process that plays one is killed before some command of its last request reaches the server. Some
clients send the request again, others never do. What is entered then is swept, and the sweep is
killed too.
"""

import random
from collections import Counter, defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median

import pytest
from redis import Redis

from service.deals.deal import PublicDeal, SealedDeal
from service.deals.shuffle import numbered_seed
from service.games import VARIANTS
from service.games.boards import parse_position
from service.games.moves import parse_move
from service.play import keys
from service.play.calendar import Calendar
from service.play.compute_pool import ComputePool
from service.play.gameplay import Gameplay, WriteRequest
from service.play.keys import ServerKey
from service.records.events import Event
from service.records.game import Counters, Game, Outcome, Receipt
from service.records.results import of_deal, of_games
from service.records.statistics import wilson
from service.store import Change
from service.store.nodes import SingleNode
from service.store.redis import store_on
from tests.conftest import TTL
from tests.http.kit import NEARLY_WON
from tests.support.servers import SERVER_KEY, StoreServer, valkey_9

GAMES = 2_000
A_DAY = 24 * 60 * 60
TODAY = 20_000 * A_DAY
"""The first second of the two days on which all is played."""
AFTERWARDS = TODAY + 40 * A_DAY
"""When the days are public, and games that never ended have expired."""
KEY = ServerKey(SERVER_KEY.encode())
LABELS = (None, "ada", "bob", "星")
WINS = {
    "astrocyte": (NEARLY_WON, "t1f1x13"),
    "binary-star": ("t1: 7C\nf1: 6H\nf2: KS", "t1f1"),
}
"""A board of each variant, and the move that wins on it."""


class Killed(BaseException):
    """The process has ended: no code of its own goes on after this."""


class Mortal(Redis):
    """A client whose process is killed before one of its commands."""

    left = None

    def execute_command(self, *command, **options):
        self.live_on()
        return super().execute_command(*command, **options)

    def pipeline(self, *args, **options):
        """Commands that are sent together; the process may be killed before them."""
        self.live_on()
        return super().pipeline(*args, **options)

    def live_on(self):
        """Ends the process if its time has come."""
        if self.left == 0:
            raise Killed
        if self.left is not None:
            self.left -= 1


class Town:
    """Plays games as they come, and knows of each what it came to."""

    def __init__(self, url, seed):
        self.choice = random.Random(seed)
        self.client = Mortal.from_url(url)
        self.store = store_on(SingleNode(self.client), SingleNode(self.client), TTL)
        self.now = TODAY
        self.play = Gameplay(self.store, KEY, TTL, ComputePool(1), lambda: self.now)
        self.calendar = Calendar(KEY, lambda: self.now * 1000)
        self.first, self.begun = {}, {}
        self.crashes = 0

    @contextmanager
    def mortal(self, chance, longest=5):
        """Lets the process be killed meanwhile, before one of so many commands."""
        if self.choice.random() < chance:
            self.client.left = self.choice.randrange(longest)
        try:
            yield
        except Killed:
            self.crashes += 1
        finally:
            self.client.left = None

    def new_game(self):
        """A game that is one move short of its win, as if it had been played so far."""
        choice = self.choice
        variant = VARIANTS[choice.choice(list(VARIANTS))]
        deal = choice.choice(
            [
                PublicDeal(variant, choice.randrange(1, 6)),
                SealedDeal(variant, numbered_seed(variant.name, choice.getrandbits(60))),
                self.calendar.deal(variant, self.calendar.today),
            ]
        )
        label, id = choice.choice(LABELS), keys.new_game_id()
        game = Game(
            id=id,
            deal=deal,
            position=parse_position(variant, WINS[variant.name][0]),
            created_at=int(self.now * 1000) - choice.randrange(10**6),
            updated_at=int(self.now * 1000),
            receipt=Receipt(keys.fingerprint(b"created"), Outcome()),
            label=label,
            counters=Counters(*(choice.choice([0, 0, 1, choice.randrange(300)]) for _ in "muhr")),
            first_attempt=self.play.standings.is_first_attempt(deal, label, id),
        )
        self.store.save(Change(game, Event(1, "created", game.created_at), {}))
        self.first.setdefault((deal.id, label), id)
        return game

    def end(self, game):
        """Sends the last request of a game, with luck until it is answered."""
        order = WriteRequest(
            game.id, KEY.play_token(game.id, 1), 1, keys.fingerprint(b"the last request")
        )
        move = parse_move(WINS[game.variant.name][1])
        win = self.choice.random() < 0.6
        for _ in range(self.choice.choice([1, 1, 2, 5])):
            with self.mortal(0.3):
                answer = self.play.move(order, [move]) if win else self.play.resign(order)
                assert answer.game.is_over
                break

    def live(self):
        """Plays a game; deletes it now and then."""
        game = self.new_game()
        self.now += self.choice.choice([0, 60, 3600, 8 * 3600])
        self.end(game)
        kept = self.store.load(game.id)
        if kept.is_begun:
            self.begun[game.id] = kept
            if self.choice.random() < 0.05:
                with self.mortal(0.5):
                    self.play.delete(game.id, KEY.play_token(game.id, 1), None)

    def sweep(self):
        """Sweeps until a sweep comes to its end; as many of them as it took."""
        sweeps = 0
        while True:
            sweeps += 1
            with self.mortal(0.9, 500):
                return self.play.standings.sweep(), sweeps


@pytest.fixture
def valkey(tmp_path):
    """A Valkey server of which nobody else knows."""
    with StoreServer(valkey_9(), tmp_path) as running:
        yield running


def truth(town):
    """Figures by list and group, counted from the games themselves."""
    lists = defaultdict(lambda: defaultdict(list))
    for game in town.begun.values():
        names = {of_games(game.variant.name)}
        if game.label:
            names.add(of_games(game.variant.name, game.label))
        if game.deal.fairness != "sealed":
            names.add(of_deal(game.deal.id))
        first = game.deal.fairness == "sealed" or (
            game.label is not None and town.first[game.deal.id, game.label] == game.id
        )
        counters = game.counters
        groups = {
            "all": True,
            "first_attempts": first,
            "ranked": first and game.deal.id.endswith(f"-daily-{day_of(game.updated_at)}"),
            "without_help": counters.undos == counters.hints == 0,
            "with_undo": counters.undos > 0,
            "with_hints": counters.hints > 0,
            "label_owned": game.label_owned,
        }
        for name in names:
            for group, belongs in groups.items():
                lists[name][group] += [game] * belongs
    return {
        name: {group: counted(groups[group]) for group in GROUPS} for name, groups in lists.items()
    }


def day_of(milliseconds):
    """The day on which a moment lies, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date()


GROUPS = (
    "all",
    "first_attempts",
    "ranked",
    "without_help",
    "with_undo",
    "with_hints",
    "label_owned",
)


def counted(games):
    """What games come to."""
    won = [game for game in games if game.status == "won"]
    came_to = Counter(game.status if game.is_over else "left" for game in games)
    rate = (len(won) / len(games), *wilson(len(won), len(games))) if games else None
    spreads = [
        (min(values), median(values), max(values)) if won else None
        for values in (
            [game.counters.moves for game in won],
            [game.updated_at - game.created_at for game in won],
        )
    ]
    outcomes = ("won", "resigned", "stuck", "left", "open")
    return (len(games), {outcome: came_to[outcome] for outcome in outcomes}, rate, *spreads)


def test_figures_are_exact_after_many_games_and_crashes_between_the_two_steps(valkey):
    town = Town(valkey.url, seed=6)
    for number in range(GAMES):
        town.now = TODAY + number * 75
        town.live()
    town.now = AFTERWARDS
    expected = truth(town)

    def told():
        return {name: town.play.standings.figures(name) for name in expected}

    before = told()
    missing = sum(
        groups["all"][1]["won"] - before[name]["all"].outcomes["won"]
        for name, groups in expected.items()
    )
    assert town.crashes > 200
    assert missing > 20, "the crashes have kept nothing from the figures: nothing is tested"

    swept, sweeps = town.sweep()
    assert sweeps > 1, "no sweep was killed"
    assert told() == expected
    assert swept.begun < len(town.begun), "some have been deleted, and are counted all the same"
    assert swept.unreadable == 0
    town.sweep()
    assert told() == expected, "nothing changes when it is swept again"
