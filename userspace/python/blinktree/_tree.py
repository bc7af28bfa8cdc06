# SPDX-License-Identifier: GPL-2.0
"""Trees as mappings in the order of their keys, and as sets of pairs."""

import ctypes
import errno
from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    MutableSet,
    ValuesView,
)
from typing import Any, Optional

from . import _abi, _kinds
from ._buffers import elements
from ._commit import Commit
from ._ranges import Ranges
from ._records import Record
from ._stream import BatchError, Bound, LoadError, Stream, missing

Entry = tuple[Any, Any]
_NONE: Any = object()
# What an object raises that can be no key: no tree contains it, so that `in` says False.
_NO_KEY = (TypeError, ValueError, OverflowError)
# Elements of a buffer that a call takes.
_CALL_MAX = 1 << 20
_PREFIX = _kinds.string(_abi.RECORD_KEY_MAX)


class _Keys(KeysView[Any]):
    """The keys, in their order, read many at a time."""

    _mapping: "Tree"

    def __reversed__(self) -> Iterator[Any]:
        return self._mapping.irange(reverse=True)


class _Items(ItemsView[Any, Any]):
    """The entries, read many at a time."""

    _mapping: "Tree"

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, tuple) or len(item) != 2 or item[0] not in self._mapping:
            return False
        return super().__contains__(item)

    def __iter__(self) -> Iterator[Entry]:
        return self._mapping.irange_items()

    def __reversed__(self) -> Iterator[Entry]:
        return self._mapping.irange_items(reverse=True)


class _Values(ValuesView[Any]):
    """The values, in the order of their keys, read many at a time."""

    _mapping: "Tree"

    def __contains__(self, value: object) -> bool:
        return any(value == one for one in self)

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping.irange_items())

    def __reversed__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping.irange_items(reverse=True))


