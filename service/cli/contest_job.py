"""Games of bots as a job: each bot at each deal, in process or on a service."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from typing_extensions import override

from service.bots.asking import Monitor
from service.bots.playing import play_deal
from service.cli.line_files import place_of
from service.cli.workers import Job
from service.deals.catalogue import Row
from service.errors import AsterismError


class Remote(NamedTuple):
    """A service, and the label under which games on it are played, with its key, if any."""

    url: str
    label: str | None
    label_key: str | None


class Begun(NamedTuple):
    """A game on a service that has been begun for a task, and its play token."""

    task: int
    game: str
    token: str


@dataclass(frozen=True)
class Contest(Job):
    """Games of `bots` at the deals `numbers`, deal by deal; if None, at so many random deals.

    Random deals need a service. `seed` is that of the bots.
    """

    variant: str
    bots: tuple[str, ...]
    numbers: Sequence[int] | None
    games: int
    seed: int
    remote: Remote | None
    begun: Begun | None = None

    @property
    @override
    def begins_games(self) -> bool:
        return self.remote is not None

    @override
    def __len__(self) -> int:
        return self.games * len(self.bots)

    @override
    def do(self, index: int, monitor: Monitor) -> Row:
        bot, number = self._task(index)
        if self.remote is None:
            assert number is not None
            return asdict(play_deal(self.variant, bot, self.seed, number, monitor))
        from service.bots import over_http  # noqa: PLC0415 - httpx is slow to load

        client = over_http.client(self.remote.url)
        begin = partial(client.new_game, **self._request(number))
        if self.begun is not None and self.begun.task == index:
            begin = partial(client.game, self.begun.game, self.begun.token)
        return asdict(over_http.play(begin, bot, self.seed, monitor))

    @override
    def name(self, index: int) -> str:
        bot, number = self._task(index)
        return f"{bot}, {'a random deal' if number is None else f'deal {number}'}"

    @override
    def abandon(self, game: str, token: str) -> None:
        from service.bots import over_http  # noqa: PLC0415

        assert self.remote is not None
        with suppress(AsterismError):
            over_http.resign(self.remote.url, game, token)

    def claimed(self, kept: Collection[int]) -> tuple["Contest", str | None]:
        """The same games, and the key of their label if it is new.

        The first game that is not `kept` has been begun then, and the others are played with the
        key. Raises `RemoteError`.
        """
        task = next((n for n in range(len(self)) if n not in kept), None)
        remote = self.remote
        if task is None or remote is None or remote.label is None or remote.label_key is not None:
            return self, None
        from service.bots import over_http  # noqa: PLC0415
        from service.client import Asterism  # noqa: PLC0415

        with over_http.remote_errors(), Asterism(remote.url) as asterism:
            game = asterism.new_game(**self._request(self._task(task)[1]))
        begun = Begun(task, game.id, game.token or "")
        remote = remote._replace(label_key=game.label_key)
        return replace(self, remote=remote, begun=begun), game.label_key

    def place(self, row: Row, line: int) -> int:
        """The index of the game that `row` tells of; see `service.cli.line_files.Place`."""
        ours = row["variant"] == self.variant and row["seed"] == self.seed
        if not ours or ("requests" in row) != (self.remote is not None):
            raise ValueError
        bot = self.bots.index(row["bot"])
        if self.numbers is not None:
            return place_of(self.numbers, row, line // len(self.bots)) * len(self.bots) + bot
        if row["deal"].isdigit() or line >= len(self):
            raise ValueError
        return line

    def _request(self, number: int | None) -> dict[str, Any]:
        """How a game at this deal, or at a random one, is asked for."""
        assert self.remote is not None
        _, label, key = self.remote
        return {"variant": self.variant, "deal": number, "label": label, "label_key": key}

    def _task(self, index: int) -> tuple[str, int | None]:
        game, bot = divmod(index, len(self.bots))
        return self.bots[bot], None if self.numbers is None else self.numbers[game]
