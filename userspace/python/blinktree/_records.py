# SPDX-License-Identifier: GPL-2.0
"""Streams of records: operations to the kernel, and results or entries from it."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

_HEADER = struct.Struct("=IHHiHHH6x")


class Record(NamedTuple):
    """An operation, or a result: struct blink_tree_record with its fields."""

    opcode: int
    key: bytes = b""
    value: bytes = b""
    old: bytes = b""
    result: int = 0
    flags: int = 0


def _padded(size: int) -> int:
    return (size + 7) & ~7


def size(key: int, value: int, old: int) -> int:
    """Bytes of a record whose fields have so many."""
    return _HEADER.size + _padded(key) + _padded(value) + _padded(old)


def pack(record: Record) -> bytes:
    """An operation as the kernel reads it."""
    fields = (record.key, record.value, record.old)
    lengths = [len(field) for field in fields]
    parts = [_HEADER.pack(size(*lengths), record.opcode, record.flags, 0, *lengths)]
    for field in fields:
        parts.append(field)
        parts.append(bytes(-len(field) % 8))
    return b"".join(parts)


def unpack(stream: bytes) -> Iterator[Record]:
    """Each record of what the kernel wrote."""
    begin = 0
    while begin < len(stream):
        length, opcode, flags, result, *lengths = _HEADER.unpack_from(stream, begin)
        at = begin + _HEADER.size
        fields = []
        for field in lengths:
            fields.append(stream[at : at + field])
            at += _padded(field)
        yield Record(opcode, fields[0], fields[1], fields[2], result, flags)
        begin += length