class Tree(Stream, MutableMapping[Any, Any]):
    """A tree of one value per key: a dict that is sorted, and shared by processes.

    Each operation takes effect at one moment. What reads or changes several entries
    (an iteration, update(), clear()) does not: others can change the tree meanwhile.
    An iteration gives each entry that was there all the time exactly once.

    Operations raise OSError with the errno of the kernel: ENOSPC at a limit of the
    tree, EBADF if it was not opened for this.
    """

    def _operation(self, opcode: int, key: Any, value: Any = _NONE, old: Any = _NONE) -> Record:
        return Record(
            opcode,
            self._key.encode(key),
            b"" if value is _NONE else self._value.encode(value),
            b"" if old is _NONE else self._value.encode(old),
        )

    # One key

    def __getitem__(self, key: Any) -> Any:
        result = self._one(self._operation(_abi.LOOKUP, key), errno.ENOENT)
        if missing(result):
            raise KeyError(key)
        return self._value.decode(result.value)

    def __contains__(self, key: object) -> bool:
        try:
            operation = self._operation(_abi.LOOKUP, key)
        except _NO_KEY:
            return False
        return not missing(self._one(operation, errno.ENOENT))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._one(self._operation(_abi.STORE, key, value))

    def __delitem__(self, key: Any) -> None:
        self.pop(key)

    def pop(self, key: Any, default: Any = _NONE) -> Any:
        """Remove a key and return its value; without it the default, or KeyError."""
        result = self._one(self._operation(_abi.ERASE, key), errno.ENOENT)
        if not missing(result):
            return self._value.decode(result.old)
        if default is _NONE:
            raise KeyError(key)
        return default

    def setdefault(self, key: Any, default: Any = _NONE) -> Any:
        """The value of a key, which is added with the default if it is absent."""
        if default is _NONE:
            raise TypeError("a default is needed: None is no value of a tree")
        result = self._one(self._operation(_abi.GET_OR_INSERT, key, default))
        return self._value.decode(result.old) if result.result else default

    def add(self, key: Any, number: int = 1, saturate: bool = False) -> int:
        """Add a number to the value of a key, which is 0 if it is absent; returns the sum.

        Sums are modulo 2**64; with saturate they end at 0 and at 2**64 - 1 instead. A tree
        that is open for writing only does not show the sum: it is 0, though it is made.
        """
        result = self._one(self._addition(key, number, saturate))
        if result.result and not result.old:
            return 0
        return _kinds.total(
            self._value.decode(result.old) if result.result else 0, number, saturate
        )

    def _addition(self, key: Any, number: int, saturate: bool) -> Record:
        opcode = _abi.ADD_SATURATE if saturate else _abi.ADD
        return self._operation(opcode, key, _kinds.summand(number, saturate))

    def insert(self, key: Any, value: Any) -> bool:
        """Add a key; False, and the tree unchanged, if it is present."""
        result = self._one(self._operation(_abi.INSERT, key, value), errno.EEXIST)
        return result.result == 0

    def replace(self, key: Any, value: Any) -> Any:
        """Change the value of a key that is present; returns the former, or KeyError."""
        result = self._one(self._operation(_abi.REPLACE, key, value), errno.ENOENT)
        if missing(result):
            raise KeyError(key)
        return self._value.decode(result.old)

    def cas(self, key: Any, expected: Any, value: Any) -> bool:
        """Change the value of a key if it is the expected one; KeyError without it."""
        operation = self._operation(_abi.CMPXCHG, key, value, expected)
        return self._compared(key, operation)

    def cad(self, key: Any, expected: Any) -> bool:
        """Remove a key if its value is the expected one; KeyError without it."""
        return self._compared(key, self._operation(_abi.CMPERASE, key, old=expected))

    def _compared(self, key: Any, operation: Record) -> bool:
        result = self._one(operation, errno.ENOENT, errno.ESTALE)
        if missing(result):
            raise KeyError(key)
        return result.result == 0

    def commit(self) -> Commit:
        """Several operations that take effect at one instant, or not at all.

        They are collected in a `with` block, and executed at its end.
        """
        return Commit(self)

    @property
    def ranges(self) -> Ranges:
        """The keys as ranges that have one value each, if keys and values are numbers."""
        return Ranges(self, self._key)

    # Neighbours

    def floor(self, key: Any) -> Optional[Entry]:
        """The entry with the greatest key that is at most this one, or None."""
        return self._near(_abi.FLOOR, key)

    def ceiling(self, key: Any) -> Optional[Entry]:
        """The entry with the least key that is at least this one, or None."""
        return self._near(_abi.CEILING, key)

    def lower(self, key: Any) -> Optional[Entry]:
        """The entry with the greatest key that is less than this one, or None."""
        return next(self.irange_items(None, key, (True, False), reverse=True), None)

    def higher(self, key: Any) -> Optional[Entry]:
        """The entry with the least key that is greater than this one, or None."""
        return next(self.irange_items(key, None, (False, True)), None)

    def _near(self, opcode: int, key: Any) -> Optional[Entry]:
        result = self._one(self._operation(opcode, key), errno.ENOENT)
        return None if missing(result) else self._entry(result)

    def peekitem(self, index: int = -1) -> Entry:
        """The last entry, or with index 0 the first; IndexError if there is none."""
        if index not in (0, -1):
            raise IndexError("a tree knows its first and its last entry only")
        entry = next(self.irange_items(reverse=index == -1), None)
        if entry is None:
            raise IndexError("the tree is empty")
        return entry

    def popitem(self, index: int = -1) -> Entry:
        """Remove the last entry, or with index 0 the first; KeyError if there is none."""
        if index not in (0, -1):
            raise IndexError("a tree knows its first and its last entry only")
        if index:
            return self._popped(Record(_abi.POP_MAX, b"\xff" * self._key.longest))
        least = b"" if self.key_kind == "bytes" else bytes(self._key.longest)
        return self._popped(Record(_abi.POP_MIN, least))

    # Ranges

    def __iter__(self) -> Iterator[Any]:
        return self.irange()

    def __reversed__(self) -> Iterator[Any]:
        return self.irange(reverse=True)

    def keys(self) -> KeysView[Any]:
        """A view of the keys, in their order."""
        return _Keys(self)

    def items(self) -> ItemsView[Any, Any]:
        """A view of the entries, in the order of their keys."""
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        """A view of the values, in the order of their keys."""
        return _Values(self)

    def irange(
        self,
        minimum: Any = None,
        maximum: Any = None,
        inclusive: tuple[bool, bool] = (True, True),
        reverse: bool = False,
    ) -> Iterator[Any]:
        """The keys from minimum to maximum; None is no bound."""
        entries = self.irange_items(minimum, maximum, inclusive, reverse)
        return (key for key, _ in entries)

    def irange_items(
        self,
        minimum: Any = None,
        maximum: Any = None,
        inclusive: tuple[bool, bool] = (True, True),
        reverse: bool = False,
    ) -> Iterator[Entry]:
        """The entries whose keys irange() gives."""
        bounds = self._bounds(minimum, maximum, inclusive)
        if bounds is None:
            return iter(())
        first, last, flags = bounds
        flags |= _abi.SCAN_DESC if reverse else 0
        return map(self._entry, self._scan(first, last, flags))

    def prefix(self, prefix: bytes, reverse: bool = False) -> Iterator[Entry]:
        """The entries whose keys begin with these bytes: those of a number, too."""
        flags = _abi.PREFIX | (_abi.SCAN_DESC if reverse else 0)
        return map(self._entry, self._scan(_PREFIX(prefix), None, flags))

    def count(
        self,
        minimum: Any = None,
        maximum: Any = None,
        inclusive: tuple[bool, bool] = (True, True),
    ) -> int:
        """How many keys irange() would give."""
        bounds = self._bounds(minimum, maximum, inclusive)
        return self._count(*bounds) if bounds else 0

    def erase_range(
        self,
        minimum: Any = None,
        maximum: Any = None,
        inclusive: tuple[bool, bool] = (True, True),
    ) -> int:
        """Remove the keys that irange() would give; returns how many they were.

        If a call fails, BatchError has the number of keys that were removed.
        """
        bounds = self._bounds(minimum, maximum, inclusive)
        return self._erase(*bounds) if bounds else 0

    def clear(self) -> None:
        """Remove all entries."""
        self.erase_range()

    def _bounds(
        self, minimum: Any, maximum: Any, inclusive: tuple[bool, bool]
    ) -> Optional[tuple[Bound, Bound, int]]:
        """Bounds of a range as the kernel takes them; None if it is empty."""
        first = None if minimum is None else self._key.encode(minimum)
        last = None if maximum is None else self._key.encode(maximum)
        closed = [inclusive[0] or first is None, inclusive[1] or last is None]
        # To the kernel, a bound of no bytes is none: these have the same keys.
        if first == b"" and not closed[0]:
            first, closed[0] = b"\0", True
        if last == b"" and closed[1]:
            last, closed[1] = b"\0", False
        if first is not None and last is not None:
            if first > last or (first == last and not all(closed)):
                return None
        flags = (0 if closed[0] else _abi.FIRST_OPEN) | (0 if closed[1] else _abi.LAST_OPEN)
        return first, last, flags

    # Many at once

    def get_many(self, keys: Iterable[Any], default: Any = None) -> list[Any]:
        """The value of each key, or the default: one call for thousands of them."""
        lookups = (self._operation(_abi.LOOKUP, key) for key in keys)
        return [
            default if missing(result) else self._value.decode(result.value)
            for result in self._good(lookups, errno.ENOENT)
        ]

    def update(self, entries: Any = (), /, **words: Any) -> None:
        """Store many entries: one call for thousands of them.

        Their order is the order of keys that are equal. An entry that fails (OSError)
        keeps none of the others from being stored. If a call fails, BatchError has the
        number of entries before the rest.
        """
        if words:
            raise TypeError("keys are no words")
        stores = (self._operation(_abi.STORE, key, value) for key, value in _pairs(entries))
        for _ in self._good(stores):
            pass

    def __or__(self, other: Any) -> dict[Any, Any]:
        """The entries of both, as a dict; equal keys have the other's values."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return {**dict(self.items()), **dict(other.items())}

    def __ror__(self, other: Any) -> dict[Any, Any]:
        """As |, with the values of the tree."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return {**dict(other.items()), **dict(self.items())}

    def __ior__(self, entries: Any) -> "Tree":
        self.update(entries)
        return self

    def erase_many(self, keys: Iterable[Any]) -> int:
        """Remove many keys; returns how many of them were there.

        If a call fails, BatchError has the number of keys before the rest.
        """
        erases = (self._operation(_abi.ERASE, key) for key in keys)
        return sum(not missing(result) for result in self._good(erases, errno.ENOENT))

    def load(self, entries: Any, fill: int = 100) -> int:
        """Add entries whose keys ascend, the fastest way to fill a tree.

        A leaf gets fill percent of what fits into it. Returns how many were added. An
        entry that fails (EEXIST: the key is present) raises LoadError, which has the number
        of those before it.
        """
        inserts = (self._operation(_abi.INSERT, key, value) for key, value in _pairs(entries))
        return self._load(inserts, fill)

    # Buffers: arrays of numbers, numpy's for one, that are not copied

    def load_buffer(self, entries: Any, fill: int = 100) -> int:
        """Load a buffer of keys and values of 64 bits in turn, as load().

        Only for keys and values of 64 bits.
        """
        memory, number = elements(entries, 16)
        loaded = 0
        while loaded < number:
            call = _abi.Load(
                count=min(number - loaded, _CALL_MAX),
                entries=ctypes.addressof(memory) + 16 * loaded,
                fill=_abi.unsigned(fill, 32),
                entry_size=16,
            )
            try:
                _abi.call(self.fileno(), call)
            except OSError as error:
                raise LoadError(error.errno, error.strerror, loaded + call.done) from error
            loaded += call.done
        return loaded

    def read_into(self, entries: Any, minimum: int = 0, maximum: int = 2**64 - 1) -> int:
        """Write entries in ascending order into a buffer as load_buffer() reads it.

        Returns how many there are: if the buffer is full, read on behind the last key.
        Only for keys and values of 64 bits.
        """
        memory, number = elements(entries, 16, True)
        call = _abi.Scan(
            first=_abi.unsigned(minimum, 64), last=_abi.unsigned(maximum, 64), entry_size=16
        )
        read = 0
        while read < number and not call.flags & _abi.DONE:
            call.capacity = min(number - read, _CALL_MAX)
            call.entries = ctypes.addressof(memory) + 16 * read
            _abi.call(self.fileno(), call)
            read += call.count
        return read

    def execute(self, operations: Any) -> None:
        """Execute a writable buffer of struct blink_tree_ioc_op, and leave the results
        there: 16 bits opcode, 16 bits zero, 32 bits result, then key, value, old.

        Only for keys and values of 64 bits. Opcodes are constants of this module. If a call
        fails, BatchError has the number of operations that were executed; after EFAULT the
        results of the last ones may be missing.
        """
        memory, number = elements(operations, 32, True)
        done = 0
        while done < number:
            call = _abi.Batch(
                count=min(number - done, _CALL_MAX),
                ops=ctypes.addressof(memory) + 32 * done,
                op_size=32,
            )
            try:
                _abi.call(self.fileno(), call)
            except OSError as error:
                raise BatchError(error.errno, error.strerror, done + call.done) from error
            done += call.done


