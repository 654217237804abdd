"""The plain reading: a second, independent implementation of the rules of both games.

It is slow and simple and shares nothing with the service, not even an import: it has its own
shuffle, and finds legal moves by trying every source, target and count. Where the two disagree, one
of them has misread the rules.

Tables are read and shown as text boards, `t1: [2S 4H] 9H TD`, and moves as texts, `t3t5x4`.
"""

import hashlib
import hmac
import itertools
import re

RANKS = "A23456789TJQK"
SUITS = "CDHS"


def rank(card):
    return RANKS.index(card[0]) + 1


def join(one, other):
    """Ranks one apart; ace and king, twelve apart, join too (B5)."""
    return abs(rank(one) - rank(other)) in (1, 12)


def is_run(cards):
    """One suit, each card one rank lower than the card under it."""
    return all(
        upper[1] == lower[1] and rank(upper) == rank(lower) - 1
        for lower, upper in itertools.pairwise(cards)
    )


def spell(source, target, count):
    return f"{source}{target}x{count}" if count > 1 else f"{source}{target}"


def unspell(move):
    source, target, count = re.fullmatch(r"([tcf]\d+)([tcf]\d+)(?:x(\d+))?", move).groups()
    return source, target, int(count or 1)


def stream(seed):
    """The 32-bit numbers that a seed gives, first to last."""
    for block in itertools.count():
        key = b"asterism-shuffle/1" + block.to_bytes(4, "big")
        digest = hmac.new(seed, key, hashlib.sha256).digest()
        for word in range(8):
            yield int.from_bytes(digest[4 * word : 4 * word + 4], "big")


def shuffle(cards, seed):
    """The shuffled cards, and how many numbers were thrown away because they were too high."""
    cards, numbers, thrown = list(cards), stream(seed), 0
    last = len(cards) - 1
    while last > 0:
        choices = last + 1
        number = next(numbers)
        while number >= 2**32 - 2**32 % choices:
            thrown += 1
            number = next(numbers)
        place = number % choices
        cards[last], cards[place] = cards[place], cards[last]
        last -= 1
    return cards, thrown


def shuffled_pack(game, number):
    cards = [rank + suit for _ in range(2) for suit in SUITS for rank in RANKS]
    for card in GAMES[game].laid_out_first:
        cards.remove(card)
    seed = hashlib.sha256(f"asterism-deal/1|{game}|{number}".encode()).digest()
    return shuffle(cards, seed)[0]


def deal(game, number):
    """The table that a numbered deal of `game` lays out."""
    table = GAMES[game]()
    table.lay_out(shuffled_pack(game, number))
    return table


def read(game, board):
    """The table that a text board shows."""
    table = GAMES[game]()
    for line in board.splitlines():
        id, _, cards = line.partition(":")
        hidden = re.search(r"\[(.*)\]", cards)
        table.down[id] = len(hidden[1].split()) if hidden else 0
        table.cards[id] = re.findall(r"[^\s\[\]-]+", cards)
    return table


def perft(table, depth):
    """How many lines of `depth` listed moves there are."""
    if depth == 0:
        return 1
    return sum(perft(table.after(move), depth - 1) for move in table.listed())


class Table:
    """What both games share. `cards[id]` are all cards of a pile, the lowest `down[id]` unseen."""

    piles = ()
    laid_out_first = ()

    def __init__(self):
        self.cards = {id: [] for id in self.piles}
        self.down = dict.fromkeys(self.piles, 0)

    def seen(self, id):
        return self.cards[id][self.down[id] :]

    def show(self):
        lines = []
        for id in self.piles:
            hidden = self.cards[id][: self.down[id]]
            parts = ["[" + " ".join(hidden) + "]"] if hidden else []
            lines.append(f"{id}: {' '.join(parts + self.seen(id)) or '-'}")
        return "\n".join(lines)

    def copy(self):
        other = type(self)()
        other.cards = {id: list(cards) for id, cards in self.cards.items()}
        other.down = dict(self.down)
        return other

    def after(self, move):
        """Another table, as this one looks after `move`."""
        other = self.copy()
        other.play(move)
        return other

    def accepted(self):
        """Every move that the rules allow, those that change nothing included."""
        if self.won():
            return set()
        tries = itertools.product(self.piles, self.piles, range(1, 15))
        moves = {spell(*attempt) for attempt in tries if self.may(*attempt)}
        return moves | ({"deal"} if self.may_deal() else set())

    def listed(self):
        """The allowed moves that change the game; of empty piles of a kind only the first."""
        return {
            move
            for move in self.accepted()
            if move == "deal"
            or not (self.changes_nothing(*unspell(move)) or self.has_a_twin_before(*unspell(move)))
        }

    def has_a_twin_before(self, source, target, count):
        """Whether the target is empty, and so is one of its kind with a lower number."""
        lower = [f"{target[0]}{n}" for n in range(1, int(target[1:]))]
        return not self.cards[target] and any(not self.cards[id] for id in lower)

    def play(self, move):
        """Changes this table: lifts, lays down, and turns up a bared card."""
        source, target, count = unspell(move)
        lifted = self.cards[source][-count:]
        del self.cards[source][-count:]
        self.cards[target].extend(lifted)
        if self.down[source] and self.down[source] == len(self.cards[source]):
            self.down[source] -= 1


