"""The two drivers, which alone do I/O: they take the steps of a method, blocking or awaiting."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import anyio
import httpx

from service.client.calls import Call, Item, Items, NextLine, Open, Opened, Pause, Send, Steps, T
from service.client.retries import Link

_STREAM_TIMEOUT = 30.0
"""Seconds without a line after which a stream is lost; a heartbeat comes every ten."""


class Sync:
    """Waits for each step."""

    def __init__(self, http: httpx.Client, link: Link) -> None:
        self.http, self.link = http, link

    def run(self, steps: Steps[T]) -> T:
        """The result of the steps."""
        with ExitStack() as streams:
            result: Any = None
            while True:
                try:
                    step = steps.send(result)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                result = self._take(step, streams)

    def iterate(self, items: Items[T]) -> Iterator[T]:
        """The items, as they come."""
        with ExitStack() as streams:
            result: Any = None
            while True:
                try:
                    step = items.send(result)
                except StopIteration:
                    return
                if isinstance(step, Item):
                    result = yield step.value
                else:
                    result = self._take(step, streams)

    def _take(self, step: object, streams: ExitStack) -> Any:
        """The result of a step; streams stay open on the stack."""
        try:
            match step:
                case Pause(seconds):
                    time.sleep(seconds)
                case NextLine(lines):
                    return next(lines, None)
                case Send(call):
                    return self.http.send(_request(self.http, call))
                case Open(call):
                    streams.close()
                    request = _request(self.http, call, _STREAM_TIMEOUT)
                    response = self.http.send(request, stream=True)
                    streams.callback(response.close)
                    if not response.is_success:
                        response.read()
                    return Opened(response, response.iter_lines())
        except httpx.RequestError as error:
            return error
        return None


class Async:
    """Awaits each step."""

    def __init__(self, http: httpx.AsyncClient, link: Link) -> None:
        self.http, self.link = http, link

    async def run(self, steps: Steps[T]) -> T:
        """The result of the steps."""
        async with AsyncExitStack() as streams:
            result: Any = None
            while True:
                try:
                    step = steps.send(result)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                result = await self._take(step, streams)

    async def iterate(self, items: Items[T]) -> AsyncIterator[T]:
        """The items, as they come."""
        async with AsyncExitStack() as streams:
            result: Any = None
            while True:
                try:
                    step = items.send(result)
                except StopIteration:
                    return
                if isinstance(step, Item):
                    result = yield step.value
                else:
                    result = await self._take(step, streams)

    async def _take(self, step: object, streams: AsyncExitStack) -> Any:
        """The result of a step; streams stay open on the stack."""
        try:
            match step:
                case Pause(seconds):
                    await anyio.sleep(seconds)
                case NextLine(lines):
                    return await anext(lines, None)
                case Send(call):
                    return await self.http.send(_request(self.http, call))
                case Open(call):
                    await streams.aclose()
                    request = _request(self.http, call, _STREAM_TIMEOUT)
                    response = await self.http.send(request, stream=True)
                    streams.push_async_callback(response.aclose)
                    if not response.is_success:
                        await response.aread()
                    return Opened(response, response.aiter_lines())
        except httpx.RequestError as error:
            return error
        return None


def _request(
    http: httpx.Client | httpx.AsyncClient, call: Call[Any], timeout: float | None = None
) -> httpx.Request:
    """The call as a request of httpx; its timeout is that of the client unless one is given."""
    return http.build_request(
        call.method,
        call.path,
        params=call.query or None,
        headers=call.headers,
        content=call.content,
        timeout=http.timeout if timeout is None else timeout,
    )
