"""Free ports of this machine, for servers that tests start."""

import socket


def free_port() -> int:
    """A port of 127.0.0.1 on which nothing listens just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
