"""Stores games and results on Redis or Valkey, and tells what has changed."""

from service.store.base import (
    CHECKPOINT_PLIES,
    Change,
    ChangeFeed,
    LinePage,
    Loaded,
    Saved,
    StoredResponses,
)
from service.store.games import Store

__all__ = [
    "CHECKPOINT_PLIES",
    "Change",
    "ChangeFeed",
    "LinePage",
    "Loaded",
    "Saved",
    "Store",
    "StoredResponses",
]
