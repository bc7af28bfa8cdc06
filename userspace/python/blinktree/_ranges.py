# SPDX-License-Identifier: GPL-2.0
"""Ranges of keys that have one value each (linux/blink_tree_range.h)."""

import errno
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from . import _abi
from ._kinds import Kind, halves, joined

if TYPE_CHECKING:
    from ._tree import Tree

# What an object raises that can be no key: no range contains it, so that `in` says False.
_NO_KEY = (TypeError, ValueError, OverflowError)


class Range(NamedTuple):
    """The keys from first to last, and the value that all of them have: 0 in a hole."""

    first: int
    last: int
    value: int


class PartsError(OSError):
    """A range was stored in part; the errno is that of the kernel."""

    rest: int
    """Where the rest begins; the first key of all if the tree is open for writing only."""

    def __init__(self, number: Optional[int], text: Optional[str], rest: int = 0) -> None:
        super().__init__(number, text)
        self.rest = rest


class Ranges:
    """The keys of a tree as ranges that have one value each, which is not 0.

    Keys that are in no range are in holes. Neighbours with equal values are one range. The
    tree has an entry for each boundary: its other methods see these. Each call takes effect
    at one moment. An iteration does not.

    Only for keys and values that are numbers; calls raise OSError (EOPNOTSUPP) otherwise.
    """

    def __init__(self, tree: "Tree", kind: Kind) -> None:
        self._tree = tree
        self._kind = kind

    def __repr__(self) -> str:
        return f"<blinktree.Ranges of {self._tree!r}>"

    # Looking up

    def lookup(self, key: Any) -> Range:
        """The range that a key is in, or the hole, whose value is 0."""
        return self._execute(self._call(_abi.RANGE_LOOKUP, key))

    def __getitem__(self, key: Any) -> int:
        value = self.lookup(key).value
        if not value:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        try:
            call = self._call(_abi.RANGE_LOOKUP, key)
        except _NO_KEY:
            return False
        return self._execute(call).value != 0

    def __bool__(self) -> bool:
        return self.next(0) is not None

    def next(self, key: Any) -> Optional[Range]:
        """The first range that ends at this key or behind it, or None."""
        return self._found(self._call(_abi.RANGE_NEXT, key), errno.ENOENT)

    def prev(self, key: Any) -> Optional[Range]:
        """The last range that begins at this key or before it, or None."""
        return self._found(self._call(_abi.RANGE_PREV, key), errno.ENOENT)

    def __iter__(self) -> Iterator[Range]:
        """All ranges, a call for each.

        If others change ranges meanwhile, one can begin before the last one has ended.
        """
        key = 0
        while key <= self._greatest:
            found = self.next(key)
            if found is None:
                return
            yield found
            key = found.last + 1

    def __reversed__(self) -> Iterator[Range]:
        key = self._greatest
        while key >= 0:
            found = self.prev(key)
            if found is None:
                return
            yield found
            key = found.first - 1

    @property
    def _greatest(self) -> int:
        return (1 << 8 * self._kind.longest) - 1

    def gap(
        self, size: Any, first: Any = None, last: Any = None, highest: bool = False
    ) -> Optional[Range]:
        """So many keys in a row that are in no range, or None.

        They are the lowest ones from first to last, or the highest ones; None is no bound.
        """
        call = self._seek(_abi.RANGE_GAP, size, (first, last), highest)
        return self._found(call, errno.EBUSY)

    # Changing

    def store(self, first: Any, last: Any, value: Any, parts: bool = False) -> None:
        """Give all keys from first to last a value, at one moment; with 0 they are in a hole.

        OSError (E2BIG) if they were in too many ranges. With parts it stores one part after
        the other, from the first keys on, and raises PartsError if it ends early.
        """
        call = self._call(_abi.RANGE_STORE, first, last, value)
        if not parts:
            self._execute(call)
            return
        call.flags = _abi.RANGE_PARTS
        try:
            self._execute(call)
        except OSError as error:
            rest = joined(self._kind, call.first, call.first_low)
            raise PartsError(error.errno, error.strerror, rest) from error

    def erase(self, first: Any, last: Any, parts: bool = False) -> None:
        """Let all keys from first to last be in a hole, as store() of 0."""
        self.store(first, last, 0, parts)

    def insert(self, first: Any, last: Any, value: Any) -> bool:
        """Store a range; False, and the tree unchanged, if one of the keys is in a range."""
        call = self._call(_abi.RANGE_INSERT, first, last, value)
        return self._found(call, errno.EEXIST) is not None

    def alloc(
        self, size: Any, value: Any, first: Any = None, last: Any = None, highest: bool = False
    ) -> Optional[Range]:
        """Find a gap() and insert a range there, which is returned; None if there is no gap."""
        call = self._seek(_abi.RANGE_ALLOC, size, (first, last), highest)
        call.value = _abi.unsigned(value, 64)
        return self._found(call, errno.EBUSY)

    # Calls

    def _call(self, op: int, first: Any, last: Any = 0, value: Any = 0) -> _abi.Range:
        call = _abi.Range(op=op, value=_abi.unsigned(value, 64))
        call.first, call.first_low = self._halves(first)
        call.last, call.last_low = self._halves(last)
        return call

    def _seek(self, op: int, size: Any, bounds: tuple[Any, Any], highest: bool) -> _abi.Range:
        first, last = bounds
        call = self._call(
            op, 0 if first is None else first, self._greatest if last is None else last
        )
        call.size, call.size_low = self._halves(size)
        call.flags = _abi.RANGE_HIGHEST if highest else 0
        return call

    def _halves(self, number: Any) -> tuple[int, int]:
        if number is None:
            raise TypeError("a number is needed")
        return halves(self._kind, number, 0)

    def _execute(self, call: _abi.Range) -> Range:
        _abi.call(self._tree.fileno(), call)
        first = joined(self._kind, call.first, call.first_low)
        return Range(first, joined(self._kind, call.last, call.last_low), call.value)

    def _found(self, call: _abi.Range, unless: int) -> Optional[Range]:
        """The range that a call returns; None if it fails with this error."""
        try:
            return self._execute(call)
        except OSError as error:
            if error.errno != unless:
                raise
            return None
