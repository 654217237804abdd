"""Parameters of commands: deal numbers, and files with boards, replays or JSON."""

import re
from typing import Any, BinaryIO

import click
import orjson
from click.core import ParameterSource

from service.cli.text_files import read_text
from service.deals.shuffle import deal_number
from service.errors import InputError, InvalidRequestError
from service.games import VARIANTS
from service.games.base import Position
from service.games.boards import parse_reachable_position
from service.records.replay import Replay
from service.records.replay_text import parse_replay

MAX_DEALS = 10_000_000

_COUNT = re.compile(r"\[ *\d+ *\]", re.ASCII)
"""A number of face-down cards, where a board does not name them."""


def _with_label(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A label key; one of the environment only if there is a label."""
    assert param.name is not None
    is_given = ctx.get_parameter_source(param.name) is not ParameterSource.ENVIRONMENT
    return value if is_given or ctx.params.get("label") else None


label_key_option = click.option(
    "--label-key",
    envvar="ASTERISM_LABEL_KEY",
    show_envvar=True,
    callback=_with_label,
    help="The key of the label, if it is yours.",
)
board_option = click.option("--board", type=click.File("rb"), help="A text board, - for stdin.")


def new_label_key(label: str | None, key: str) -> str:
    """Tells the key of a label that a game has just made its player's own."""
    return (
        f"The label {label} is new, and yours if you keep its key, which is told only now: "
        f"--label-key {key}"
    )


class DealNumber(click.ParamType[int]):
    """One deal number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The deal number in `value`; fails with a usage error if there is none."""
        try:
            return deal_number(str(value))
        except InputError as error:
            self.fail(str(error), param, ctx)


class Deals(click.ParamType[range]):
    """A range of deal numbers, such as `1..1000`, or a single one."""

    name = "deals"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """The range in `value`, including both ends; fails with a usage error if there is none."""
        first, dots, last = str(value).partition("..")
        try:
            numbers = range(deal_number(first), deal_number(last if dots else first) + 1)
        except InputError as error:
            self.fail(str(error), param, ctx)
        if not numbers:
            self.fail(f"{value} is descending; write the smaller number first.", param, ctx)
        if numbers[-1] - numbers[0] >= MAX_DEALS:
            self.fail(f"{value} is too many: at most {MAX_DEALS} deals.", param, ctx)
        return numbers


def read_json(file: BinaryIO) -> dict[str, Any]:
    """The JSON object in `file`; raises click's `UsageError` if there is none."""
    try:
        value = orjson.loads(read_text(file))
    except orjson.JSONDecodeError as error:
        raise click.UsageError(f"This is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise click.UsageError("This is not a JSON object.")
    return value


def read_replay(file: BinaryIO) -> Replay:
    """The replay in `file`, as JSON or text; raises click's `UsageError` if it is invalid."""
    from service.api import json_reader, requests  # noqa: PLC0415 - flask is slow to load
    from service.api.schemas import bodies, replays  # noqa: PLC0415

    text = read_text(file)
    try:
        is_json = text.lstrip().startswith("{")
        given = json_reader.parse_json(text.encode()) if is_json else parse_replay(text)
        return replays.load_replay(requests.load(bodies.REPLAY, given))
    except InvalidRequestError as error:
        fault = error.errors[0]
        raise click.UsageError(
            f"The replay is wrong at {fault['pointer']}: {fault['detail']}"
        ) from None


def read_board(file: BinaryIO, names: tuple[str, ...]) -> tuple[str, Position]:
    """The first of the variants `names` that can reach the position in `file`, and the position.

    Raises click's `UsageError`, with a reason per variant, if none can.
    """
    text = read_text(file)
    if _COUNT.search(text):
        raise click.UsageError(
            "The board only counts its face-down cards, as in [7]: all must be named. `asterism "
            "board` names them with --all-cards."
        )
    reasons = []
    for name in names:
        try:
            return name, parse_reachable_position(VARIANTS[name], text)
        except InputError as error:
            reasons.append(str(error) if len(names) == 1 else f"{name}: {error}")
    raise click.UsageError("\n".join(["The board is not a valid position.", *reasons]))
