# SPDX-License-Identifier: GPL-2.0
"""The ioctl contract of <linux/blink_tree.h>: structures, numbers and constants."""

import ctypes
import errno
import operator
import os
from typing import Any, SupportsIndex

DEVICE = "/dev/blink_tree"

LOOKUP, INSERT, STORE, REPLACE, ERASE, CMPXCHG, CMPERASE = range(7)
FLOOR, CEILING, GET_OR_INSERT, POP_MIN, POP_MAX, EXPECT, ABSENT = range(7, 14)
ADD, ADD_SATURATE = range(14, 16)

KEY_U64, KEY_U128, KEY_MULTI, KEY_BYTES = range(4)
CREATE_COMPRESS = 1 << 0
CREATE_BYTE_VALUES = 1 << 1
OPEN_READ = 1 << 0
OPEN_WRITE = 1 << 1
RECORDS_LOAD = 1 << 0
RECORDS_COMMIT = 1 << 1
COMMIT_MAX = 32
COMMIT_EMPTY = 1 << 0
COMMIT_CLEAR = 1 << 1
SCAN_DESC = 1 << 0
SCAN_COUNT = 1 << 1
FIRST_OPEN = 1 << 2
LAST_OPEN = 1 << 3
PREFIX = 1 << 4
DONE = 1 << 31
RECORD_MORE = 1 << 0
RECORD_KEY_MAX = 1024
RECORD_VALUE_MAX = 4096
NAME_MAX = 64
RANGE_LOOKUP, RANGE_NEXT, RANGE_PREV, RANGE_GAP, RANGE_STORE, RANGE_INSERT, RANGE_ALLOC = range(7)
RANGE_HIGHEST = 1 << 0
RANGE_PARTS = 1 << 1
CHANGE_INSERT, CHANGE_UPDATE, CHANGE_ERASE, CHANGE_ERASE_RANGE = range(1, 5)
CHANGE_UNLINKED, CHANGE_ATTR, CHANGE_REFUSED = range(16, 19)


def _members(text: str) -> list[tuple[str, Any]]:
    """Members of a structure: each type, then the names, with the length of an array."""
    fields = []
    for kind, *names in map(str.split, text.split(";")):
        for name, _, length in (name.partition("*") for name in names):
            member = getattr(ctypes, f"c_{kind}")
            fields.append((name, member * int(length) if length else member))
    return fields


class Call(ctypes.Structure):
    """The structure that an ioctl takes, and the number of the ioctl."""

    NUMBER: int


class Record(ctypes.Structure):
    """struct blink_tree_record"""

    _fields_ = _members(
        "uint32 length; uint16 opcode flags; int32 result; uint16 key_length value_length "
        "old_length reserved*3"
    )


class Info(Call):
    """struct blink_tree_ioc_info"""

    NUMBER = 0
    _fields_ = _members(
        "uint32 flags known; uint64 ioctls opcodes features; uint32 name_max numa_nodes leaf_slots "
        "inner_slots leaf_bytes inner_bytes; char version*32"
    )


class Create(Call):
    """struct blink_tree_ioc_create"""

    NUMBER = 1
    _fields_ = _members(
        "uint32 flags mode; uint64 max_entries; char name*64; uint8 replication locking placement "
        "reserved; uint32 key; uint64 max_bytes"
    )


class Open(Call):
    """struct blink_tree_ioc_open"""

    NUMBER = 2
    _fields_ = _members("uint32 flags uid; uint64 id; char name*64")


class Unlink(Call):
    """struct blink_tree_ioc_unlink"""

    NUMBER = 3
    _fields_ = _members("uint32 flags reserved; uint64 id; char name*64")


class ListEntry(ctypes.Structure):
    """struct blink_tree_list_entry"""

    _fields_ = _members(
        "uint64 id; char name*64; uint32 uid gid mode access; uint64 entries max_entries bytes "
        "max_bytes; uint32 key create_flags"
    )


class List(Call):
    """struct blink_tree_ioc_list"""

    NUMBER = 4
    _fields_ = _members(
        "uint32 flags capacity; uint64 trees cursor; uint32 count entry_size known reserved"
    )


class Stats(Call):
    """struct blink_tree_ioc_stats"""

    NUMBER = 8
    _fields_ = _members(
        "uint32 flags known; uint64 entries max_entries bytes limbo_bytes inserts erases splits "
        "merges root_grows root_shrinks read_retries read_locks right_hops reroutes posts_deferred "
        "merges_deferred gate_passes gate_releases gate_bounds; uint32 replication locking "
        "placement key; uint64 indexes lock_waits heat_splits max_bytes create_flags block_bytes "
        "reads updates"
    )


