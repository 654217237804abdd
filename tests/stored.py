"""How games lay in the store of the schema before this one: as that release has left them."""

import json
from pathlib import Path
from typing import Any

FIXTURE = json.loads((Path(__file__).parent / "fixtures/stored-in-schema-1.json").read_text())
SCHEMA_1 = {game["name"]: game for game in FIXTURE["games"]}
"""Games by their names: what was kept of each, its play token, and how its player saw it."""


def put_back(client: Any, game: dict[str, Any], ttl: int) -> None:
    """Lays `game` into an empty store, as it lay in the one it was taken from."""
    tag = f"ast:{{{game['id']}}}:"
    for field, value in game["game"].items():
        client.execute_command("HSET", f"{tag}game", field, value)
    if game["line"]:
        client.execute_command("SET", f"{tag}line", bytes.fromhex(game["line"]))
    for id, event in game["events"]:
        client.execute_command("XADD", f"{tag}events", id, "e", event)
    for part in ("game", "line", "events"):
        client.execute_command("PEXPIRE", f"{tag}{part}", ttl * 1000)
