"""Ids of daily deals, one deal for each variant and UTC day."""

import re
from datetime import date

from service.errors import InputError

DAILY_INFIX = "-daily-"
"""Stands between variant and day in the id of a daily deal, and in no other id."""

DAY_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def parse_day(text: str) -> date:
    """The day written as YYYY-MM-DD. Raises `InputError`."""
    if re.fullmatch(DAY_PATTERN, text, re.ASCII):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise InputError("Write a day as YYYY-MM-DD, such as 2026-11-30.")
