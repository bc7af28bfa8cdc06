#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Snapshots of all kinds are read as they were written, and no damage is overlooked, in TAP.

    snapshot.py BLINKTREE

BLINKTREE is the command with tests/fake/device.c in place of the device.
"""

import struct
import sys

from errors import run_all
from texts import KEYS, Texts

HEADER, CHUNK = 144, 24
# Magic, version, byte order, key, mode, flags, most entries, most bytes, entries, uid, gid, name,
# replication, locking, placement.
LAYOUT = "<8sIIIIQQQQII64sBBB9x"
NOT_A_SNAPSHOT, TRUNCATED, CORRUPTED, NEWER = 2, 4, 5, 6
SAID = {NOT_A_SNAPSHOT: b"not a snapshot", TRUNCATED: b": truncated", CORRUPTED: b": corrupted"}
# The headers of all kinds have the same form, so damage to them is tried for the first.
KINDS = [("u64", "u64"), ("u64", "bytes"), ("u128", "u64"), ("u128", "bytes"), ("multi", "u64"),
         ("bytes", "u64"), ("bytes", "bytes")]


def crc32c(data):
    """The checksum CRC-32C, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 * (crc & 1)
    return crc ^ 0xFFFFFFFF


def sealed(data):
    """A header, or the head of a chunk, with its checksum."""
    return data + struct.pack("<I", crc32c(data))


def header(**changes):
    """A header with some other fields than that of the tree."""
    fields = {"magic": b"\x89BTSNAP\n", "version": 1, "order": 0x01020304, "key": 0, "mode": 0o646,
              "flags": 0, "most": 0, "most_bytes": 0, "entries": 3, "uid": 7, "gid": 0,
              "name": b"tree", "replication": 0, "locking": 0, "placement": 0}
    return sealed(struct.pack(LAYOUT, *{**fields, **changes}.values()))


def chunk(records, count, before=0):
    """A chunk with a good checksum; the end mark has no records."""
    head = struct.pack("<IIQI", len(records), count, before, crc32c(records))
    return sealed(head) + records


def entries(kinds, nr):
    """Entries of a tree. One of the kind multi has two values of each key."""
    for i in range(nr):
        number = i // 2 if kinds[0] == "multi" else i
        key = number.to_bytes(16 if kinds[0] == "u128" else 8, "big")
        if kinds[0] == "bytes":
            # The first string has no bytes.
            key = number.to_bytes(4, "big") + bytes(i % 50) if i else b""
        value = bytes([i % 256]) * (i % 100)
        if kinds[1] == "u64":
            value = (i * 0x100000001).to_bytes(8, sys.byteorder)
        yield key, value


def record(key, value):
    """An entry as the device returns it."""
    data = b"".join(part + bytes(-len(part) % 8) for part in (key, value))
    return struct.pack("=IHHiHHHHHH", 24 + len(data), 0, 0, 0, len(key), len(value), 0, 0, 0,
                       0) + data


class Snapshots(Texts):
    """A snapshot, and what restore does with it."""

    def save(self, kinds, nr):
        """A snapshot of so many entries."""
        self.kinds = kinds
        data = b"".join(record(*entry) for entry in entries(kinds, nr))
        (self.work / "store").write_bytes(data)
        self.saved = [operation[1:3] for operation in self.operations()]
        done = self.command("save tree snapshot")
        self.check(not done.returncode, f"{kinds}: {done}")
        return (self.work / "snapshot").read_bytes()

    def restores(self, data, status=0, whole=0):
        """Restore must end with a status, after so many entries in whole chunks."""
        found = self.takes("restore file new", data, status)
        self.check(SAID.get(status, b"") in self.said, f"{status}: {self.said}")
        # A tree that is not complete gets no name, and is not left.
        created, named, removed = map(self.log, ("create", "name", "unlink"))
        self.check(bool(named) == (not status), f"{status}: {named}")
        self.check(bool(removed) == bool(created and status), f"{status}: {removed}")
        what = f"{self.kinds}, {len(data)} bytes: {len(found)} entries"
        self.check(whole is None or len(found) == whole, what)
        self.check([entry[1:3] for entry in found] == self.saved[: len(found)], what)
        return len(found)


def whole_snapshots(case):
    """Snapshots of all kinds and sizes are read as written."""
    for kinds in KINDS:
        for size in 0, 1, 3, 20000:
            case.restores(case.save(kinds, size), whole=size)
    case.end("snapshots of all kinds and sizes are read as written")


