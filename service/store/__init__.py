"""Where games are kept: the promise in `base`, and who keeps it."""

from service.store.base import Change, Saved, Store

__all__ = ["Change", "Saved", "Store"]
