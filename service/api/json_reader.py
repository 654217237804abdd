"""Reads JSON strictly: UTF-8, no repeated keys, no NaN, bounded depth."""

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

import orjson

from service.errors import InvalidJsonError

DEEPEST = 32
"""Levels of nested arrays and objects; the interpreter's recursion limit does not matter."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_LEVELS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def parse_json(data: bytes) -> Any:
    """The value of the JSON text `data`; raises `InvalidJsonError`, which says what is wrong."""
    if _depth(data) > DEEPEST:
        raise InvalidJsonError(f"The body is nested too deeply: at most {DEEPEST} levels.")
    try:
        text = data.decode("utf-8")
        if "\\u" in text:
            orjson.loads(data)  # refuses unpaired surrogates, which Python's reader accepts
        return _DECODER.decode(text)
    except UnicodeDecodeError:
        raise InvalidJsonError("The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise InvalidJsonError(
            f"The body is not JSON: {error.msg} at line {error.lineno} column {error.colno}."
        ) from None
    except InvalidJsonError:
        raise
    except ValueError:
        raise InvalidJsonError("The body contains a number that is too long.") from None


def _depth(data: bytes) -> int:
    """How deep arrays and objects are nested; 0 where they are too few to exceed `DEEPEST`."""
    if data.count(b"[") + data.count(b"{") <= DEEPEST:
        return 0
    levels = (_LEVELS.get(byte, 0) for byte in _STRING.sub(b"", data))
    return max(accumulate(levels), default=0)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise InvalidJsonError("An object in the body repeats a key.")
    return members


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidJsonError(f"{name} is not JSON.")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant)
