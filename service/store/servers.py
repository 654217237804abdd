"""Which servers keep the games, as a process knows them: one, or those that others tell of."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from redis.exceptions import ConnectionError, RedisError

from service.store.address import Login, Server, StoreAddress
from service.store.connection import ask_once
from service.store.script import Command

LOOK_TIMEOUT = 0.3
"""Seconds for one answer when servers are asked who keeps the games."""


class NobodyKnowsError(ConnectionError):
    """Nobody who was asked knows the servers that keep the games; says why, without addresses."""


class Servers(ABC):
    """The servers of one store, for all threads of a process.

    Nobody is asked before the first command. Every method may raise redis-py's errors.
    """

    login: Login

    @abstractmethod
    def of(self, command: Command) -> Server:
        """The server that `command` goes to by its key; without one, any that keeps games."""

    @abstractmethod
    def all(self) -> Sequence[Server]:
        """Every server that keeps games of its own."""

    @abstractmethod
    def failed(self, server: Server) -> None:
        """Takes note that `server` does not answer, or keeps these games no more: looks again."""

    @abstractmethod
    def moved(self, slot: int, server: Server) -> None:
        """Takes note that `server` keeps the games of a slot now: another server has said so."""

    def is_still(self, server: Server, command: Command) -> bool:
        """Whether `command` goes to `server` still, when others are asked."""
        self.failed(server)
        return self.of(command) == server


class OneServer(Servers):
    """One server, whatever happens."""

    def __init__(self, address: StoreAddress) -> None:
        self.login = address.login
        (self._server,) = address.servers

    def of(self, command: Command) -> Server:
        """The server."""
        return self._server

    def all(self) -> Sequence[Server]:
        """The server."""
        return (self._server,)

    def failed(self, server: Server) -> None:
        """There is no other."""

    def moved(self, slot: int, server: Server) -> None:
        """There is no other."""


class ToldServers(Servers):
    """Servers that others know: who is asked, and what they say, is a subclass's to tell."""

    def __init__(self, informants: Sequence[Server], login: Login, question: Command) -> None:
        """`informants` are asked `question`, the first of them first, with their `login`."""
        self._informants = tuple(informants)
        self._their_login = login
        self._question = question
        self._looking = threading.Lock()

    def failed(self, server: Server) -> None:
        """Asks who keeps the games now."""
        self._look_again(server)

    @abstractmethod
    def _learn(self, answer: Any, informant: Server, failed: Server | None) -> None:
        """Takes what `informant` has said; `NobodyKnowsError` if that says nothing."""

    def _look(self, failed: Server | None = None) -> None:
        """Asks one informant after the other until one knows, and that one first next time.

        `failed` is asked last. Raises the last error if none knows.
        """
        last: RedisError = NobodyKnowsError("has no server that answers")
        for informant in sorted(self._informants, key=lambda known: known == failed):
            try:
                answer = ask_once(informant, self._their_login, LOOK_TIMEOUT, *self._question)
                self._learn(answer, informant, failed)
            except RedisError as error:
                last = error
                continue
            others = (other for other in self._informants if other != informant)
            self._informants = (informant, *others)
            return
        raise last

    def _look_again(self, failed: Server | None = None) -> None:
        """The same, unless another thread does it; what was known stays where nobody knows."""
        if self._looking.acquire(blocking=False):
            try:
                self._look(failed)
            except RedisError:
                return
            finally:
                self._looking.release()


def key_of(command: Command) -> str | None:
    """The key by which `command` finds its server; None if any will do."""
    place = 3 if command[:1] and command[0] in ("EVALSHA", "EVAL") else 1
    return str(command[place]) if len(command) > place else None
