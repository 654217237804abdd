"""Reads keys as they are pressed, also those that are pressed before they are waited for."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import select

_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|.", re.DOTALL)
"""A character, or the sequence that a terminal sends for a key without one."""
_INCOMPLETE = re.compile(rb"\x1b(\[[0-9;]*|O)?\Z")

_SEQUENCE_SECONDS = 0.1
"""How long the rest of a sequence may take; Escape by itself has none."""
_STALE_SECONDS = 0.2


@contextmanager
def open_keyboard() -> Iterator[int]:
    """The terminal, which gives each key at once, and shows none.

    (`click.getchar` changes the terminal for each key, and loses those pressed in between.)
    """
    import termios  # noqa: PLC0415 - not on Windows, where the other commands work
    import tty  # noqa: PLC0415

    keyboard = os.dup(sys.stdin.fileno()) if sys.stdin.isatty() else os.open("/dev/tty", os.O_RDWR)
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard, termios.TCSANOW)
    try:
        yield keyboard
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        os.close(keyboard)


def pressed_keys(keyboard: int, is_stale: Callable[[], bool]) -> list[str]:
    """Waits for keys, and gives all that were pressed; none as soon as the screen `is_stale`."""
    while not select([keyboard], [], [], _STALE_SECONDS)[0]:
        if is_stale():
            return []
    data = os.read(keyboard, 1024)
    while _INCOMPLETE.search(data) and select([keyboard], [], [], _SEQUENCE_SECONDS)[0]:
        data += os.read(keyboard, 1024)
    return _KEY.findall(data.decode("utf-8", "replace")) or ["\x04"]  # the terminal has gone
