"""Processes that work through a job on all cores, and are ended when they hang."""

import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol

from typing_extensions import override

from service.bots.asking import Monitor
from service.deals.catalogue import Row
from service.errors import AsterismError, WorkerError
from service.server.with_parent import end_with_parent

_POLL = 0.2
"""Seconds between two looks at whether somebody hangs."""
_SETTLING = 5.0
"""Seconds that games which are being begun get to be known, and ended, before a run ends."""
_IDLE = -1.0
_NO_TASK = -1


class Job(Protocol):
    """Tasks, each known by its index, that give a JSON row each. It can be pickled."""

    @property
    def begins_games(self) -> bool:
        """Whether each task begins a game on a service, and tells the monitor of it."""
        return False

    def __len__(self) -> int:
        """The number of tasks."""

    def do(self, index: int, monitor: Monitor) -> Row:
        """Does a task. Raises `AsterismError`."""

    def name(self, index: int) -> str:
        """What a task is, for errors."""

    def abandon(self, game: str, token: str) -> None:
        """Ends a game on a service that was begun by a task which cannot end it any more."""
        return


class Done(NamedTuple):
    """A task that has been done."""

    task: int
    row: Row


class _Failed(NamedTuple):
    reason: str


class _Begun(NamedTuple):
    """A game of a service, until None follows."""

    game: tuple[str, str] | None


class _Reporter(Monitor):
    """Tells the main process since when a bot has been thinking, and about which ply."""

    def __init__(self, shared: Any, pipe: Connection) -> None:
        self._shared, self._pipe = shared, pipe

    @override
    def thinking(self, ply: int) -> None:
        self._shared[1] = ply
        self._shared[0] = time.monotonic()

    @override
    def idle(self) -> None:
        self._shared[0] = _IDLE

    @override
    def begun(self, game: str, token: str) -> None:
        self._pipe.send(_Begun((game, token)))

    @override
    def ended(self) -> None:
        self._pipe.send(_Begun(None))


class _Worker:
    """A process, its task, and the game of a service that it plays, if any."""

    task = _NO_TASK
    game: tuple[str, str] | None = None

    def __init__(self, job: Job) -> None:
        self._job = job
        self._shared = multiprocessing.RawArray("d", [_IDLE, 0])
        self.pipe, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(
            target=_work, args=(job, theirs, self._shared), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, index: int) -> None:
        """Hands it a task."""
        self.task = index
        with suppress(BrokenPipeError):  # it has died; `receive` will tell
            self.pipe.send(index)

    def receive(self) -> Row | AsterismError | None:
        """The row of its task, the error that ended it, or None if it told something else."""
        try:
            message = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode
            message = _Failed(f"The process for {self._job.name(self.task)} has ended ({code}).")
        if isinstance(message, _Begun):
            self.game = message.game
            return None
        self.task = _NO_TASK
        if isinstance(message, _Failed):
            return WorkerError(message.reason)
        row: Row = message
        return row

    def settle(self, deadline: float) -> None:
        """Waits for the game that its task begins, if it has not told of one yet."""
        while self.task != _NO_TASK and self.game is None:
            if not self.pipe.poll(max(0.0, deadline - time.monotonic())):
                break
            self.receive()

    def hanging(self, timeout: float) -> AsterismError | None:
        """The error that its bot has been thinking for longer than `timeout` seconds, if so."""
        since, ply = self._shared
        if since == _IDLE or time.monotonic() - since <= timeout:
            return None
        return WorkerError(
            f"{self._job.name(self.task)}: no answer within {timeout:g} s at ply {ply:.0f}. Allow "
            "more with --timeout."
        )

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


@contextmanager
def started(job: Job, processes: int) -> Iterator[Sequence[_Worker]]:
    """So many processes for `job`, until the block ends; then they are killed.

    The games on a service that they have not finished are abandoned.
    """
    workers = [_Worker(job) for _ in range(processes)]
    try:
        yield workers
    finally:
        if job.begins_games:
            deadline = time.monotonic() + _SETTLING
            for worker in workers:
                worker.settle(deadline)
        for worker in workers:
            worker.kill()
        for worker in workers:
            if worker.game is not None:
                job.abandon(*worker.game)


def done(
    job: Job, workers: Sequence[_Worker], indices: Sequence[int], timeout: float | None
) -> Iterator[Done]:
    """Lets `workers`, at most one a task, do the tasks `indices` of `job`; each as it is done.

    Raises `AsterismError` at the first task that fails, that ends its process, or whose bot thinks
    about a move for longer than `timeout` seconds.
    """
    waiting, busy = iter(indices), list(workers)
    for worker in busy:
        worker.give(next(waiting))
    failure: AsterismError | None = None
    while busy and failure is None:
        ready = wait([worker.pipe for worker in busy], None if timeout is None else _POLL)
        for worker in [worker for worker in busy if worker.pipe in ready]:
            task, told = worker.task, worker.receive()
            if isinstance(told, AsterismError):
                failure = told
            elif told is not None:
                following = next(waiting, None)
                if following is None:
                    busy.remove(worker)
                else:
                    worker.give(following)
                yield Done(task, told)
        if timeout is not None and failure is None:
            failure = next(filter(None, (worker.hanging(timeout) for worker in busy)), None)
    if failure is not None:
        raise failure


def _work(job: Job, pipe: Connection, shared: Any) -> None:
    """Does the tasks that come through `pipe`, and leaves Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    sys.stdout = sys.stderr  # for bots that print: standard output is for rows
    reporter = _Reporter(shared, pipe)
    with suppress(EOFError):
        while True:
            index = pipe.recv()
            try:
                answer: object = job.do(index, reporter)
            except AsterismError as error:
                answer = _Failed(str(error))
            except KeyboardInterrupt:  # raised by a bot, since Ctrl-C is ignored
                answer = _Failed(f"{job.name(index)} raises KeyboardInterrupt.")
            pipe.send(answer)
