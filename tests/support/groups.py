"""Groups of store servers on loopback: a cluster, and a master with a replica under sentinels."""

from contextlib import ExitStack
from pathlib import Path

from redis import RedisCluster
from redis.crc import key_slot
from redis.exceptions import ResponseError

from tests.support.ports import free_port
from tests.support.servers import StoreServer, until, valkey_9
from tests.support.started import Stoppable

DEAD_AFTER = "1000"
"""Milliseconds after which a server that does not answer is taken for dead."""

SERVICE = "games"
"""The name under which sentinels know their master."""

_REPLICATING = ("--repl-diskless-sync-delay", "0")
_SLOTS = 16384


class ClusterServers(Stoppable):
    """A cluster of three masters, each with a replica."""

    replicas = 1

    def __init__(self, folder: Path) -> None:
        with ExitStack() as begun:
            self.servers = [
                _begun(
                    begun,
                    folder / f"{number}",
                    *("--cluster-enabled", "yes", "--cluster-node-timeout", DEAD_AFTER),
                    *("--cluster-port", str(free_port())),
                )
                for number in range(6)
            ]
            self._join()
            self._end = begun.pop_all()
        self.url = "redis+cluster://" + ",".join(map(_place, self.servers[:2]))

    def stop(self) -> None:
        """Ends all of them."""
        self._end.close()

    def client(self) -> RedisCluster:
        """A plain client, for looking at what is stored."""
        return RedisCluster(host="127.0.0.1", port=_alive(self.servers)[0].port)

    def masters(self) -> list[StoreServer]:
        """Those that keep slots."""
        return [s for s in _alive(self.servers) if asked(s, "ROLE")[0] == b"master"]

    def master_of(self, key: str) -> StoreServer:
        """The server that says that it keeps the slot of `key` itself."""
        slot = key_slot(key.encode())
        for server in _alive(self.servers):
            for first, last, (_, port, *_), *_ in asked(server, "CLUSTER SLOTS"):
                if first <= slot <= last and port == server.port:
                    return server
        raise AssertionError(f"nobody keeps {key}")

    def replica_of(self, master: StoreServer) -> StoreServer:
        """The server that replicates `master`."""
        (port,) = _replicas(master)
        return next(server for server in self.servers if server.port == port)

    def hand_over(self, master: StoreServer) -> None:
        """Lets the replica of `master` take its place in good order."""
        asked(self.replica_of(master), "CLUSTER", "FAILOVER")

    def is_whole(self) -> bool:
        """Whether all know three masters of all slots, and each of those has a replica."""
        for server in self.servers:
            rows = asked(server, "CLUSTER SLOTS")
            if len({nodes[0][1] for _, _, *nodes in rows if len(nodes) == 2}) < 3:
                return False
            if b"cluster_state:ok" not in asked(server, "CLUSTER", "INFO"):
                return False
        return sum(len(_replicas(server)) for server in self.servers) == 3

    def _join(self) -> None:
        for number, server in enumerate(self.servers):
            asked(server, "CLUSTER SET-CONFIG-EPOCH", number + 1)
        for number, server in enumerate(self.servers[:3]):
            first, end = number * _SLOTS // 3, (number + 1) * _SLOTS // 3
            asked(server, "CLUSTER ADDSLOTSRANGE", first, end - 1)
        for server in self.servers[1:]:
            with server.client() as client:
                bus = client.config_get("cluster-port")["cluster-port"]
            asked(self.servers[0], "CLUSTER MEET", "127.0.0.1", server.port, bus)
        until(lambda: all(asked(s, "CLUSTER NODES").count(b"\n") == 6 for s in self.servers))
        for master, replica in zip(self.servers[:3], self.servers[3:], strict=True):
            until(lambda m=master, r=replica: _follows(r, asked(m, "CLUSTER MYID")))
        until(self.is_whole)


