"""Reads text that went through mail, Windows or an editor, and writes to terminals of any kind."""

import codecs
import io
import sys
from typing import BinaryIO

import click

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Encodings by the mark that a file may begin with."""

_STAND_INS = str.maketrans("♣♦♥♠▒░←→↑↓━─–│╭╮╰╯…·▸▾●★✦µ", "CDHS##<>^v---|++++..>v***u")
"""What is shown in place of characters that a terminal does not have."""


def read_text(file: BinaryIO) -> str:
    """The text in `file`, with `\\n` at the end of each line, and no blanks before it.

    It is UTF-8, or what its mark says. Raises click's `UsageError` for other encodings, and for
    text that is quoted as in a mail.
    """
    data = file.read()
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = io.StringIO(data.decode(encoding), newline=None)
    except UnicodeDecodeError:
        raise click.UsageError("This is not UTF-8 text.") from None
    lines = [line.rstrip() for line in text]
    if any(line.startswith(">") for line in lines):
        raise click.UsageError("This is quoted as in a mail: remove the > from its lines.")
    return "\n".join(lines).strip("\n")


def use_stand_ins() -> None:
    """From now on, what standard output cannot encode is written as suit letters and the like."""
    codecs.register_error("stand-ins", _stand_in)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="stand-ins")


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(_STAND_INS)
    return text.encode("ascii", "replace").decode(), error.end
