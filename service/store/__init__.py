"""Stores games: the interface in `base`, and its implementation on Redis or Valkey."""

from service.store.base import (
    CHECKPOINT_PLIES,
    Change,
    ChangeFeed,
    LinePage,
    Loaded,
    ResultStore,
    Saved,
    Store,
    StoredResponses,
)

__all__ = [
    "CHECKPOINT_PLIES",
    "Change",
    "ChangeFeed",
    "LinePage",
    "Loaded",
    "ResultStore",
    "Saved",
    "Store",
    "StoredResponses",
]
