"""Both clients as one that blocks, and wires that lose requests and answers."""

import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from service.client import Asterism, AsyncAsterism
from service.client.played_game import GameHandle
from tests.support.awaiting import Runner

URL = "http://asterism.test"

WEB_PAGE = {"content-type": "text/html; charset=utf-8"}


def busy(
    status: int = 429, code: Any = "too-many-requests", rule: str | None = None, **headers: str
) -> httpx.Response:
    """A refusal for now, as a service gives it."""
    problem = {
        "type": f"{URL}/problems/too-many-requests",
        "title": "Too many requests",
        "status": status,
        "detail": "At most 6000 moves a minute.",
        "code": code,
        "rule": rule,
        "policy": "game-moves",
    }
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(
        status,
        headers={**sent, "content-type": "application/problem+json"},
        content=json.dumps(problem),
        request=httpx.Request("POST", f"{URL}/v1/games"),
    )


class Awaited:
    """A client or a game whose methods are awaited, here until they have a result."""

    def __init__(self, target: Any, runner: Runner) -> None:
        self._target, self._runner = target, runner

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._target, name)
        return self._awaiting(attribute) if callable(attribute) else attribute

    def _awaiting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            result = method(*args, **options)
            if isinstance(result, AsyncIterator):
                return self._items(result)
            if inspect.isawaitable(result):
                result = self._runner.run(_await(result))
            return Awaited(result, self._runner) if isinstance(result, GameHandle) else result

        return call

    def _items(self, items: Any) -> Iterator[Any]:
        try:
            while (item := self._runner.run(anext(items, _END))) is not _END:
                yield item
        finally:
            self._runner.run(items.aclose())


_END = object()


async def _await(result: Any) -> Any:
    return await result


@contextmanager
def blocking(url: str, **options: Any) -> Iterator[Asterism]:
    """The blocking client."""
    with Asterism(url, **options) as client:
        yield client


@contextmanager
def awaited(url: str, **options: Any) -> Iterator[Awaited]:
    """The other one, as if it blocked."""
    if "transport" in options:
        options["transport"] = Asynchronous(options["transport"])
    with Runner() as runner:
        client = AsyncAsterism(url, **options)
        try:
            yield Awaited(client, runner)
        finally:
            runner.run(client.aclose())


FACES = {"blocking": blocking, "awaited": awaited}


class Asynchronous(httpx.AsyncBaseTransport):
    """A transport that blocks, for the client that does not."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = self._transport.handle_request(request)
        stream = AsynchronousStream(response.stream)
        return httpx.Response(response.status_code, headers=response.headers, stream=stream)


class AsynchronousStream(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._stream:
            yield part

    async def aclose(self) -> None:
        self._stream.close()


class Wire(httpx.BaseTransport):
    """The way to an application in this process, on which things get lost.

    `faults` come first, one for each request: `answer lost` after the request was carried out,
    `request lost` before it, or a response that something on the way gives in its place.
    """

    def __init__(self, app: Any) -> None:
        self._inner = httpx.WSGITransport(app)
        self.faults: list[str | httpx.Response] = []
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Carries a request, or loses it."""
        self.requests.append(request)
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, httpx.Response):
            return fault
        if fault == "request lost":
            raise httpx.ConnectError("Connection refused", request=request)
        response = self._inner.handle_request(request)
        if fault == "answer lost":
            response.read()
            raise httpx.ReadError("Connection reset by peer", request=request)
        if fault == "broken off":
            return httpx.Response(
                response.status_code, headers=response.headers, stream=_Broken(response.stream)
            )
        return response


class _Broken(httpx.SyncByteStream):
    """A stream that breaks off in the middle of its first message."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if len(part) > 1:
                yield part[: len(part) // 2]
                raise httpx.ReadError("Connection reset by peer")
            yield part

    def close(self) -> None:
        self._stream.close()
