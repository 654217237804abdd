"""Finds a bot by its name in the catalogue, or loads a class of one's own from a module or file.

A class of one's own has `choose(view)` or `plan(view)`. It is made anew for each game,
without arguments, or with `seed` if its `__init__` takes one: a number that depends on the seed of
the run and on the deal. The number of the deal itself is not told, since it would tell every card.
"""

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from service.bots import BOTS, BotSpec
from service.bots.asking import described
from service.bots.base import Bot, Planner
from service.errors import BotError, InputError
from service.games import VARIANTS

_DEFAULT = "Bot"
_FORMS = "package.module:Class, ./mine.py or ./mine.py:Class"


def find_bot(name: str) -> BotSpec:
    """The bot called `name`: one of the catalogue, `package.module:Class`, or a file.

    Raises `InputError` if there is none, `BotError` if its code cannot be loaded.
    """
    if name in BOTS:
        return BOTS[name]
    place, colon, cls = name.rpartition(":")
    if not colon:
        place, cls = name, _DEFAULT
    if place.endswith(".py"):
        module = _load(name, _from_file, str(Path(place).absolute()))
    elif colon and place:
        module = _load(name, _from_module, place)
    else:
        raise InputError(_unknown(name))
    return BotSpec(tuple(VARIANTS), partial(_make, _class(name, module, cls)), searches=False)


def _unknown(name: str) -> str:
    near = get_close_matches(name, BOTS, 1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return (
        f"There is no bot {name}.{meant} The bots are {', '.join(BOTS)}; one of your own is given "
        f"as {_FORMS}."
    )


def _load(name: str, load: Callable[[str], ModuleType], place: str) -> ModuleType:
    """The module at `place`; what it prints goes to standard error."""
    try:
        with redirect_stdout(sys.stderr):
            return load(place)
    except FileNotFoundError as error:
        if error.filename == place:
            raise InputError(f"There is no file {name}.") from None
        raise _unloadable(name, error) from error
    except ModuleNotFoundError as error:
        if error.name and f"{place}.".startswith(f"{error.name}."):
            raise InputError(f"There is no module {error.name}, for the bot {name}.") from None
        raise _unloadable(name, error) from error
    except (Exception, SystemExit) as error:
        raise _unloadable(name, error) from error


def _unloadable(name: str, error: BaseException) -> BotError:
    return BotError(name, f"cannot be loaded: {described(error)}.")


@cache
def _from_file(path: str) -> ModuleType:
    """The module in the file; modules beside it can be imported by it."""
    spec = importlib.util.spec_from_file_location(f"bot {path}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    folder = str(Path(path).parent)
    if folder not in sys.path:
        sys.path.append(folder)  # last: a file called random.py must not hide a library
    spec.loader.exec_module(module)
    return module


def _from_module(place: str) -> ModuleType:
    """The module, found from the folder of the command too, as by `python -m`."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return importlib.import_module(place)


def _class(name: str, module: ModuleType, cls: str) -> type[Any]:
    """The class called `cls`, which must be one of bots."""
    found = getattr(module, cls, None)
    if not inspect.isclass(found):
        bots = [
            key
            for key, value in vars(module).items()
            if inspect.isclass(value) and issubclass(value, Bot | Planner)
        ]
        hint = f" It has {', '.join(bots)}: name one after a colon." if bots else ""
        raise InputError(f"{name} has no class {cls}.{hint}")
    if not issubclass(found, Bot | Planner):
        raise InputError(f"{name}: the class {cls} has no method choose(view).")
    for method in ("choose", "plan"):
        if inspect.iscoroutinefunction(getattr(found, method, None)):
            raise InputError(f"{name}: {method} of {cls} is async, but is not awaited: use def.")
    needed = [
        parameter.name
        for parameter in _parameters(found).values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name != "seed"
    ]
    if needed:
        raise InputError(
            f"{name}: {cls} asks for {', '.join(needed)}, but a bot is made with no argument other "
            "than seed."
        )
    return found


def _make(cls: type[Any], seed: int, deal: int) -> Bot:
    """The bot for one game."""
    if "seed" not in _parameters(cls):
        bot: Bot = cls()
    else:
        digest = hashlib.sha256(f"{seed} {deal}".encode()).digest()
        bot = cls(seed=int.from_bytes(digest[:8]))
    return bot


def _parameters(cls: type[Any]) -> Mapping[str, inspect.Parameter]:
    """What a class is made with; nothing for the few that do not tell."""
    try:
        return inspect.signature(cls).parameters
    except ValueError:
        return {}
