"""The client: `Asterism`, which blocks, and `AsyncAsterism`, whose methods are awaited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

import httpx

from service.client import answers
from service.client.calls import NONE, Items, Reader, Steps, T, bearer, get, post
from service.client.creation import Recorded, deal_of
from service.client.deals import Commitment, DailyDeal, DailyDeals, KnownDeal
from service.client.drivers import Async, Sync
from service.client.errors import WrongUrl
from service.client.models import (
    CreatedGame,
    Game,
    JudgedPosition,
    KnownPile,
    Ruling,
    Variant,
    VariantSummary,
)
from service.client.operations import D, Driven, Listing, Operation
from service.client.pages import Page, every_item
from service.client.played_game import GameHandle
from service.client.results import LeaderboardItem, Result, Stats
from service.client.retries import Link, exchange

DEFAULT_URL = "http://127.0.0.1:8000"

_VARIANTS = answers.json_of(Page[VariantSummary])
_VARIANT = answers.json_of(Variant)
_CREATED = answers.json_of(CreatedGame)
_GAME = answers.json_of(Game)
_COMMITMENT = answers.json_of(Commitment)
_RULING = answers.json_of(Ruling)
_JUDGED = answers.json_of(JudgedPosition)
_DEALS = answers.json_of(Page[KnownDeal])
_DAILY = answers.json_of(DailyDeals)
_RESULTS = answers.json_of(Page[Result])
_STATS = answers.json_of(Page[Stats])
_LEADERBOARD = answers.json_of(Page[LeaderboardItem])


class Service(Driven[D]):
    """What both clients can do. Every method raises `ClientError` when it cannot."""

    @Operation
    def variants(self) -> Steps[tuple[VariantSummary, ...]]:
        """The games that can be played."""
        page = yield from self._get("variants", read=_VARIANTS)
        return page.items

    @Operation
    def variant(self, name: str) -> Steps[Variant]:
        """One variant: rules, layout, and every action by index."""
        return self._get("variants", name, read=_VARIANT)

    @Operation
    def rules(self, variant: str) -> Steps[str]:
        """The rules of a variant, in Markdown."""
        found = yield from self._get("variants", variant, read=_VARIANT)
        return found.rules

    @Operation
    def new_game(  # noqa: PLR0913 - the ways to get a deal
        self,
        variant: str,
        *,
        deal: int | str | None = None,
        daily: bool | date | str = False,
        commitment: Commitment | str | None = None,
        player_seed: str | None = None,
        replay: Recorded | None = None,
        ply: int | None = None,
        label: str | None = None,
        label_key: str | None = None,
    ) -> Steps[GameHandle[D]]:
        """Creates a game, of a random deal if nothing else is asked for.

        `deal` is a number. `daily` is True for today's deal, or its day. A `commitment` (see
        `commit`) and a `player_seed` of one's own, 16 to 64 bytes in hexadecimal digits, make a
        deal that nobody can choose. A `replay` with its deal is continued after `ply` moves, or
        after all of them. A `label` names who plays; its first game has a `label_key`, with which
        all others are played as its owner.
        """
        day = None if isinstance(daily, bool) else daily
        if daily is True:
            day = (yield from self._get("deals", "daily", read=_DAILY)).day
        chosen = deal_of(
            number=deal,
            day=day,
            commitment=commitment,
            player_seed=player_seed,
            replay=replay,
            ply=ply,
        )
        optional = {"label": label, "label_key": label_key}
        given = {name: value for name, value in optional.items() if value is not None}
        body = {"variant": variant, "deal": chosen, **given}
        created = yield from self._post("games", read=_CREATED, body=body)
        return GameHandle(self._driver, created.game, created.play_token, created.label_key)

    @Operation
    def game(self, id: str, token: str | None = None) -> Steps[GameHandle[D]]:
        """An existing game; without its play token, only to watch."""
        state = yield from self._get("games", id, read=_GAME, headers=bearer(token))
        return GameHandle(self._driver, state, token)

    @Operation
    def commit(self) -> Steps[Commitment]:
        """Makes the service commit to its seed, before it knows yours."""
        return self._post("commitments", read=_COMMITMENT, body={})

    @Operation
    def verify(self, replay: Recorded) -> Steps[Ruling]:
        """How far a replay is right, and its first error."""
        return self._post("referee", "verify", read=_RULING, body=replay)

    @Operation
    def judge(
        self,
        variant: str,
        piles: Sequence[KnownPile | Mapping[str, Any]],
        moves: Sequence[str] = (),
    ) -> Steps[JudgedPosition]:
        """What can be played in a position with all cards known, after `moves`."""
        body = {"variant": variant, "piles": piles, "moves": moves}
        return self._post("referee", "positions", read=_JUDGED, body=body)

    @Listing
    def deals(
        self, variant: str, *, proven: bool = False, difficulty: int | None = None
    ) -> Items[KnownDeal]:
        """The numbered deals that have been analysed; with `proven` those known to be winnable."""
        solvable = "proven" if proven else None
        query = {"variant": variant, "solvable": solvable, "difficulty": difficulty}
        return every_item(("deals",), _DEALS, self._driver.link, {}, **query)

    @Operation
    def deal(self, id: str) -> Steps[KnownDeal | DailyDeal]:
        """One deal, such as `binary-star-1` or `astrocyte-daily-2026-11-30`."""
        return self._get("deals", id, read=answers.deal)

    @Operation
    def daily(self) -> Steps[DailyDeals]:
        """Today's deals."""
        return self._get("deals", "daily", read=_DAILY)

    @Listing
    def results(self, deal_id: str) -> Items[Result]:
        """The results of a deal, best first."""
        return every_item(("deals", deal_id, "results"), _RESULTS, self._driver.link, {})

    @Operation
    def stats(
        self, variant: str | None = None, *, label: str | None = None, deal: str | None = None
    ) -> Steps[tuple[Stats, ...]]:
        """Statistics of begun games, one item for each variant; of one label, or of one deal."""
        query = {"variant": variant, "label": label, "deal": deal}
        page = yield from self._get("stats", read=_STATS, query=query)
        return page.items

    @Listing
    def leaderboard(self, variant: str, *, sort: str | None = None) -> Items[LeaderboardItem]:
        """The owned labels of a variant, by `daily-wins` unless by `streak` or `win-rate`."""
        return every_item(("leaderboards", variant), _LEADERBOARD, self._driver.link, {}, sort=sort)

    def _get(
        self,
        *path: str,
        read: Reader[T],
        query: Mapping[str, str | int | None] = NONE,
        headers: Mapping[str, str] = NONE,
    ) -> Steps[T]:
        call = get(*path, read=read, query=query, headers=headers)
        return exchange(call, self._driver.link)

    def _post(self, *path: str, read: Reader[T], body: Any) -> Steps[T]:
        return exchange(post(*path, read=read, body=body), self._driver.link)


