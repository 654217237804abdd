"""A way to a store server that can be slow, or break off in the middle of an answer."""

import asyncio
import threading
from contextlib import suppress


class Proxy:
    """Passes connections on to a server on loopback, as badly as it is set to.

    `delay` is in seconds, for each piece of an answer. Of as many pieces as `cut_every` says, one
    is passed on by half and its connection closed; of none where that is 0.
    """

    def __init__(self, port: int) -> None:
        self.delay, self.cut_every, self.cuts = 0.0, 0, 0
        self._port, self._pieces = port, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._listener = self._do(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.sockets[0].getsockname()[1]}/0"

    def stop(self) -> None:
        """Ends all connections."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _end(self) -> None:
        self._listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, asks: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        writers = [answers]
        try:
            with suppress(OSError):
                there, server = await asyncio.open_connection("127.0.0.1", self._port)
                writers.append(server)
                ways = [self._ask(asks, server), self._answer(there, answers)]
                tasks = [asyncio.ensure_future(way) for way in ways]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            for writer in writers:
                writer.transport.abort()

    async def _ask(self, asks: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        while piece := await asks.read(65536):
            server.write(piece)
            await server.drain()

    async def _answer(self, there: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        while piece := await there.read(65536):
            await asyncio.sleep(self.delay)
            self._pieces += 1
            cut = self.cut_every and self._pieces % self.cut_every == 0
            answers.write(piece[: len(piece) // 2] if cut else piece)
            await answers.drain()
            if cut:
                self.cuts += 1
                return