class Verify(Call):
    """struct blink_tree_ioc_verify"""

    NUMBER = 9
    _fields_ = _members(
        "uint32 flags known violation level; uint64 key; uint32 height reserved; uint64 leaves "
        "inner entries empty unindexed misplaced"
    )


class Attr(Call):
    """struct blink_tree_ioc_attr"""

    NUMBER = 12
    _fields_ = _members(
        "uint32 flags known; uint64 id; uint32 uid gid mode key; uint64 max_entries; char name*64; "
        "uint64 max_bytes create_flags; uint8 replication locking placement reserved*5"
    )


class Batch(Call):
    """struct blink_tree_ioc_batch"""

    NUMBER = 6
    _fields_ = _members("uint32 flags count; uint64 ops; uint32 done op_size")


class Scan(Call):
    """struct blink_tree_ioc_scan"""

    NUMBER = 7
    _fields_ = _members(
        "uint32 flags capacity; uint64 first last entries count; uint32 entry_size reserved"
    )


class Load(Call):
    """struct blink_tree_ioc_load"""

    NUMBER = 10
    _fields_ = _members("uint32 flags count; uint64 entries; uint32 fill done entry_size reserved")


class Records(Call):
    """struct blink_tree_ioc_records"""

    NUMBER = 14
    _fields_ = _members(
        "uint32 flags fill; uint64 input output input_size output_size input_used output_used done"
    )


class RecordScan(Call):
    """struct blink_tree_ioc_record_scan"""

    NUMBER = 15
    _fields_ = _members(
        "uint32 flags reserved; uint64 first last; uint32 first_length last_length; uint64 output "
        "output_size output_used count"
    )


class RecordErase(Call):
    """struct blink_tree_ioc_record_erase"""

    NUMBER = 16
    _fields_ = _members(
        "uint32 flags reserved; uint64 first last; uint32 first_length last_length; uint64 count"
    )


class Watch(Call):
    """struct blink_tree_ioc_watch"""

    NUMBER = 18
    _fields_ = _members("uint32 flags slots; uint64 first first_low last last_low")


class Range(Call):
    """struct blink_tree_ioc_range"""

    NUMBER = 19
    _fields_ = _members("uint32 op flags; uint64 first first_low last last_low size size_low value")


class WatchRing(ctypes.Structure):
    """struct blink_tree_watch_ring"""

    _fields_ = _members(
        "uint32 records record_size; uint64 slots reserved*6 head pad*7 lost pad2*7"
    )


class Change(ctypes.Structure):
    """struct blink_tree_change"""

    _fields_ = _members("uint64 seq; uint32 op more; uint64 key key_low last last_low value old")


def unsigned(number: SupportsIndex, bits: int) -> int:
    """The number, for a field of so many bits, which ctypes would cut off."""
    integer = operator.index(number)
    integer.to_bytes(bits // 8, "little")
    return integer


def request(struct: "type[Call]") -> int:
    """The number of the ioctl that takes such a structure: _IOWR(0xBD, NUMBER, it)."""
    return 3 << 30 | ctypes.sizeof(struct) << 16 | 0xBD << 8 | struct.NUMBER


# Of the C library: from Python 3.14 on, fcntl.ioctl() hides what a call that fails writes.
_ioctl = ctypes.CDLL(None, use_errno=True).ioctl
_ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]


def call(fd: int, argument: Call) -> int:
    """An ioctl; the kernel writes back to the argument, also if it fails.

    A call that a signal interrupts begins again after the handler, unless that raises
    an exception (PEP 475). Other threads run meanwhile.
    """
    # ctypes would cut off the upper bits.
    fd = operator.index(fd)
    if not 0 <= fd < 1 << 31:
        raise ValueError(f"{fd} is no descriptor")
    # A call from a signal's handler leaves that of the call which it has interrupted.
    before = ctypes.get_errno()
    try:
        while True:
            result = int(_ioctl(fd, request(type(argument)), ctypes.byref(argument)))
            if result >= 0:
                return result
            error = ctypes.get_errno()
            if error != errno.EINTR:
                raise OSError(error, os.strerror(error))
    finally:
        ctypes.set_errno(before)