class Asterism(Service[Sync]):
    """A client whose methods return when the service has answered.

    `patience` is for how many seconds a request is repeated while the service cannot be reached, is
    busy or limits requests; `timeout` is for one answer, in seconds. `transport` is one of httpx.
    Threads can share a client.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        patience: float = 30,
        timeout: float = 30,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        http = httpx.Client(
            base_url=_checked(url), headers=_HEADERS, timeout=timeout, transport=transport
        )
        super().__init__(Sync(http, Link(url, patience)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        self._driver.http.close()


class AsyncAsterism(Service[Async]):
    """A client whose methods are awaited, and whose lists are iterated with `async for`.

    The arguments are those of `Asterism`.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        patience: float = 30,
        timeout: float = 30,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        http = httpx.AsyncClient(
            base_url=_checked(url), headers=_HEADERS, timeout=timeout, transport=transport
        )
        super().__init__(Async(http, Link(url, patience)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._driver.http.aclose()


def _version() -> str:
    try:
        return version("asterism")
    except PackageNotFoundError:
        return "0"


_HIGHEST_PORT = 65535
_HEADERS = {"User-Agent": f"asterism-client/{_version()}"}


def _checked(url: str) -> httpx.URL:
    """The URL of a service; raises `WrongUrl` if it is none."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        parsed = httpx.URL()
    is_web = parsed.scheme in ("http", "https") and parsed.host
    if not is_web or (parsed.port or 0) > _HIGHEST_PORT:
        raise WrongUrl(f"{url!r} is not the URL of a service, such as {DEFAULT_URL}.")
    return parsed
