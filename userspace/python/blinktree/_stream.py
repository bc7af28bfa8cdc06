# SPDX-License-Identifier: GPL-2.0
"""What all kinds of trees have: a descriptor, and calls with records."""

import ctypes
import errno
import operator
import os
from collections.abc import Iterable, Iterator
from typing import Any, Optional, TypeVar

from . import _abi, _kinds, _records
from ._records import Record
from ._watch import Watch

# Bytes of operations and of results that a call takes.
CHUNK = 1 << 18

Bound = Optional[bytes]
Self = TypeVar("Self", bound="Stream")


class LoadError(OSError):
    """A load ended early; the errno is that of the kernel."""

    loaded: int
    """The number of entries before the one that was not added."""

    def __init__(self, number: Optional[int], text: Optional[str], loaded: int = 0) -> None:
        super().__init__(number, text)
        self.loaded = loaded


class BatchError(OSError):
    """A call of many operations, or on a range, ended early; the errno is that of the kernel."""

    done: int
    """The number of operations that were executed, counted from the first. When a range is
    erased: the number of entries that were removed."""

    def __init__(self, number: Optional[int], text: Optional[str], done: int = 0) -> None:
        super().__init__(number, text)
        self.done = done


def _chunks(operations: Iterable[Record]) -> Iterator[list[bytes]]:
    """The operations in parts. An exception is raised behind the operations before it."""
    chunk: list[bytes] = []
    size = 0
    try:
        for operation in operations:
            packed = _records.pack(operation)
            if chunk and size + len(packed) > CHUNK:
                # A signal's handler can raise here: the caller has this part already.
                full, chunk, size = chunk, [], 0
                yield full
            chunk.append(packed)
            size += len(packed)
    finally:
        if chunk:
            yield chunk


