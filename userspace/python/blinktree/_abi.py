# SPDX-License-Identifier: GPL-2.0
"""The ioctl contract of <linux/blink_tree.h>: structures, numbers and constants."""

import ctypes
import errno
import operator
import os
from ctypes import c_char, c_int32, c_uint8, c_uint16, c_uint32, c_uint64
from typing import SupportsIndex, Union

DEVICE = "/dev/blink_tree"

LOOKUP, INSERT, STORE, REPLACE, ERASE, CMPXCHG, CMPERASE = range(7)
FLOOR, CEILING, GET_OR_INSERT, POP_MIN, POP_MAX = range(7, 12)

KEY_U64, KEY_U128, KEY_MULTI, KEY_BYTES = range(4)
CREATE_COMPRESS = 1 << 0
CREATE_BYTE_VALUES = 1 << 1
OPEN_READ = 1 << 0
OPEN_WRITE = 1 << 1
RECORDS_LOAD = 1 << 0
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
CHANGE_INSERT, CHANGE_UPDATE, CHANGE_ERASE, CHANGE_ERASE_RANGE = range(1, 5)
CHANGE_UNLINKED, CHANGE_ATTR, CHANGE_REFUSED = range(16, 19)


class Record(ctypes.Structure):
    """struct blink_tree_record"""

    _fields_ = [
        ("length", c_uint32),
        ("opcode", c_uint16),
        ("flags", c_uint16),
        ("result", c_int32),
        ("key_length", c_uint16),
        ("value_length", c_uint16),
        ("old_length", c_uint16),
        ("reserved", c_uint16 * 3),
    ]


class Info(ctypes.Structure):
    """struct blink_tree_ioc_info"""

    NUMBER = 0
    _fields_ = [
        ("flags", c_uint32),
        ("known", c_uint32),
        ("ioctls", c_uint64),
        ("opcodes", c_uint64),
        ("features", c_uint64),
        ("name_max", c_uint32),
        ("numa_nodes", c_uint32),
        ("leaf_slots", c_uint32),
        ("inner_slots", c_uint32),
        ("leaf_bytes", c_uint32),
        ("inner_bytes", c_uint32),
        ("version", c_char * 32),
    ]


class Create(ctypes.Structure):
    """struct blink_tree_ioc_create"""

    NUMBER = 1
    _fields_ = [
        ("flags", c_uint32),
        ("mode", c_uint32),
        ("max_entries", c_uint64),
        ("name", c_char * NAME_MAX),
        ("replication", c_uint8),
        ("locking", c_uint8),
        ("placement", c_uint8),
        ("reserved", c_uint8),
        ("key", c_uint32),
        ("max_bytes", c_uint64),
    ]


class Open(ctypes.Structure):
    """struct blink_tree_ioc_open"""

    NUMBER = 2
    _fields_ = [
        ("flags", c_uint32),
        ("uid", c_uint32),
        ("id", c_uint64),
        ("name", c_char * NAME_MAX),
    ]


class Unlink(ctypes.Structure):
    """struct blink_tree_ioc_unlink"""

    NUMBER = 3
    _fields_ = [
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("id", c_uint64),
        ("name", c_char * NAME_MAX),
    ]


class ListEntry(ctypes.Structure):
    """struct blink_tree_list_entry"""

    _fields_ = [
        ("id", c_uint64),
        ("name", c_char * NAME_MAX),
        ("uid", c_uint32),
        ("gid", c_uint32),
        ("mode", c_uint32),
        ("access", c_uint32),
        ("entries", c_uint64),
        ("max_entries", c_uint64),
        ("bytes", c_uint64),
        ("max_bytes", c_uint64),
        ("key", c_uint32),
        ("create_flags", c_uint32),
    ]


class List(ctypes.Structure):
    """struct blink_tree_ioc_list"""

    NUMBER = 4
    _fields_ = [
        ("flags", c_uint32),
        ("capacity", c_uint32),
        ("trees", c_uint64),
        ("cursor", c_uint64),
        ("count", c_uint32),
        ("entry_size", c_uint32),
        ("known", c_uint32),
        ("reserved", c_uint32),
    ]


class Stats(ctypes.Structure):
    """struct blink_tree_ioc_stats"""

    NUMBER = 8
    _fields_ = [
        ("flags", c_uint32),
        ("known", c_uint32),
        ("entries", c_uint64),
        ("max_entries", c_uint64),
        ("bytes", c_uint64),
        ("limbo_bytes", c_uint64),
        ("inserts", c_uint64),
        ("erases", c_uint64),
        ("splits", c_uint64),
        ("merges", c_uint64),
        ("root_grows", c_uint64),
        ("root_shrinks", c_uint64),
        ("read_retries", c_uint64),
        ("read_locks", c_uint64),
        ("right_hops", c_uint64),
        ("reroutes", c_uint64),
        ("posts_deferred", c_uint64),
        ("merges_deferred", c_uint64),
        ("gate_passes", c_uint64),
        ("gate_releases", c_uint64),
        ("gate_bounds", c_uint64),
        ("replication", c_uint32),
        ("locking", c_uint32),
        ("placement", c_uint32),
        ("key", c_uint32),
        ("indexes", c_uint64),
        ("lock_waits", c_uint64),
        ("heat_splits", c_uint64),
        ("max_bytes", c_uint64),
        ("create_flags", c_uint64),
        ("block_bytes", c_uint64),
        ("reads", c_uint64),
        ("updates", c_uint64),
    ]


