"""Where games are kept: the promise in `base`, and who keeps it."""

from service.store.answers import Answers
from service.store.base import Change, ChangeFeed, ResultStore, Saved, Store

__all__ = ["Answers", "Change", "ChangeFeed", "ResultStore", "Saved", "Store"]
