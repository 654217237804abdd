"""The ids of daily deals: one deal a variant and UTC day."""

import re
from datetime import date

from service.errors import DayTextError

DAILY_INFIX = "-daily-"
"""What the ids of daily deals have and no other ids: between the variant and the day."""

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"


def parse_day(text: str) -> date:
    """The day that `text` writes as YYYY-MM-DD; `DayTextError` if it is none."""
    if re.fullmatch(DAY, text, re.ASCII):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise DayTextError("A day is written YYYY-MM-DD, such as 2026-11-30.")
