"""The Lua scripts of this folder, as texts."""

from importlib.resources import files

_FOLDER = files(__package__)
_WRITES = _FOLDER.joinpath("writes.lua").read_text("utf-8")


def _script(name: str) -> str:
    text = _FOLDER.joinpath(f"{name}.lua").read_text("utf-8")
    return _WRITES + text if "write(" in text else text


READ = _script("read")
READ_ANSWERS = _script("read_answers")
READ_STORY = _script("read_story")
READ_PAGE = _script("read_page")
READ_RANKING = _script("read_ranking")
READ_REVISION = _script("read_revision")
RIGHTS = _script("rights")
SAVE = _script("save")
CONFIRM = _script("confirm")
DELETE = _script("delete")
COMMIT = _script("commit")
ENTER = _script("enter")
COUNT = _script("count")
CLAIM = _script("claim")
SETTLE = _script("settle")
