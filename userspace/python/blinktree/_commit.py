# SPDX-License-Identifier: GPL-2.0
"""Commits: several operations on a tree that take effect at one instant, or not at all."""

import errno
import os
from typing import TYPE_CHECKING, Any, Literal, Optional

from . import _abi
from ._records import Record

if TYPE_CHECKING:
    from ._tree import Tree

Gap = Optional[Literal["empty", "clear"]]

_GAPS = {None: 0, "empty": _abi.COMMIT_EMPTY, "clear": _abi.COMMIT_CLEAR}


class CommitError(OSError):
    """A condition was not true, so nothing has changed; the errno is ESTALE."""

    key: Any
    """The key of the first operation that failed."""
    found: Any
    """The value of this key; None if there is no such key, or if gap is true."""
    gap: bool
    """Whether it failed since there is a key in its gap."""

    def __init__(self, key: Any, found: Any, gap: bool = False) -> None:
        super().__init__(errno.ESTALE, os.strerror(errno.ESTALE))
        self.key = key
        self.found = found
        self.gap = gap


class Commit:
    """Up to 32 operations: collected in a `with` block, and executed at its end.

    If the block raises an exception, nothing is executed. A key can have several
    operations, of which one can change it: all find what was there before.

    The gap of an operation is the keys between its own and the next greater one of the
    commit, without these two. With gap="empty" it is a condition that the gap has no key,
    and gap="clear" removes all keys of it. The greatest key has no gap.
    """

    def __init__(self, tree: "Tree") -> None:
        self._tree = tree
        self._keys: list[Any] = []
        self._operations: list[Record] = []
        self._results: list[Record] = []

    def _add(self, opcode: int, key: Any, gap: Gap, **values: Any) -> None:
        # pylint: disable-next=protected-access
        self._append(key, gap, self._tree._operation(opcode, key, **values))

    def _append(self, key: Any, gap: Gap, operation: Record) -> None:
        if gap not in _GAPS:
            raise ValueError(f'gap is "empty", "clear" or None, not {gap!r}')
        self._operations.append(operation._replace(flags=_GAPS[gap]))
        self._keys.append(key)

    def __enter__(self) -> "Commit":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *_: Any) -> None:
        if kind is None:
            self._execute()

    def _execute(self) -> None:
        # pylint: disable-next=protected-access
        self._results, stale = self._tree._commit(self._operations)
        if not stale:
            return
        for key, result in zip(self._keys, self._results):
            if result.result != -errno.ECANCELED:
                gap = result.result == -errno.ENOTEMPTY
                absent = gap or result.result == -errno.ENOENT
                raise CommitError(key, None if absent else self._decode(result.old), gap)

    def _decode(self, value: bytes) -> Any:
        return self._tree._value.decode(value)  # pylint: disable=protected-access

    # Conditions

    def expect(self, key: Any, value: Any, *, gap: Gap = None) -> None:
        """The key has this value."""
        self._add(_abi.EXPECT, key, gap, old=value)

    def absent(self, key: Any, *, gap: Gap = None) -> None:
        """There is no such key."""
        self._add(_abi.ABSENT, key, gap)

    # Changes

    def __setitem__(self, key: Any, value: Any) -> None:
        self.store(key, value)

    def __delitem__(self, key: Any) -> None:
        self.erase(key)

    def store(self, key: Any, value: Any, *, gap: Gap = None) -> None:
        """Add a key, or change its value, as commit[key] = value does."""
        self._add(_abi.STORE, key, gap, value=value)

    def erase(self, key: Any, *, gap: Gap = None) -> None:
        """Remove a key, which is present, as del commit[key] does."""
        self._add(_abi.ERASE, key, gap)

    def insert(self, key: Any, value: Any, *, gap: Gap = None) -> None:
        """Add a key, which is absent."""
        self._add(_abi.INSERT, key, gap, value=value)

    def replace(self, key: Any, value: Any, *, gap: Gap = None) -> None:
        """Change the value of a key, which is present."""
        self._add(_abi.REPLACE, key, gap, value=value)

    def add(self, key: Any, number: int = 1, saturate: bool = False, *, gap: Gap = None) -> None:
        """Add a number to the value of a key, as Tree.add()."""
        # pylint: disable-next=protected-access
        self._append(key, gap, self._tree._addition(key, number, saturate))

    def cas(self, key: Any, expected: Any, value: Any, *, gap: Gap = None) -> None:
        """Change the value of a key, which has the expected one."""
        self._add(_abi.CMPXCHG, key, gap, value=value, old=expected)

    def cad(self, key: Any, expected: Any, *, gap: Gap = None) -> None:
        """Remove a key, which has the expected value."""
        self._add(_abi.CMPERASE, key, gap, old=expected)

    # Values

    def read(self, key: Any, *, gap: Gap = None) -> None:
        """Look up a key, whether it is present or not: see found()."""
        self._add(_abi.LOOKUP, key, gap)

    def found(self, key: Any, default: Any = None) -> Any:
        """After the block: the value that read() of this key has found."""
        for one, result in zip(self._keys, self._results):
            if result.opcode == _abi.LOOKUP and one == key:
                return default if result.result else self._decode(result.value)
        raise KeyError(key)
