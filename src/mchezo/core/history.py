"""A list that mostly grows, whose copies share what they have in common: copying it costs the same at any length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class History(Sequence[T], Generic[T]):
    """The first items of a list that its copies may share. No copy sees what another one appends or takes back.

    Whoever is first to append to the end of the shared list does so in place; anybody else continues on a list of
    their own. An item is never replaced, so that copies may be used in different threads.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def append(self, item: T) -> None:
        """Add an item."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        if items[length] is not item:  # another copy was faster, perhaps in another thread
            self._items = [*items[:length], item]
        self._length = length + 1

    def pop(self) -> T:
        """Take the last item back."""
        if not self._length:
            raise IndexError("pop from an empty history")
        self._length -= 1
        return self._items[self._length]

    def copy(self) -> History[T]:
        """Return an independent copy."""
        twin: History[T] = object.__new__(History)
        twin._items, twin._length = self._items, self._length
        return twin

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            return self._items[start:stop:step] if step > 0 else self._items[: self._length][index]
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError("history index out of range")
        return self._items[index]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __reversed__(self) -> Iterator[T]:
        items = self._items
        return (items[at] for at in range(self._length - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History | list):
            return NotImplemented
        return self[:] == other[:]

    def __hash__(self) -> int:
        raise TypeError("a history changes: it has no hash")

    def __repr__(self) -> str:
        return f"History({self[:]!r})"