class Verify(ctypes.Structure):
    """struct blink_tree_ioc_verify"""

    NUMBER = 9
    _fields_ = [
        ("flags", c_uint32),
        ("known", c_uint32),
        ("violation", c_uint32),
        ("level", c_uint32),
        ("key", c_uint64),
        ("height", c_uint32),
        ("reserved", c_uint32),
        ("leaves", c_uint64),
        ("inner", c_uint64),
        ("entries", c_uint64),
        ("empty", c_uint64),
        ("unindexed", c_uint64),
        ("misplaced", c_uint64),
    ]


class Attr(ctypes.Structure):
    """struct blink_tree_ioc_attr"""

    NUMBER = 12
    _fields_ = [
        ("flags", c_uint32),
        ("known", c_uint32),
        ("id", c_uint64),
        ("uid", c_uint32),
        ("gid", c_uint32),
        ("mode", c_uint32),
        ("key", c_uint32),
        ("max_entries", c_uint64),
        ("name", c_char * NAME_MAX),
        ("max_bytes", c_uint64),
        ("create_flags", c_uint64),
        ("replication", c_uint8),
        ("locking", c_uint8),
        ("placement", c_uint8),
        ("reserved", c_uint8 * 5),
    ]


class Batch(ctypes.Structure):
    """struct blink_tree_ioc_batch"""

    NUMBER = 6
    _fields_ = [
        ("flags", c_uint32),
        ("count", c_uint32),
        ("ops", c_uint64),
        ("done", c_uint32),
        ("op_size", c_uint32),
    ]


class Scan(ctypes.Structure):
    """struct blink_tree_ioc_scan"""

    NUMBER = 7
    _fields_ = [
        ("flags", c_uint32),
        ("capacity", c_uint32),
        ("first", c_uint64),
        ("last", c_uint64),
        ("entries", c_uint64),
        ("count", c_uint64),
        ("entry_size", c_uint32),
        ("reserved", c_uint32),
    ]


class Load(ctypes.Structure):
    """struct blink_tree_ioc_load"""

    NUMBER = 10
    _fields_ = [
        ("flags", c_uint32),
        ("count", c_uint32),
        ("entries", c_uint64),
        ("fill", c_uint32),
        ("done", c_uint32),
        ("entry_size", c_uint32),
        ("reserved", c_uint32),
    ]


class Records(ctypes.Structure):
    """struct blink_tree_ioc_records"""

    NUMBER = 14
    _fields_ = [
        ("flags", c_uint32),
        ("fill", c_uint32),
        ("input", c_uint64),
        ("output", c_uint64),
        ("input_size", c_uint64),
        ("output_size", c_uint64),
        ("input_used", c_uint64),
        ("output_used", c_uint64),
        ("done", c_uint64),
    ]


class RecordScan(ctypes.Structure):
    """struct blink_tree_ioc_record_scan"""

    NUMBER = 15
    _fields_ = [
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("first", c_uint64),
        ("last", c_uint64),
        ("first_length", c_uint32),
        ("last_length", c_uint32),
        ("output", c_uint64),
        ("output_size", c_uint64),
        ("output_used", c_uint64),
        ("count", c_uint64),
    ]


class RecordErase(ctypes.Structure):
    """struct blink_tree_ioc_record_erase"""

    NUMBER = 16
    _fields_ = [
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("first", c_uint64),
        ("last", c_uint64),
        ("first_length", c_uint32),
        ("last_length", c_uint32),
        ("count", c_uint64),
    ]


class Watch(ctypes.Structure):
    """struct blink_tree_ioc_watch"""

    NUMBER = 18
    _fields_ = [
        ("flags", c_uint32),
        ("slots", c_uint32),
        ("first", c_uint64),
        ("first_low", c_uint64),
        ("last", c_uint64),
        ("last_low", c_uint64),
    ]


class WatchRing(ctypes.Structure):
    """struct blink_tree_watch_ring"""

    _fields_ = [
        ("records", c_uint32),
        ("record_size", c_uint32),
        ("slots", c_uint64),
        ("reserved", c_uint64 * 6),
        ("head", c_uint64),
        ("pad", c_uint64 * 7),
        ("lost", c_uint64),
        ("pad2", c_uint64 * 7),
    ]


class Change(ctypes.Structure):
    """struct blink_tree_change"""

    _fields_ = [
        ("seq", c_uint64),
        ("op", c_uint32),
        ("reserved", c_uint32),
        ("key", c_uint64),
        ("key_low", c_uint64),
        ("last", c_uint64),
        ("last_low", c_uint64),
        ("value", c_uint64),
        ("old", c_uint64),
    ]


Call = Union[
    Info, Create, Open, Unlink, List, Batch, Scan, Stats, Verify, Load, Attr, Records,
    RecordScan, RecordErase, Watch,
]  # fmt: skip


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
    while True:
        result = int(_ioctl(fd, request(type(argument)), ctypes.byref(argument)))
        if result >= 0:
            return result
        error = ctypes.get_errno()
        if error != errno.EINTR:
            raise OSError(error, os.strerror(error))
