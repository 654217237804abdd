"""The Lua scripts of this folder, which redis-py loads into servers that lack them."""

from importlib.resources import files

from redis import Redis
from redis.commands.core import Script

_REGISTRY = Redis()
"""Never connects: every call of a script names the client to run on."""


def _registered(name: str) -> Script:
    return _REGISTRY.register_script(files(__package__).joinpath(name).read_text("utf-8"))


READ = _registered("read.lua")
READ_STORY = _registered("read_story.lua")
SAVE = _registered("save.lua")
CONFIRM = _registered("confirm.lua")
DELETE = _registered("delete.lua")
COMMIT = _registered("commit.lua")
ENTER = _registered("enter.lua")
