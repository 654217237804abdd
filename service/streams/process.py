"""The process that tells events, as the service starts and stops it."""

import os
import sys
from pathlib import Path

from service.companion import Companion


class StreamsProcess:
    """One process for all watchers; it ends with the one that started it."""

    def __init__(self) -> None:
        self._companion = Companion("The process that tells events")

    @property
    def path(self) -> str:
        """The Unix socket at which connections are handed over to it."""
        return str(self._companion.folder / "streams.sock")

    def start(self) -> None:
        """Starts it and waits until it takes connections; `SettingsError` if it cannot."""
        self._companion.keep(self._begin)

    def stop(self) -> None:
        """Stops it: its streams end, and their watchers may come back."""
        self._companion.stop()

    def _begin(self) -> None:
        Path(self.path).unlink(missing_ok=True)
        self._companion.start(
            [sys.executable, "-m", "service", "streams"],
            env={**os.environ, "ASTERISM_STREAMS": self.path},
        )
        self._companion.wait(Path(self.path).exists, "what it has written above")