def headers(case):
    """The header has the options of the tree."""
    data = case.save(("bytes", "bytes"), 3)
    case.check(data.startswith(header(key=KEYS.index("bytes"), flags=2)), f"{data[:HEADER]}")
    new = header(flags=3, most=2**64 - 1, most_bytes=2**40, replication=2, locking=1, placement=1)
    case.restores(new, TRUNCATED)
    created = f"600 3 2 1 1 0 {2**64 - 1} {2**40}"
    case.check(case.log("create") == [created], f"{case.log('create')}")
    case.end("the header has the options of the tree")


def truncated(case):
    """A file that ends anywhere too early is truncated."""
    for kinds in KINDS:
        data = case.save(kinds, 3)
        for length in range(0 if kinds == KINDS[0] else HEADER, len(data)):
            case.restores(data[:length], TRUNCATED, 0 if length < len(data) - CHUNK else 3)
    case.end("a file that ends anywhere too early is truncated")


def corrupted(case):
    """A file with any other byte is corrupted."""
    for kinds in KINDS:
        data = case.save(kinds, 3)
        for at in range(0 if kinds == KINDS[0] else HEADER, len(data)):
            other = data[at] ^ (0x01, 0x80, 0xFF)[at % 3]
            case.restores(data[:at] + bytes([other]) + data[at + 1 :],
                          NOT_A_SNAPSHOT if at < 8 else CORRUPTED,
                          0 if at < len(data) - CHUNK else 3)
        case.restores(data + b"\0", CORRUPTED, 3)
    case.end("a file with any other byte is corrupted")


def newer(case):
    """A file with what this program does not know is newer."""
    case.save(("u64", "u64"), 3)
    case.restores(header(), TRUNCATED)
    reserved = bytearray(header()[:-4])
    reserved[-8] = 1
    for data in (header(version=2), header(key=4), header(flags=2**40),
                 header(order=0x04030201), sealed(bytes(reserved))):
        case.restores(data, NEWER)
    case.end("a file with what this program does not know is newer")


def names(case):
    """A name that no tree can have is found."""
    case.save(("u64", "u64"), 3)
    for name in b"a", b"+-._@:Zz9", 63 * b"x":
        case.restores(header(name=name), TRUNCATED)
    for name in (b"", b"-a", b".a", b"a b", b"a/b", b"a\n", b"a\177", b"a\033[2J", b"\303\266",
                 64 * b"x"):
        case.restores(header(name=name), CORRUPTED)
    case.end("a name that no tree can have is found")


def chunks(case):
    """A chunk that is missing, or at another place, is found."""
    data = case.save(("u64", "u64"), 10000)
    at, parts = HEADER, []
    while at < len(data):
        end = at + CHUNK + int.from_bytes(data[at : at + 4], "little")
        parts.append(data[at:end])
        at = end
    case.check(len(parts) == 4, f"{len(parts)} chunks")
    first = int.from_bytes(parts[0][4:8], "little")
    case.check(1000 < first < 5000, f"{first} entries")
    for order, status, whole in (([0, 1, 2, 3], 0, 10000), ([0, 1, 2], TRUNCATED, 10000),
                                 ([0, 3], CORRUPTED, first), ([0, 0, 2, 3], CORRUPTED, first),
                                 ([1, 0, 2, 3], CORRUPTED, 0),
                                 ([0, 1, 2, 3, 3], CORRUPTED, 10000)):
        case.restores(data[:HEADER] + b"".join(parts[i] for i in order), status, whole)
    case.end("a chunk that is missing, or at another place, is found")


def records(case):
    """Records that no save writes are found."""
    start = case.save(("bytes", "bytes"), 1)[:HEADER]
    for data, count, status in ((bytes(4), 1, TRUNCATED), (bytes(4), 2, CORRUPTED),
                                (bytes(5), 1, CORRUPTED), (bytes(3), 1, CORRUPTED),
                                (bytes(1), 1, CORRUPTED), (b"\1\0", 1, CORRUPTED),
                                (b"\0\0\1\0", 1, CORRUPTED), (b"", 1, CORRUPTED),
                                (b"\x01\x04" + bytes(1027), 1, CORRUPTED)):
        case.restores(start + chunk(data, count), status, None)
    for kind in "u64", "multi":
        start = case.save((kind, "u64"), 1)[:HEADER]
        case.restores(start + chunk(bytes(32), 2), CORRUPTED)
    data = case.save(("u64", "u64"), 2)[HEADER + CHUNK :]
    for before, status, whole in (0, CORRUPTED, 1), (1, TRUNCATED, 2), (2, CORRUPTED, 1):
        case.restores(header() + chunk(data[:16], 1) + chunk(data[16:32], 1, before), status, whole)
    case.end("records that no save writes are found")


if __name__ == "__main__":
    run_all(Snapshots, whole_snapshots, headers, truncated, corrupted, newer, names, chunks,
            records)
