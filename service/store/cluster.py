"""A cluster: each of its masters keeps the games of some slots, and every member knows which."""

from collections.abc import Iterator, Sequence
from typing import Any

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot
from redis.exceptions import ClusterDownError

from service.store.address import Server, StoreAddress
from service.store.script import Command
from service.store.servers import NobodyKnowsError, ToldServers, key_of


class Cluster(ToldServers):
    """The masters of a cluster, by slot."""

    def __init__(self, address: StoreAddress) -> None:
        super().__init__(address.servers, address.login, ("CLUSTER", "SLOTS"))
        self.login = address.login
        self._seeds = address.servers
        self._masters: tuple[Server, ...] = ()
        self._slots: list[Server | None] = []

    def of(self, command: Command) -> Server:
        """The master that keeps the slot of the key."""
        self._look_at_first()
        key = key_of(command)
        if key is None:
            return self._masters[0]
        server = self._slots[key_slot(key.encode())]
        if server is None:
            self._look_again()
            raise ClusterDownError("no master keeps this slot")
        return server

    def all(self) -> Sequence[Server]:
        """The masters."""
        self._look_at_first()
        return self._masters

    def moved(self, slot: int, server: Server) -> None:
        """Takes note of the master of a slot, and asks what else has changed."""
        self._informants = (server, *self._informants)
        self._look_again()
        self._slots[slot] = server

    def _look_at_first(self) -> None:
        if not self._slots:
            with self._looking:
                if not self._slots:
                    self._look()

    def _learn(self, answer: Any, informant: Server, failed: Server | None) -> None:
        """Takes the answer to CLUSTER SLOTS: ranges of slots, each with its master first."""
        slots: list[Server | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        masters, members = dict[Server, None](), dict[Server, None]()
        for first, last, *nodes in answer:
            found = list(_servers(nodes, informant))
            members |= dict.fromkeys(found)
            masters |= dict.fromkeys(found[:1])
            slots[first : last + 1] = [found[0] if found else None] * (last + 1 - first)
        if not masters:
            raise NobodyKnowsError("is a cluster in which nobody keeps a slot")
        self._informants = (*dict.fromkeys((*members, *self._seeds)),)
        # What any master may do is done by another than the one that has failed.
        self._masters = tuple(sorted(masters, key=lambda master: master == failed))
        self._slots = slots


def _servers(nodes: list[Any], informant: Server) -> Iterator[Server]:
    """The servers that keep a slot; one that tells no host has that of the informant."""
    for host, port, *_ in nodes:
        name = (host or b"").decode()
        if name != "?":  # it does not know its own yet
            yield Server(name or informant.host, port)
