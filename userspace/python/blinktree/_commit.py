# SPDX-License-Identifier: GPL-2.0
"""Commits: several operations on a tree that take effect at one instant, or not at all."""

import errno
import os
from typing import TYPE_CHECKING, Any, Optional

from . import _abi
from ._records import Record

if TYPE_CHECKING:
    from ._tree import Tree

_NONE: Any = object()


class CommitError(OSError):
    """A condition was not true, so nothing has changed; the errno is ESTALE."""

    key: Any
    """The key of the first operation that failed."""
    found: Any
    """The value of this key, or None if there is no such key."""

    def __init__(self, key: Any, found: Any) -> None:
        super().__init__(errno.ESTALE, os.strerror(errno.ESTALE))
        self.key = key
        self.found = found


class Commit:
    """Up to 32 operations: collected in a `with` block, and executed at its end.

    If the block raises an exception, nothing is executed. A key can have several
    operations, of which one can change it: all find what was there before.
    """

    def __init__(self, tree: "Tree") -> None:
        self._tree = tree
        self._keys: list[Any] = []
        self._operations: list[Record] = []
        self._results: list[Record] = []

    def _add(self, opcode: int, key: Any, **values: Any) -> None:
        # pylint: disable-next=protected-access
        self._operations.append(self._tree._operation(opcode, key, **values))
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
                found = None if result.result == -errno.ENOENT else self._decode(result.old)
                raise CommitError(key, found)

    def _decode(self, value: bytes) -> Any:
        return self._tree._value.decode(value)  # pylint: disable=protected-access

    # Conditions

    def expect(self, key: Any, value: Any) -> None:
        """The key has this value."""
        self._add(_abi.EXPECT, key, old=value)

    def absent(self, key: Any) -> None:
        """There is no such key."""
        self._add(_abi.ABSENT, key)

    # Changes

    def __setitem__(self, key: Any, value: Any) -> None:
        self._add(_abi.STORE, key, value=value)

    def __delitem__(self, key: Any) -> None:
        self._add(_abi.ERASE, key)

    def insert(self, key: Any, value: Any) -> None:
        """Add a key, which is absent."""
        self._add(_abi.INSERT, key, value=value)

    def replace(self, key: Any, value: Any) -> None:
        """Change the value of a key, which is present."""
        self._add(_abi.REPLACE, key, value=value)

    def add(self, key: Any, number: int = 1, saturate: bool = False) -> None:
        """Add a number to the value of a key, as Tree.add()."""
        # pylint: disable-next=protected-access
        self._operations.append(self._tree._addition(key, number, saturate))
        self._keys.append(key)

    def cas(self, key: Any, expected: Any, value: Any) -> None:
        """Change the value of a key, which has the expected one."""
        self._add(_abi.CMPXCHG, key, value=value, old=expected)

    def cad(self, key: Any, expected: Any) -> None:
        """Remove a key, which has the expected value."""
        self._add(_abi.CMPERASE, key, old=expected)

    # Values

    def read(self, key: Any) -> None:
        """Look up a key, whether it is present or not: see found()."""
        self._add(_abi.LOOKUP, key)

    def found(self, key: Any, default: Any = None) -> Any:
        """After the block: the value that read() of this key has found."""
        for one, result in zip(self._keys, self._results):
            if result.opcode == _abi.LOOKUP and one == key:
                return default if result.result else self._decode(result.value)
        raise KeyError(key)
