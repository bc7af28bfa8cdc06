# SPDX-License-Identifier: GPL-2.0
"""The device: trees are created, opened, listed and unlinked through it."""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import _abi, _kinds
from ._tree import of_kind

_REPLICATION = {"none": 0, "inner": 1, "full": 2}
_LOCKING = {"plain": 0, "cohort": 1}
_PLACEMENT = {"local": 0, "interleave": 1}
_MODES = {"r": _abi.OPEN_READ, "w": _abi.OPEN_WRITE, "r+": _abi.OPEN_READ | _abi.OPEN_WRITE}
_LIST_CAPACITY = 64


class Listed(NamedTuple):
    """A named tree, as trees() gives it.

    entries and bytes are 0 if the process may not read the tree. A kind of keys that this
    package does not know has the name "unknown" and its number.
    """

    name: str
    id: int
    uid: int
    gid: int
    mode: int
    key_kind: str
    value_kind: str
    entries: int
    bytes: int


def _chosen(what: str, names: dict[str, int], name: str) -> int:
    if name not in names:
        raise ValueError(f"{what} is one of {', '.join(names)}, not {name!r}")
    return names[name]


def _name(name: str) -> bytes:
    encoded = name.encode("ascii")
    if len(encoded) >= _abi.NAME_MAX or "\0" in name:
        raise ValueError(f"a name has less than {_abi.NAME_MAX} characters, and no NUL")
    return encoded


@contextlib.contextmanager
def _device(flags: int) -> Iterator[int]:
    fd = os.open(_abi.DEVICE, flags | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


def _tree(fd: int) -> Any:
    try:
        return of_kind(fd)
    except BaseException:
        os.close(fd)
        raise


def create(  # pylint: disable=too-many-arguments
    name: str = "",
    *,
    key: str = "u64",
    value: str = "u64",
    mode: int = 0o600,
    max_entries: int = 0,
    max_bytes: int = 0,
    replication: str = "none",
    locking: str = "plain",
    placement: str = "local",
    compress: bool = False,
) -> Any:
    """Create a tree; returns a Tree, or Pairs if key is "multi".

    key is "u64", "u128", "bytes" or "multi"; value is "u64" or "bytes". A tree
    without a name exists until it is closed. See blink_tree(4) for the rest.
    """
    call = _abi.Create(
        flags=_abi.CREATE_COMPRESS * bool(compress)
        | _chosen("value", {"u64": 0, "bytes": _abi.CREATE_BYTE_VALUES}, value),
        mode=_abi.unsigned(mode, 32) if name else 0,
        max_entries=_abi.unsigned(max_entries, 64),
        name=_name(name),
        replication=_chosen("replication", _REPLICATION, replication),
        locking=_chosen("locking", _LOCKING, locking),
        placement=_chosen("placement", _PLACEMENT, placement),
        key=_chosen("key", _kinds.KEY_NUMBERS, key),
        max_bytes=_abi.unsigned(max_bytes, 64),
    )
    with _device(os.O_RDWR) as device:
        return _tree(_abi.call(device, call))


def open(name: str, mode: str = "r+") -> Any:  # pylint: disable=redefined-builtin
    """Open a tree by its name, for "r", "w" or both ("r+")."""
    if not name:
        raise ValueError("a name is needed")
    call = _abi.Open(flags=_chosen("mode", _MODES, mode), name=_name(name))
    with _device(os.O_RDONLY) as device:
        return _tree(_abi.call(device, call))


def from_fd(fd: int) -> Any:
    """A tree of a descriptor that another process passed; the tree closes it.

    If this raises an error, the descriptor stays open.
    """
    return of_kind(fd)


def unlink(name: str) -> None:
    """Remove a name. The tree exists until its last descriptor is closed."""
    if not name:
        raise ValueError("a name is needed")
    with _device(os.O_RDWR) as device:
        _abi.call(device, _abi.Unlink(name=_name(name)))


def trees() -> Iterator[Listed]:
    """The named trees."""
    entries = (_abi.ListEntry * _LIST_CAPACITY)()
    call = _abi.List(
        capacity=_LIST_CAPACITY,
        trees=ctypes.addressof(entries),
        entry_size=ctypes.sizeof(_abi.ListEntry),
        count=_LIST_CAPACITY,
    )
    with _device(os.O_RDONLY) as device:
        while call.count == _LIST_CAPACITY:
            _abi.call(device, call)
            for entry in entries[: call.count]:
                yield Listed(
                    str(entry.name, "ascii"),
                    entry.id,
                    entry.uid,
                    entry.gid,
                    entry.mode,
                    _kinds.key_name(entry.key),
                    _kinds.VALUES[bool(entry.create_flags & _abi.CREATE_BYTE_VALUES)].name,
                    entry.entries,
                    entry.bytes,
                )


def info() -> dict[str, Any]:
    """The fields of struct blink_tree_ioc_info: what the module can do."""
    call = _abi.Info()
    with _device(os.O_RDONLY) as device:
        _abi.call(device, call)
    names = [field[0] for field in _abi.Info._fields_ if field[0] not in ("flags", "known")]
    fields = {name: getattr(call, name) for name in names}
    fields["version"] = str(call.version, "ascii")
    return fields