class Stream:
    """A tree that is open: its descriptor, and what works for all kinds.

    Several threads can use it at once: a call holds no lock of the interpreter.
    Processes share a tree by its name, or by its descriptor.
    """

    _fd = -1
    # Whether it is for trees of equal keys.
    _MULTI = False

    def __init__(self, fd: int) -> None:
        """Take over a descriptor of a tree; OSError if it is no such.

        If this raises an error, the descriptor still belongs to the caller.
        """
        fd = operator.index(fd)
        attr = _abi.Attr()
        _abi.call(fd, attr)
        multi = attr.key == _abi.KEY_MULTI
        if multi != self._MULTI:
            raise TypeError("Pairs are for trees of equal keys, a Tree is for all others")
        if attr.key not in _kinds.KEYS:
            raise NotImplementedError(f"keys of kind {attr.key} need a later package")
        self._key = _kinds.KEYS[attr.key]
        self._value = _kinds.VALUES[bool(attr.create_flags & _abi.CREATE_BYTE_VALUES)]
        self._bound_max = 16 if multi else self._key.longest
        self._result_max = _records.size(
            self._key.longest, self._value.longest, self._value.longest
        )
        self._fd = fd

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"fd={self.fileno()}"
        return f"<blinktree.{type(self).__name__} {self.key_kind}:{self.value_kind} {state}>"

    def fileno(self) -> int:
        """The descriptor; ValueError if the tree is closed."""
        if self._fd < 0:
            raise ValueError("the tree is closed")
        return self._fd

    def close(self) -> None:
        """Close the descriptor. A tree without a name ends with its last one."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._fd < 0

    def __enter__(self: Self) -> Self:
        self.fileno()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a tree cannot be pickled: open it by its name, or pass its descriptor")

    def __bool__(self) -> bool:
        return next(self._scan(None, None), None) is not None

    @property
    def key_kind(self) -> str:
        """The kind of its keys: "u64", "u128", "multi" or "bytes"."""
        return self._key.name

    @property
    def value_kind(self) -> str:
        """The kind of its values: "u64" or "bytes"."""
        return self._value.name

    @property
    def name(self) -> str:
        """Its name; empty if it has none."""
        attr = _abi.Attr()
        _abi.call(self.fileno(), attr)
        return str(attr.name, "ascii")

    def watch(self, minimum: Any = None, maximum: Any = None, slots: int = 0) -> Watch:
        """The changes of the keys from minimum to maximum from now on; None is no bound.

        It keeps so many changes, a power of two, and 16,384 if this is 0. Only for keys
        and values that are numbers.
        """
        return Watch(self.fileno(), self._key, minimum, maximum, slots)

    def stats(self) -> dict[str, int]:
        """The fields of struct blink_tree_ioc_stats, by their names."""
        return self._ask(_abi.Stats)

    def verify(self) -> dict[str, int]:
        """Check all invariants: "violation" is 0 if they hold (BLINK_TREE_IOC_VERIFY)."""
        return self._ask(_abi.Verify)

    def _ask(self, struct: type[Any]) -> dict[str, int]:
        argument = struct()
        _abi.call(self.fileno(), argument)
        names = (field[0] for field in struct._fields_)
        hidden = ("flags", "known", "reserved")
        return {name: getattr(argument, name) for name in names if name not in hidden}

    def __len__(self) -> int:
        return self._ask(_abi.Stats)["entries"]

    def _entry(self, record: Record) -> tuple[Any, Any]:
        return self._key.decode(record.key), self._value.decode(record.value)

    def _popped(self, operation: Record) -> tuple[Any, Any]:
        """The entry that a pop has removed; KeyError if there was none."""
        result = self._one(operation, errno.ENOENT)
        if missing(result):
            raise KeyError("the tree is empty")
        return self._key.decode(result.key), self._value.decode(result.old)

    def _one(self, operation: Record, *expected: int) -> Record:
        """Execute one; OSError, unless its result is 0, positive or one of these."""
        (result,) = self._results([_records.pack(operation)])
        if result.result < 0 and -result.result not in expected:
            raise OSError(-result.result, os.strerror(-result.result))
        return result

    def _results(self, chunk: list[bytes]) -> Iterator[Record]:
        """Execute a chunk, and give the result of each operation."""
        stream = b"".join(chunk)
        # One has the largest result there is, or all have much smaller ones.
        room = max(min(CHUNK, len(chunk) * self._result_max), self._result_max)
        output = ctypes.create_string_buffer(room)
        while stream:
            call = _abi.Records(output=ctypes.addressof(output), output_size=room)
            self._pass(call, stream)
            yield from _records.unpack(ctypes.string_at(output, call.output_used))
            stream = stream[call.input_used :]

    def _execute(self, operations: Iterable[Record]) -> Iterator[Record]:
        """Execute them, and give the result of each; BatchError if a call fails."""
        done = 0
        for chunk in _chunks(operations):
            # An OSError of the operations' own iterator passes as it is.
            try:
                for result in self._results(chunk):
                    done += 1
                    yield result
            except OSError as error:
                raise BatchError(error.errno, error.strerror, done) from error

    def _good(self, operations: Iterable[Record], *expected: int) -> Iterator[Record]:
        """The results; afterwards OSError if one failed for another reason."""
        failed = 0
        for result in self._execute(operations):
            if result.result < 0 and -result.result not in expected:
                failed = failed or -result.result
            yield result
        if failed:
            raise OSError(failed, os.strerror(failed))

    def _pass(self, call: _abi.Records, stream: bytes) -> None:
        source = ctypes.create_string_buffer(stream, len(stream))
        call.input = ctypes.addressof(source)
        call.input_size = len(stream)
        _abi.call(self.fileno(), call)

    def _commit(self, operations: list[Record]) -> tuple[list[Record], bool]:
        """Execute them at one instant: their results, and whether a condition was not true."""
        room = len(operations) * self._result_max
        output = ctypes.create_string_buffer(room)
        call = _abi.Records(
            flags=_abi.RECORDS_COMMIT, output=ctypes.addressof(output), output_size=room
        )
        stale = False
        try:
            self._pass(call, b"".join(map(_records.pack, operations)))
        except OSError as error:
            if error.errno != errno.ESTALE:
                raise
            stale = True
        return list(_records.unpack(ctypes.string_at(output, call.output_used))), stale

    def _load(self, entries: Iterable[Record], fill: int) -> int:
        loaded = 0
        for chunk in _chunks(entries):
            stream = b"".join(chunk)
            while stream:
                call = _abi.Records(flags=_abi.RECORDS_LOAD, fill=_abi.unsigned(fill, 32))
                try:
                    self._pass(call, stream)
                except OSError as error:
                    raise LoadError(error.errno, error.strerror, loaded + call.done) from error
                loaded += call.done
                stream = stream[call.input_used :]
        return loaded

    def _range(self, call: Any, first: Bound, last: Bound) -> tuple[Any, Any]:
        """Give a call its bounds; they must live as long as it."""
        bounds = []
        for bound in (first, last):
            if bound is not None and len(bound) > self._bound_max:
                raise ValueError("a bound is too long")
            buffer = ctypes.create_string_buffer(self._bound_max)
            ctypes.memmove(buffer, bound or b"", len(bound or b""))
            bounds.append(buffer)
        call.first, call.last = (ctypes.addressof(buffer) for buffer in bounds)
        call.first_length = len(first or b"")
        call.last_length = len(last or b"")
        return bounds[0], bounds[1]

    def _scan(self, first: Bound, last: Bound, flags: int = 0) -> Iterator[Record]:
        """The entries of a range, some of them in each call."""
        room = max(1 << 12, 2 * self._result_max)
        call = _abi.RecordScan(flags=flags)
        bounds = self._range(call, first, last)
        while not call.flags & _abi.DONE:
            output = ctypes.create_string_buffer(room)
            call.output = ctypes.addressof(output)
            call.output_size = room
            _abi.call(self.fileno(), call)
            yield from _records.unpack(ctypes.string_at(output, call.output_used))
            room = min(4 * room, CHUNK)
        del bounds

    def _count(self, first: Bound, last: Bound, flags: int = 0) -> int:
        return sum(self._parts(_abi.RecordScan(flags=flags | _abi.SCAN_COUNT), first, last))

    def _erase(self, first: Bound, last: Bound, flags: int = 0) -> int:
        erased = 0
        try:
            for count in self._parts(_abi.RecordErase(flags=flags), first, last):
                erased += count
        except OSError as error:
            raise BatchError(error.errno, error.strerror, erased) from error
        return erased

    def _parts(self, call: Any, first: Bound, last: Bound) -> Iterator[int]:
        """Call until a range is done: the number of entries of each call."""
        bounds = self._range(call, first, last)
        while not call.flags & _abi.DONE:
            _abi.call(self.fileno(), call)
            yield call.count
        del bounds


def missing(result: Record) -> bool:
    """Whether an operation found nothing."""
    return result.result == -errno.ENOENT
