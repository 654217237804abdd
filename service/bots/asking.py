"""Asks a bot for moves, takes the time it thinks, and tells in one line what is wrong with it."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb

from service.bots.base import Bot, Planner
from service.errors import BotError, IllegalMoveError, InputError
from service.games.base import View
from service.games.moves import Move, parse_move


class Monitor:
    """Is told what goes on in a game, so that one which hangs can be ended from outside.

    This one does nothing.
    """

    def thinking(self, ply: int) -> None:
        """The bot has been asked for a move at `ply`."""

    def idle(self) -> None:
        """The bot has answered."""

    def begun(self, game: str, token: str) -> None:
        """A service has begun this game, to be played with this token."""

    def ended(self) -> None:
        """The game of the service is over."""


class Player:
    """A bot at one game. All it raises and answers wrongly is raised as `BotError`."""

    def __init__(
        self, name: str, make: Callable[[], Bot | Planner], deal: str, monitor: Monitor
    ) -> None:
        """Makes the bot called `name`; `deal` says in errors where it plays."""
        self.name, self._deal, self._monitor = name, deal, monitor
        self.seconds = 0.0
        """CPU seconds that the bot has used so far."""
        with self._timed(0):
            bot = make()
            self._answers = bot.plan if isinstance(bot, Planner) else bot.choose

    def moves(self, view: View, ply: int) -> tuple[Move, ...]:
        """The moves that the bot wants to play in `view`; none if it gives up."""
        with self._timed(ply):
            answer: object = self._answers(view)
        if answer is None:
            return ()
        if isinstance(answer, Move | str):
            return (self._move(answer, ply),)
        if isinstance(answer, list | tuple):
            return tuple(self._move(move, ply) for move in answer)
        raise self._no_move(answer, ply)

    def illegal(self, refusal: IllegalMoveError, ply: int) -> BotError:
        """The error that the bot plays, at `ply`, what the rules refuse."""
        return self._fault(
            f"plays {refusal.move}", ply, f", which is illegal ({refusal.rule}): {refusal.detail}"
        )

    def _fault(self, what: str, ply: int, more: str) -> BotError:
        return BotError(self.name, f"{what} at ply {ply} of deal {self._deal}{more}")

    def _move(self, answer: object, ply: int) -> Move:
        if isinstance(answer, Move):
            return answer
        if isinstance(answer, str):
            try:
                return parse_move(answer)
            except InputError:
                pass
        raise self._no_move(answer, ply)

    def _no_move(self, answer: object, ply: int) -> BotError:
        return self._fault(
            f"answers {_shown(answer)}",
            ply,
            ", which is no move: choose(view) gives one of view.legal_moves(), a text such as "
            "t3f1, or None to give up.",
        )

    @contextmanager
    def _timed(self, ply: int) -> Iterator[None]:
        self._monitor.thinking(ply)
        began = time.process_time()
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self._fault("raises an error", ply, f": {described(error)}.") from error
        finally:
            self.seconds += time.process_time() - began
            self._monitor.idle()


def _shown(value: object) -> str:
    """`value` as Python writes it, in a short line."""
    try:
        return shortened(" ".join(repr(value).split()), 60)
    except Exception:  # whatever a class of somebody else's raises
        return f"a {type(value).__name__}"


def described(error: BaseException) -> str:
    """The type of an error, its text, and the file and line of the bot's own code, if it got there.

    That is the last line which is neither in a library nor in Asterism.
    """
    text = " ".join(str(error).split())
    if isinstance(error, SyntaxError) and error.filename:
        text, lines = error.msg, [(error.filename, error.lineno)]
    else:
        lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [f" ({_nearby(file)}:{line})" for file, line in lines if _is_own(file)]
    name = type(error).__name__
    return (
        f"{name}: {shortened(text, 200)}{own[-1] if own else ''}"
        if text
        else "".join([name, *own[-1:]])
    )


def shortened(text: str, longest: int) -> str:
    """`text`, cut to so many characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


_NOT_OWN = (str(Path(__file__).parents[1]), os.path.dirname(os.__file__), "<frozen")


def _is_own(file: str) -> bool:
    """Whether a file is neither Asterism's nor Python's nor of an installed package."""
    return not file.startswith(_NOT_OWN)


def _nearby(file: str) -> str:
    """The path of a file, from this folder if it is in or below it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file