class BinaryStar(Table):
    fans = tuple(f"t{n}" for n in range(1, 18))
    holes = ("f1", "f2")
    piles = fans + holes
    laid_out_first = ("AH", "KS")

    def lay_out(self, pack):
        self.cards["f1"], self.cards["f2"] = ["AH"], ["KS"]
        pack = iter(pack)
        for _ in range(6):
            for fan in self.fans:
                self.cards[fan].append(next(pack))

    def may(self, source, target, count):
        if count != 1 or source == target or target in self.fans:
            return False
        base = 1 if source in self.holes else 0
        if len(self.cards[source]) <= base:
            return False
        return join(self.cards[source][-1], self.cards[target][-1])

    def may_deal(self):
        return False

    def changes_nothing(self, source, target, count):
        return False

    def won(self):
        return all(self.cards[fan] == [] for fan in self.fans)

    def stuck(self):
        """Whether no fan card can be played after any row of transfers: they are all tried."""
        if self.won():
            return False
        seen, waiting = set(), [self]
        while waiting:
            table = waiting.pop()
            holes = tuple(tuple(table.cards[hole]) for hole in self.holes)
            if holes in seen:
                continue
            seen.add(holes)
            if any(table.may(fan, hole, 1) for fan in self.fans for hole in self.holes):
                return False
            transfers = [("f1", "f2", 1), ("f2", "f1", 1)]
            waiting += [table.after(spell(*one)) for one in transfers if table.may(*one)]
        return True


class Astrocyte(Table):
    columns = tuple(f"t{n}" for n in range(1, 9))
    cells = tuple(f"c{n}" for n in range(1, 5))
    foundations = tuple(f"f{n}" for n in range(1, 9))
    piles = (*columns, *cells, *foundations, "s")

    def lay_out(self, pack):
        pack = list(pack)
        for _ in range(8):
            for column in self.columns:
                self.cards[column].append(pack.pop(0))
        for column in self.columns:
            self.down[column] = 7
        self.cards["s"], self.down["s"] = pack, len(pack)

    def may(self, source, target, count):
        if source == target or "s" in (source, target):
            return False
        if count > len(self.seen(source)):
            return False
        if source not in self.columns and count > 1:
            return False
        lifted = self.seen(source)[-count:]
        under = self.cards[target]
        if not is_run(lifted):
            return False
        if target in self.columns:
            return under == [] or rank(under[-1]) == rank(lifted[0]) + 1
        if target in self.cells:
            return under == [] and count == 1
        return under == [] and count == 13 and source in self.columns

    def may_deal(self):
        return self.cards["s"] != [] and all(self.cards[column] for column in self.columns)

    def changes_nothing(self, source, target, count):
        if source in self.cells and target in self.cells:
            return True
        whole = source in self.columns and count == len(self.cards[source])
        return whole and target in self.columns and self.cards[target] == []

    def won(self):
        return all(len(self.cards[home]) == 13 for home in self.foundations)

    def stuck(self):
        return not self.won() and not self.listed()

    def play(self, move):
        if move != "deal":
            super().play(move)
            return
        for column in self.columns:
            self.cards[column].append(self.cards["s"].pop(0))
            self.down["s"] -= 1


GAMES = {"binary-star": BinaryStar, "astrocyte": Astrocyte}
