"""Stores games: the interface in `base`, and its implementation on Redis or Valkey."""

from service.store.base import (
    Change,
    ChangeFeed,
    Loaded,
    ResultStore,
    Saved,
    Store,
    StoredResponses,
)

__all__ = ["Change", "ChangeFeed", "Loaded", "ResultStore", "Saved", "Store", "StoredResponses"]
