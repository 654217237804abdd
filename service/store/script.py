"""The Lua scripts of this folder, as servers know them: by the SHA-1 digest of their text."""

import hashlib
from collections.abc import Sequence
from importlib.resources import files

Word = str | bytes | int | float | memoryview
"""What a command is made of; redis-py and hiredis take no less."""

Command = Sequence[Word]

_FOLDER = files(__package__)


def _digest(source: str) -> str:
    return hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


_TEXTS = [file.read_text("utf-8") for file in _FOLDER.iterdir() if file.name.endswith(".lua")]
_SOURCES = {_digest(source): source for source in _TEXTS}


class Script:
    """A Lua script of this folder."""

    def __init__(self, name: str) -> None:
        self.digest = _digest(_FOLDER.joinpath(name).read_text("utf-8"))

    def call(self, keys: Sequence[str], *arguments: str | bytes | int) -> list[str | bytes | int]:
        """The command that runs the script."""
        return ["EVALSHA", self.digest, len(keys), *keys, *arguments]


def in_full(command: Command) -> Command:
    """A command that runs a script, for a server that has lost it, or never knew it."""
    _, digest, *rest = command
    return ("EVAL", _SOURCES[str(digest)], *rest)