def _pairs(entries: Any) -> Iterator[Entry]:
    return iter(entries.items() if hasattr(entries, "items") else entries)


class Pairs(Stream, MutableSet[Entry]):
    """A tree of equal keys: a set of pairs (key, value) in the order of both."""

    _MULTI = True

    def _operation(self, opcode: int, pair: Any) -> Record:
        if isinstance(pair, (str, bytes, bytearray)):
            raise TypeError("a pair of a key and a value is needed")
        key, value = pair
        return Record(opcode, self._key.encode(key), self._value.encode(value))

    def __contains__(self, pair: object) -> bool:
        try:
            operation = self._operation(_abi.CEILING, pair)
        except _NO_KEY:
            return False
        result = self._one(operation, errno.ENOENT)
        found = result.key, result.value
        return not missing(result) and found == (operation.key, operation.value)

    def __iter__(self) -> Iterator[Entry]:
        return map(self._entry, self._scan(None, None))

    def __reversed__(self) -> Iterator[Entry]:
        return map(self._entry, self._scan(None, None, _abi.SCAN_DESC))

    def add(self, value: Any) -> None:
        """Add a pair, unless it is present."""
        self._one(self._operation(_abi.STORE, value))

    def discard(self, value: Any) -> None:
        """Remove a pair, if it is present."""
        self._removed(value)

    def remove(self, value: Any) -> None:
        """Remove a pair; KeyError if it is absent."""
        if not self._removed(value):
            raise KeyError(value)

    def _removed(self, pair: Any) -> bool:
        """Remove a pair; returns whether it was there."""
        try:
            key, old = pair
            operation = Record(_abi.CMPERASE, self._key.encode(key), old=self._value.encode(old))
        except _NO_KEY:
            return False
        return not missing(self._one(operation, errno.ENOENT))

    def pop(self) -> Entry:
        """Remove the least pair and return it; KeyError if there is none."""
        return self._popped(Record(_abi.POP_MIN, bytes(self._key.longest)))

    def update(self, pairs: Iterable[Any]) -> None:
        """Add many pairs: one call for thousands of them.

        A pair that fails (OSError) keeps none of the others from being added. If a call
        fails, BatchError has the number of pairs before the rest.
        """
        for _ in self._good(self._operation(_abi.STORE, pair) for pair in pairs):
            pass

    # As that of any set that | does not make a copy of, it returns another type than |.
    def __ior__(self, pairs: Iterable[Any]) -> "Pairs":  # type: ignore[misc]
        self.update(pairs)
        return self

    @classmethod
    def _from_iterable(cls, pairs: Iterable[Entry]) -> set[Entry]:
        """The results of operators that change no tree are sets of Python."""
        return set(pairs)

    def values_of(self, key: Any) -> list[int]:
        """All values of a key, which ascend."""
        bound = self._key.encode(key)
        return [self._entry(record)[1] for record in self._scan(bound, bound)]

    def count(self, key: Any) -> int:
        """How many values a key has."""
        bound = self._key.encode(key)
        return self._count(bound, bound)

    def erase(self, key: Any) -> int:
        """Remove all pairs of a key; returns how many they were."""
        bound = self._key.encode(key)
        return self._erase(bound, bound)

    def clear(self) -> None:
        """Remove all pairs."""
        self._erase(None, None)

    def load(self, pairs: Iterable[Entry], fill: int = 100) -> int:
        """Add pairs that ascend, as Tree.load()."""
        return self._load((self._operation(_abi.INSERT, pair) for pair in pairs), fill)


def of_kind(fd: int) -> Any:
    """A Tree or a Pairs, whichever the tree of this descriptor is."""
    attr = _abi.Attr()
    _abi.call(fd, attr)
    return Pairs(fd) if attr.key == _abi.KEY_MULTI else Tree(fd)
