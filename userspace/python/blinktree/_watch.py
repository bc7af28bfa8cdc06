# SPDX-License-Identifier: GPL-2.0
"""The changes of a tree, from the ring that the kernel writes (linux/blink_tree_watch.h)."""

import itertools
import mmap
import os
import platform
import select
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

from . import _abi
from ._kinds import Kind, halves, joined

_KINDS = {
    _abi.CHANGE_INSERT: "insert",
    _abi.CHANGE_UPDATE: "update",
    _abi.CHANGE_ERASE: "erase",
    _abi.CHANGE_ERASE_RANGE: "erase_range",
}
# Of the tree itself, without a key. Others from the first one on are skipped.
_EVENTS = {
    _abi.CHANGE_UNLINKED: "unlinked",
    _abi.CHANGE_ATTR: "attr",
    _abi.CHANGE_REFUSED: "refused",
}
_ALL = 2**64 - 1
# The longest time that poll() takes, in milliseconds.
_POLL_MAX = 2**31 - 1
# Members of the ring, as indexes of words of 64 bits.
_HEAD = _abi.WatchRing.head.offset // 8
_LOST = _abi.WatchRing.lost.offset // 8


class Change(NamedTuple):
    """A change of a tree.

    kind is "insert", "update", "erase" or "erase_range": the keys from key to last. The
    keys of pairs are pairs.

    Three kinds have no key but None, and tell of the tree itself: "unlinked", its name was
    removed; "attr", attributes were set, value has their bits; "refused", the tree had no
    room for a change, value is the errno.
    """

    position: int
    kind: str
    key: Any
    last: Any
    value: int
    old: int


class Overrun(Exception):
    """The watch has missed changes: read the tree again. The watch goes on from now."""


def _open(fd: int, kind: Kind, minimum: Any, maximum: Any, slots: int) -> int:
    if not Watch.usable():
        raise NotImplementedError("watches need a Python for x86-64")
    call = _abi.Watch(slots=_abi.unsigned(slots, 32))
    call.first, call.first_low = halves(kind, minimum, 0)
    call.last, call.last_low = halves(kind, maximum, _ALL)
    return _abi.call(fd, call)


def _map(fd: int) -> tuple[mmap.mmap, _abi.WatchRing]:
    """The ring, whose begin says how large it is, and a copy of this begin."""
    with mmap.mmap(fd, mmap.PAGESIZE, prot=mmap.PROT_READ) as begin:
        ring = _abi.WatchRing.from_buffer_copy(begin)
    size = ring.records + ring.slots * ring.record_size
    return mmap.mmap(fd, size, prot=mmap.PROT_READ), ring


class Watch:
    """The changes of a tree since the watch was created, in one order.

    An iteration gives all changes, and waits for more. It ends when there will be none: the
    tree has neither a name nor a descriptor. Threads that share a watch need a lock.
    """

    position = 0
    """The position of the change that is read next."""

    _fd = -1

    def __init__(self, fd: int, kind: Kind, minimum: Any, maximum: Any, slots: int) -> None:
        watch = _open(fd, kind, minimum, maximum, slots)
        try:
            self._memory, ring = _map(watch)
        except BaseException:
            os.close(watch)
            raise
        os.set_blocking(watch, False)
        self._fd = watch
        self._kind = kind
        self._words = memoryview(self._memory).cast("Q")
        self._slots = int(ring.slots)
        self._first = ring.records // 8
        self._stride = ring.record_size // 8

    @staticmethod
    def usable() -> bool:
        """Whether this is a Python for x86-64.

        The interpreter has no fences, and this processor needs none between loads.
        """
        return platform.machine() == "x86_64" and sys.maxsize > 2**32

    def fileno(self) -> int:
        """A descriptor for poll(); ValueError if the watch is closed."""
        if self._fd < 0:
            raise ValueError("the watch is closed")
        return self._fd

    def close(self) -> None:
        """End the watch."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
            self._words.release()
            self._memory.close()

    def __enter__(self) -> "Watch":
        self.fileno()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a watch cannot be pickled")

    @property
    def head(self) -> int:
        """The position of the next change of the tree."""
        self.fileno()
        return self._words[_HEAD]

    def read(self, most: int = 1024) -> list[Change]:
        """The changes that there are, so many at most; Overrun if some were missed.

        After an empty list the descriptor is readable only if there are changes since. An
        exception, of a signal's handler for one, leaves the position as it was.
        """
        position = self.position
        try:
            changes = list(itertools.islice(self._available(), most))
            if not changes and self.head <= self.position:
                self._forget_readable()
                # There can be a change since.
                changes = list(itertools.islice(self._available(), most))
        except BaseException:
            self.position = position
            raise
        if not changes:
            self._raise_overrun()
        return changes

    @property
    def ended(self) -> bool:
        """Whether there will be no changes but those that can be read now."""
        poll = select.poll()
        poll.register(self.fileno(), 0)
        return bool(poll.poll(0))

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Wait for changes, so many seconds at most; False if there are none, or ended is true."""
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        end = None if timeout is None else time.monotonic() + timeout
        while self.head <= self.position:
            ended = not self._forget_readable()
            if self.head > self.position:
                break
            if ended:
                return False
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                return False
            poll.poll(None if left is None else min(1000 * left, _POLL_MAX))
        return True

    def __iter__(self) -> Iterator[Change]:
        while self.wait():
            yield from self._available()
            self._raise_overrun()

    def _available(self) -> Iterator[Change]:
        """The changes that there are. Of those that nobody takes, none counts as read."""
        while True:
            words = self._one()
            if words is None:
                return
            change = self._change(words)
            self.position += 1
            if change is not None:
                yield change

    def _raise_overrun(self) -> None:
        """Raise Overrun if changes were missed, and go on with those from now."""
        if self.position < self._lost():
            self.position = self.head
            raise Overrun(f"changes before position {self.position} were missed")

    def _forget_readable(self) -> bool:
        """Let the descriptor be readable only for further changes; False if there are none."""
        try:
            return bool(os.read(self._fd, 8))
        except BlockingIOError:
            return True

    def _lost(self) -> int:
        """The position below which no change can be read any more."""
        return max(self._words[_LOST], self._words[_HEAD] - self._slots)

    def _one(self) -> Optional[list[int]]:
        """The next record; None if it is not there yet, or was missed."""
        expected = 2 * self.position + 2
        at = self._first + self.position % self._slots * self._stride
        self.fileno()
        while self._words[at] < expected:
            if self._lost() > self.position or self._words[_HEAD] <= self.position:
                return None
            os.sched_yield()
        words = self._words[at : at + self._stride].tolist()
        if words[0] != expected or self._words[at] != expected:
            return None
        return words

    def _change(self, words: list[int]) -> Optional[Change]:
        """The change of a record; None if it tells what this package does not know."""
        seq, op, high, low, last_high, last_low, value, old = words[:8]
        op &= 0xFFFFFFFF
        position = seq // 2 - 1
        if op >= _abi.CHANGE_UNLINKED:
            return Change(position, _EVENTS[op], None, None, value, old) if op in _EVENTS else None
        return Change(
            position,
            _KINDS[op],
            self._key(high, low),
            self._key(last_high, last_low),
            value,
            old,
        )

    def _key(self, high: int, low: int) -> Any:
        if self._kind.name == "multi":
            return high, low
        return joined(self._kind, high, low)
