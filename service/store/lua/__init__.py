"""The Lua scripts of this folder, which redis-py loads into servers that lack them."""

from importlib.resources import files

from redis import Redis
from redis.commands.core import Script

_REGISTRY = Redis()
"""Never connects: every call of a script names the client to run on."""

_FOLDER = files(__package__)
_WRITES = _FOLDER.joinpath("writes.lua").read_text("utf-8")


def _registered(name: str) -> Script:
    text = _FOLDER.joinpath(f"{name}.lua").read_text("utf-8")
    return _REGISTRY.register_script(_WRITES + text if "write(" in text else text)


READ = _registered("read")
READ_ANSWERS = _registered("read_answers")
READ_STORY = _registered("read_story")
READ_PAGE = _registered("read_page")
READ_RANKING = _registered("read_ranking")
READ_REVISION = _registered("read_revision")
RIGHTS = _registered("rights")
SAVE = _registered("save")
CONFIRM = _registered("confirm")
DELETE = _registered("delete")
COMMIT = _registered("commit")
ENTER = _registered("enter")
COUNT = _registered("count")
CLAIM = _registered("claim")
SETTLE = _registered("settle")
