"""A Lua script of this folder, as the server knows it."""

import hashlib
from collections.abc import Sequence
from importlib.resources import files


class Script:
    """A Lua script of this folder; the server knows it by the SHA-1 digest of its text."""

    def __init__(self, name: str) -> None:
        self.source = files(__package__).joinpath(name).read_text(encoding="utf-8")
        self.digest = hashlib.sha1(self.source.encode(), usedforsecurity=False).hexdigest()

    def call(self, keys: Sequence[str], *arguments: str | bytes | int) -> list[str | bytes | int]:
        """The command that runs the script."""
        return ["EVALSHA", self.digest, len(keys), *keys, *arguments]
