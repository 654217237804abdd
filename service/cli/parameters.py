"""What is given on the command line: deal numbers and text boards, read or refused in words."""

from typing import Any, BinaryIO

import click
import orjson

from service.deals.shuffle import deal_number
from service.errors import BoardError, InputError, InvalidRequestError
from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_reachable_position
from service.records.replay import Replay
from service.records.replay_text import parse_replay

MOST_DEALS = 10_000_000


class DealNumber(click.ParamType[int]):
    """One deal number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that a text writes."""
        try:
            return deal_number(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)


class Deals(click.ParamType[range]):
    """Deal numbers, from one to another: `1..1000`, or one alone."""

    name = "deals"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """The range that a text such as `1..1000` names, both ends in it."""
        first, dots, last = str(value).partition("..")
        try:
            numbers = range(deal_number(first), deal_number(last if dots else first) + 1)
        except InputError as error:
            self.fail(str(error), param, ctx)
        if not numbers:
            self.fail(f"{value} counts downwards; write the smaller number first.", param, ctx)
        if numbers[-1] - numbers[0] >= MOST_DEALS:
            self.fail(f"{value} is too many at once: {MOST_DEALS} at the most.", param, ctx)
        return numbers


def read_json(file: BinaryIO) -> dict[str, Any]:
    """The JSON object in `file`; click's `UsageError` if there is none."""
    try:
        found = orjson.loads(file.read())
    except orjson.JSONDecodeError as error:
        raise click.UsageError(f"This is no JSON: {error}.") from None
    if not isinstance(found, dict):
        raise click.UsageError("This is no JSON object.")
    return found


def read_replay(file: BinaryIO) -> Replay:
    """The replay in `file`, as JSON or as text; click's `UsageError` says what is wrong with it."""
    from service.api import json_reader, requests  # noqa: PLC0415 - flask is slow to load
    from service.api.schemas import bodies, replays  # noqa: PLC0415

    data = file.read()
    try:
        if data.lstrip().startswith(b"{"):
            told = json_reader.parse_json(data)
        else:
            told = parse_replay(data.decode("utf-8"))
        return replays.load_replay(requests.load(bodies.REPLAY, told))
    except UnicodeDecodeError:
        raise click.UsageError("The replay is not UTF-8 text.") from None
    except InvalidRequestError as error:
        fault = error.errors[0]
        raise click.UsageError(
            f"The replay is wrong at {fault['pointer']}: {fault['detail']}"
        ) from None


def read_board(file: Any, names: tuple[str, ...]) -> tuple[str, Position]:
    """The position in `file`, and the first of the variants `names` that can reach it.

    Raises click's `UsageError`, with a reason for each of them, if none can.
    """
    try:
        written = file.read()
    except UnicodeDecodeError:
        raise click.UsageError("The board is not UTF-8 text.") from None
    reasons = []
    for name in names:
        try:
            return name, parse_reachable_position(VARIANTS[name], written)
        except BoardError as error:
            reasons.append(str(error) if len(names) == 1 else f"{name}: {error}")
    raise click.UsageError("\n".join(["The board is no position.", *reasons]))
