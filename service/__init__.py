"""Asterism: an open game service for the solitaires Binary Star and Astrocyte.

In a checkout, modules that `make run` or `make compiled` has compiled run in place of their
sources, while all sources are older. `ASTERISM_FORM=plain` runs the sources.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder, ModuleSpec

__version__ = "0.1.0"

_CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_COMPILED = os.path.join(_CHECKOUT, "build", "compiled")


class _CompiledModules:
    """Finds compiled modules of the service."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Where the module `name` is, if it is compiled for this Python."""
        if name not in self._names:
            return None
        folder = os.path.join(_COMPILED, *name.split(".")[:-1])
        return FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec(name)


def _compiled_modules() -> set[str]:
    """The names of the compiled modules; none if a source has changed since."""
    listed = os.path.join(_COMPILED, "sources")
    try:
        made = os.stat(listed).st_mtime
        with open(listed, encoding="utf-8") as file:
            sources = file.read().split()
        fresh = all(os.stat(os.path.join(_CHECKOUT, each)).st_mtime <= made for each in sources)
    except OSError:
        return set()
    return {each[:-3].replace("/", ".") for each in sources if each.endswith(".py") and fresh}


if os.environ.get("ASTERISM_FORM") != "plain" and (_names := _compiled_modules()):
    sys.meta_path.insert(0, _CompiledModules(_names))
