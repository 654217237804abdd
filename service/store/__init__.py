"""Where games are kept: the promise in `base`, and who keeps it."""

from service.store.base import Change, Loaded, News, Saved, Store, StoredResponses

__all__ = ["Change", "Loaded", "News", "Saved", "Store", "StoredResponses"]
