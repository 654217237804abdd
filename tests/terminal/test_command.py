"""`asterism play` as it is typed: its options, its errors, and a real terminal."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

import pytest
from click.testing import CliRunner

from service.cli import main
from tests.support.ports import free_port
from tests.support.started import start


class PlayTerminal:
    """A terminal in which `asterism play` runs with `words`."""

    def __init__(self, *words: str, **environ: str) -> None:
        self._end, other = pty.openpty()
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environ = {**os.environ, "TERM": "xterm-256color", **environ}
        self.process = start(
            [sys.executable, "-m", "service", "play", *words],
            stdin=other,
            stdout=other,
            stderr=other,
            env={name: environ[name] for name in environ.keys() - {"COLUMNS", "LINES"}},
        )
        os.close(other)
        self.output = ""

    def press(self, *keys: str) -> None:
        """Types `keys`."""
        os.write(self._end, "".join(keys).encode())

    def wait(self, until: str, before: int | None = None) -> str:
        """Waits until `until` is on the screen, and gives what was shown since `before`."""
        before = len(self.output) if before is None else before
        deadline = time.monotonic() + 30
        while until not in self.output[before:]:
            assert time.monotonic() < deadline, f"{until!r} is not in {self.output[before:]!r}"
            if select.select([self._end], [], [], 0.5)[0]:
                self.output += os.read(self._end, 65_536).decode("utf-8", "replace")
        return self.output[before:]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "needs a terminal"),
        ("klondike", "is not one of"),
        ("astrocyte --deal 0", "A deal number is 1 to"),
        ("astrocyte --daily", "--daily needs --url"),
        ("astrocyte --label me", "--label needs --url"),
        ("--deal 1", "Which game?"),
        ("astrocyte --url http://127.0.0.1:1 --game a", "leave out variant"),
        ("astrocyte --url http://127.0.0.1:1 --token a", "--token needs --game"),
        ("astrocyte --url http://127.0.0.1:1 --daily --deal 1", "not both"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error(words, message):
    result = CliRunner().invoke(main, ["play", *words.split()])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.external
def test_a_service_that_cannot_be_reached_is_told_in_one_line():
    terminal = PlayTerminal("astrocyte", "--url", f"http://127.0.0.1:{free_port()}")
    terminal.wait("cannot be reached")
    terminal.wait("\n", 0)
    assert terminal.process.wait(20) == 1
    assert terminal.output.startswith("Error: The service at http://127.0.0.1:")


@pytest.mark.external
def test_a_terminal_that_cannot_move_its_cursor_is_told_so():
    terminal = PlayTerminal("astrocyte", TERM="dumb")
    terminal.wait("TERM=dumb")
    assert terminal.process.wait(20) == 2


@pytest.mark.external
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_table_opens_in_a_terminal_of_any_encoding_and_tells_how_to_come_back(encoding):
    terminal = PlayTerminal("astrocyte", "--deal", "1", PYTHONIOENCODING=encoding)
    king, back = ("K♣", "░░░") if encoding == "utf-8" else ("KC", "###")
    shown = terminal.wait("Quit")
    assert king in shown
    assert back in shown
    assert "\\u" not in terminal.output
    terminal.press("q")
    terminal.wait("asterism play astrocyte --deal 1")
    assert terminal.process.wait(20) == 0


def test_help_does_not_wait_for_the_table_to_load():
    program = "import sys; from service.cli import main; print('textual' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert loaded.stdout == b"False\n"
