"""Lists that come in pages, read one after another as they are needed."""

from typing import Generic, TypeVar

import msgspec

from service.client.calls import Item, Items, Reader, get
from service.client.retries import Link, exchange

T = TypeVar("T")


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A page of a list, and the cursor of the next one."""

    items: tuple[T, ...]
    next: str | None = None


def every_item(
    path: tuple[str, ...],
    read: Reader[Page[T]],
    link: Link,
    headers: dict[str, str],
    **query: str | int | None,
) -> Items[T]:
    """The items of all pages."""
    page = yield from exchange(get(*path, read=read, query=query, headers=headers), link)
    while True:
        for item in page.items:
            yield Item(item)
        if page.next is None:
            return
        rest = {name: value for name, value in query.items() if name != "after"}
        call = get(*path, read=read, query={**rest, "cursor": page.next}, headers=headers)
        page = yield from exchange(call, link)
