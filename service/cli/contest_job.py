"""Games of bots as a job: each bot at each deal, in process or on a service."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import NamedTuple

from typing_extensions import override

from service.bots.asking import Monitor
from service.bots.playing import play_deal
from service.cli.json_lines import place_of
from service.cli.workers import Job
from service.deals.catalogue import Row
from service.errors import AsterismError


class Remote(NamedTuple):
    """A service, and the label under which games on it are played, with its key, if any."""

    url: str
    label: str | None
    label_key: str | None


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

        url, label, key = self.remote
        found = over_http.play_deal(
            over_http.client(url),
            self.variant,
            bot,
            self.seed,
            number,
            label=label,
            label_key=key,
            monitor=monitor,
        )
        return asdict(found)

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

    def place(self, row: Row, line: int) -> int:
        """The index of the game that `row` tells of; see `service.cli.json_lines.Place`."""
        ours = row["variant"] == self.variant and row["seed"] == self.seed
        if not ours or ("requests" in row) != (self.remote is not None):
            raise ValueError
        bot = self.bots.index(row["bot"])
        if self.numbers is not None:
            return place_of(self.numbers, row, line // len(self.bots)) * len(self.bots) + bot
        if row["deal"].isdigit() or line >= len(self):
            raise ValueError
        return line

    def _task(self, index: int) -> tuple[str, int | None]:
        game, bot = divmod(index, len(self.bots))
        return self.bots[bot], None if self.numbers is None else self.numbers[game]
