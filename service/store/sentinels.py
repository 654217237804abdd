"""A master and its replicas, watched by sentinels, which say who of them is the master."""

import time
from collections.abc import Sequence
from typing import Any

from service.store.address import Server, StoreAddress
from service.store.script import Command
from service.store.servers import NobodyKnowsError, ToldServers

TRUSTED = 1.0
"""Seconds for which a master is taken for the master without a sentinel being asked.

One that hung or was cut off takes itself for the master when it is back, until the sentinels get
round to it: nobody is to go on with it for as long as that.
"""


class SentinelGroup(ToldServers):
    """The master that sentinels name."""

    def __init__(self, address: StoreAddress) -> None:
        question = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", address.service)
        super().__init__(address.servers, address.sentinel_login, question)
        self.login = address.login
        self._master: Server | None = None
        self._due = 0.0

    def of(self, command: Command) -> Server:
        """The master."""
        if self._master is None:
            with self._looking:
                if self._master is None:
                    self._look()
        elif time.monotonic() >= self._due:
            self._look_again()
        assert self._master is not None
        return self._master

    def all(self) -> Sequence[Server]:
        """The master."""
        return (self.of(()),)

    def moved(self, slot: int, server: Server) -> None:
        """Sentinels watch no cluster."""

    def _learn(self, answer: Any, informant: Server, failed: Server | None) -> None:
        """Takes the host and port of the master, which is None where the name is unknown."""
        if answer is None:
            raise NobodyKnowsError("is not known to the sentinels by this name")
        host, port = answer
        self._master = Server(host.decode(), int(port))
        self._due = time.monotonic() + TRUSTED
