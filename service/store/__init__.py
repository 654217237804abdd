"""Where games are kept: the promise in `base`, and who keeps it."""

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
