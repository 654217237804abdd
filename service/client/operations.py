"""Methods written once, as generators of steps; their driver makes them blocking or awaitable."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from service.client.calls import Items, Steps
from service.client.drivers import Async, Sync

P = ParamSpec("P")
T = TypeVar("T")
D = TypeVar("D", bound=Sync | Async)


class Driven(Generic[D]):
    """An object whose operations are taken by a driver."""

    def __init__(self, driver: D) -> None:
        self._driver = driver


class Operation(Generic[P, T]):
    """A method with one result; it is awaited if the driver is asynchronous."""

    def __init__(self, function: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: Driven[Sync], kind: Any = None) -> Callable[P, T]: ...
    @overload
    def __get__(
        self, owner: Driven[Async], kind: Any = None
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Callable[Concatenate[Any, P], Steps[T]]: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        """The method of `owner`."""
        return _bound(self._function, owner, "run")


class Listing(Generic[P, T]):
    """A method that gives items one by one, an asynchronous iterator if the driver is so."""

    def __init__(self, function: Callable[Concatenate[Any, P], Items[T]]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: Driven[Sync], kind: Any = None) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, owner: Driven[Async], kind: Any = None) -> Callable[P, AsyncIterator[T]]: ...
    @overload
    def __get__(self, owner: None, kind: Any = None) -> Callable[Concatenate[Any, P], Items[T]]: ...
    def __get__(self, owner: Any, kind: Any = None) -> Any:
        """The method of `owner`."""
        return _bound(self._function, owner, "iterate")


def _bound(function: Callable[..., Any], owner: Any, how: str) -> Any:
    """`function` as a method of `owner` that its driver takes; on a class, the function itself."""
    if owner is None:
        return function
    method = MethodType(function, owner)

    @wraps(method)
    def taken(*args: Any, **options: Any) -> Any:
        return getattr(owner._driver, how)(method(*args, **options))

    return taken