class SentinelServers(Stoppable):
    """A master and its replica, watched by three sentinels."""

    def __init__(self, folder: Path) -> None:
        with ExitStack() as begun:
            master = _begun(begun, folder / "0")
            replica = _begun(begun, folder / "1", "--replicaof", f"127.0.0.1 {master.port}")
            self.servers = [master, replica]
            until(lambda: _replicas(master) == [replica.port])
            self._sentinels = []
            for number in range(3):
                (folder / f"sentinel {number}").mkdir()
                sentinel = SentinelServer(folder / f"sentinel {number}", master)
                begun.callback(sentinel.kill)
                self._sentinels.append(sentinel)
            until(self.is_whole)
            self._end = begun.pop_all()
        self.url = f"redis+sentinel://{','.join(map(_place, self._sentinels))}/{SERVICE}"

    def stop(self) -> None:
        """Ends all of them."""
        self._end.close()

    def master_of(self, key: str) -> StoreServer:
        """The master, which holds every key."""
        _, port = asked(self._sentinels[0], "SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(server for server in self.servers if server.port == int(port))

    def replica_of(self, master: StoreServer) -> StoreServer:
        """The other server."""
        return next(server for server in self.servers if server is not master)

    def hand_over(self, master: StoreServer) -> None:
        """Lets the replica of `master` take its place in good order."""
        asked(self._sentinels[0], "SENTINEL", "FAILOVER", SERVICE, "COORDINATED")

    def all_name(self, master: StoreServer) -> bool:
        """Whether every sentinel names `master`, to those who ask for the state of the service."""
        states = (asked(sentinel, "SENTINEL", "MASTER", SERVICE) for sentinel in self._sentinels)
        return all(int(state[b"port"]) == master.port for state in states)

    def is_whole(self) -> bool:
        """Whether all sentinels know each other, and agree on a master that has a replica."""
        for sentinel in self._sentinels:
            state = asked(sentinel, "SENTINEL", "MASTER", SERVICE)
            known = state[b"num-other-sentinels"], state[b"num-slaves"], state[b"flags"]
            if known != (b"2", b"1", b"master"):
                return False
        return len(_replicas(self.master_of(""))) == 1


class SentinelServer(StoreServer):
    """A sentinel that watches `master`, in a folder of its own."""

    def __init__(self, folder: Path, master: StoreServer) -> None:
        self._file = folder / "sentinel.conf"
        self._file.write_text(
            f"sentinel monitor {SERVICE} 127.0.0.1 {master.port} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} {DEAD_AFTER}\n"
            f"sentinel failover-timeout {SERVICE} 4000\n"
        )
        super().__init__(valkey_9(), folder)

    def _command(self) -> list[str]:
        return [
            *(self._binary, str(self._file), "--sentinel"),
            *("--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)),
        ]


def _begun(begun: ExitStack, folder: Path, *options: str) -> StoreServer:
    """A server in a folder of its own, which ends with the others."""
    folder.mkdir()
    server = StoreServer(valkey_9(), folder, *_REPLICATING, *options)
    begun.callback(server.kill)
    return server


def _alive(servers: list[StoreServer]) -> list[StoreServer]:
    return [server for server in servers if server.process.poll() is None]


def _place(server: StoreServer) -> str:
    return f"127.0.0.1:{server.port}"


def asked(server: StoreServer, *command: object):
    """The bare answer of a server."""
    with server.client() as client:
        client.response_callbacks.clear()
        return client.execute_command(*command)


def _replicas(server: StoreServer) -> list[int]:
    """The ports of the replicas of a server that is a master; none of one that is not."""
    role, _, attached, *_ = asked(server, "ROLE")
    return [int(port) for _, port, _ in attached] if role == b"master" else []


def _follows(replica: StoreServer, master_id: bytes) -> bool:
    """Tells a server to replicate another; False if it does not know that one yet."""
    try:
        asked(replica, "CLUSTER REPLICATE", master_id)
    except ResponseError:
        return False
    return True
