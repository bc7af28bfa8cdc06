# SPDX-License-Identifier: GPL-2.0
"""The functions of libblinktree, and a device that uses every freedom of the contract.

More often than the kernel, it stops calls early, fails in the middle, and executes as little
as it may.
"""

import ctypes
import os
import pathlib
import re
import struct
import unittest
from ctypes import (
    addressof, byref, c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
)  # fmt: skip

from blinktree import _abi, _records

LIB = pathlib.Path(__file__).resolve().parents[1]
TYPES = {"int": c_int, "unsigned int": c_uint, "size_t": c_size_t, "void": None,
         "__u32": c_uint32, "__u64": c_uint64, "__s64": c_int64}
OP, LEVELS, HOT_LEAVES, BPF_HANDLE, RANGE = 5, 11, 13, 17, 19
# The numbers of ioctls whose calls can fail after a part of their elements.
IN_PARTS = (_abi.Batch.NUMBER, _abi.Load.NUMBER, _abi.Records.NUMBER)
MOST = 2**64 - 1
# The longest result of an operation on a tree of any kind.
RESULT_MAX = _records.size(_abi.RECORD_KEY_MAX, _abi.RECORD_VALUE_MAX, _abi.RECORD_VALUE_MAX)
# What the library needs of a module.
IOCTLS, OPCODES = (2 << _abi.RecordErase.NUMBER) - 1, (2 << _abi.ADD_SATURATE) - 1
OPEN_OWNER, FEATURE_OPEN_OWNER = 1 << 2, 1 << 6


def structure(name, members):
    """A structure of the headers, by its members."""
    fields = {"_fields_": _abi._members(members)}
    return type(name, (ctypes.Structure,), fields)


Entry = structure("Entry", "uint64 key value")
Op = structure("Op", "uint16 opcode flags; int32 result; uint64 key value old")
Levels = structure("Levels", "uint32 flags capacity; uint64 levels; uint32 level_size known "
                   "count height")
Level = structure("Level", "uint32 level nid; uint64 nodes bytes used slots")
HotLeaves = structure("HotLeaves", "uint32 flags capacity; uint64 leaves; uint32 leaf_size known "
                      "count reserved")
HotLeaf = structure("HotLeaf", "uint32 heat keys nid low_length; uint8 low*32")
RangeOp = structure("RangeOp", "uint32 op flags; uint64 first first_low last last_low size "
                    "size_low value")
Handle = structure("Handle", "uint32 flags reserved; uint64 handle")
Buffer = structure("Buffer", "void_p data; size_t room length")
Range = structure("Range", "uint flags; void_p first; size_t first_length; void_p last; "
                  "size_t last_length")
Record = structure("Record", "uint16 opcode flags; int result; void_p key; size_t key_length; "
                   "void_p value; size_t value_length; void_p old; size_t old_length")


def kind(declaration):
    """The type in ctypes of what a header declares."""
    if "*" in declaration:
        return ctypes.c_char_p if re.match(r"const char \*$", declaration) else c_void_p
    return TYPES[declaration]


def load(path):
    """The library, with the types of the functions that its headers declare."""
    library = ctypes.CDLL(str(path))
    for header in LIB / "blinktree.h", LIB / "blinktree_bytes.h":
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for result, name, parameters in re.findall(
            r"^(\w[\w ]*?[ *\n]+)(blinktree_\w+)\(([^)]*)\);", text, re.M
        ):
            function = getattr(library, name)
            function.restype = kind(" ".join(result.split()))
            function.argtypes = [kind(" ".join(part.split()[:-1]) if "*" not in part else part)
                                 for part in parameters.split(",") if part != "void"]
    return library


class Library:
    """Functions by the rest of their names."""

    def __getattr__(self, name):
        return getattr(LOADED, f"blinktree_{name}")


# The library whose ioctl() is that of hook.c.
LOADED = load(os.environ["LIBRARY"])
lib = Library()


def pack(record):
    """A result as the kernel writes it."""
    data = bytearray(_records.pack(record))
    struct.pack_into("=Hi", data, 6, record.flags, record.result)
    return bytes(data)


def null():
    """A descriptor."""
    return os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)


class Device:
    """What ioctl() does. A test sets what it needs, or has other functions for some numbers."""

    def __init__(self):
        self.calls = self.request = 0
        # The most elements of a call; the call, from 1, that does nothing, as after a signal;
        # the one that fails, and its error.
        self.limit = MOST
        self.idle_call = self.fail_call = self.error = 0
        self.module = {"known": ctypes.sizeof(_abi.Info), "ioctls": IOCTLS, "opcodes": OPCODES,
                       "features": FEATURE_OPEN_OWNER}
        # What a call got, and the bounds of the first call on a range.
        self.argument = self.bounds = None
        # The keys of the tree, and the result of operations.
        self.keys = range(0)
        self.result = self.trees = self.levels = 0
        self.sent = b""
        self.answer = lambda record: _records.Record(record.opcode)
        self.others = {}

    def allowed(self):
        """How many elements this call may handle."""
        if self.calls == self.fail_call:
            return 1
        return 0 if self.calls == self.idle_call else self.limit

    def ioctl(self, _fd, request, address):
        """One call; a negative errno if it fails."""
        self.calls += 1
        self.request = request
        number = request & 0xFF
        failing = self.calls == self.fail_call
        if failing and number not in IN_PARTS:
            return -self.error
        size = request >> 16 & 0x3FFF
        self.argument = ctypes.string_at(address, size)
        if number in self.others:
            return self.others[number](address)
        name = {call.NUMBER: call.__name__ for call in _abi.Call.__subclasses__()}.get(number)
        # That of a caller can be shorter than the structure.
        if number in (_abi.Create.NUMBER, _abi.Open.NUMBER):
            return null()
        result = {OP: self.op, LEVELS: self.grow}[number](address) if not name else \
            getattr(self, name.lower())(getattr(_abi, name).from_address(address))
        return -self.error if failing else result or 0

    def info(self, call):
        """What the module can do."""
        for name, value in self.module.items():
            setattr(call, name, value)

    def attr(self, _call):
        """Every descriptor of a tree has attributes."""

    def op(self, address):
        """An operation, whose key can be another one afterwards."""
        op = Op.from_address(address)
        op.result, op.value, op.old = self.result, 78, 77
        op.key -= op.opcode in (_abi.FLOOR, _abi.POP_MAX)

    def batch(self, call):
        """Operations, of which each counts how often it was executed."""
        call.done = min(call.count, self.allowed())
        for op in (Op * call.done).from_address(call.ops):
            op.result += 1

    def load(self, call):
        """Entries that are added."""
        call.done = min(call.count, self.allowed())

    def found(self, first, last, desc, room):
        """The next keys of a range, and whether they are the last ones."""
        keys = [key for key in self.keys if first <= key <= last]
        if desc:
            keys.reverse()
        most = min(room, self.allowed())
        return keys[:most], most and len(keys) <= most

    def scan(self, call):
        """The entries of a range; the structure has the rest of the range then."""
        desc = call.flags & _abi.SCAN_DESC
        keys, done = self.found(call.first, call.last, desc, call.capacity)
        entries = (Entry * call.capacity).from_address(call.entries)
        for i, key in enumerate(keys):
            entries[i] = Entry(key, key + 1)
            if desc:
                call.last = key - 1
            else:
                call.first = key + 1
        call.count = len(keys)
        call.flags = call.flags & ~_abi.DONE | _abi.DONE * bool(done)

    def part(self, call, room):
        """The same for a range whose bounds are bytes; returns the keys."""
        desc = call.flags & _abi.SCAN_DESC
        first = ctypes.string_at(call.first, call.first_length)
        last = ctypes.string_at(call.last, call.last_length)
        self.bounds = self.bounds or (first, last)
        keys, done = self.found(int.from_bytes(first, "big"),
                                int.from_bytes(last, "big") if last else MOST, desc, room)
        if keys and desc:
            ctypes.memmove(call.last, (keys[-1] - 1 & MOST).to_bytes(8, "big"), 8)
            call.last_length = 8
        elif keys:
            ctypes.memmove(call.first, (keys[-1] + 1).to_bytes(8, "big"), 8)
            call.first_length = 8
        call.count = len(keys)
        call.flags |= _abi.DONE * bool(done)
        return keys

    def recordscan(self, call):
        """Entries, unless they are only counted."""
        if call.flags & _abi.SCAN_COUNT:
            self.part(call, MOST)
            return
        # Each entry has 40 bytes, and the longest one must have room.
        keys = self.part(call, (call.output_size + 40 - RESULT_MAX) // 40)
        data = b"".join(pack(_records.Record(_abi.LOOKUP, key.to_bytes(8, "big"), bytes(8)))
                        for key in keys)
        ctypes.memmove(call.output, data, len(data))
        call.output_used = len(data)

    def recorderase(self, call):
        """Erased entries are counted."""
        self.part(call, MOST)

    def records(self, call):
        """Operations, as long as the longest result has room."""
        loads = call.flags & _abi.RECORDS_LOAD
        most = self.allowed()
        data = ctypes.string_at(call.input, call.input_size)
        for record in _records.unpack(data):
            if call.done == most or (
                not loads and call.output_size - call.output_used < RESULT_MAX
            ):
                break
            # Its form: true lengths, and zeros between the parts and in what is reserved.
            packed = _records.pack(record)
            assert data[call.input_used :].startswith(packed), record
            self.sent += packed
            answer = self.answer(record)
            result = pack(answer)
            if not loads:
                ctypes.memmove(call.output + call.output_used, result, len(result))
                call.output_used += len(result)
            call.input_used += len(packed)
            call.done += 1
            if answer.flags:
                break

    def grow(self, address):
        """A tree that grows between two calls: the second one has fewer levels."""
        call = Levels.from_address(address)
        call.height = 3
        if call.capacity:
            call.count = self.levels + (0 if self.calls == 2 else 5)
        levels = (Level * call.capacity).from_address(call.levels)
        for i in range(min(call.count, call.capacity)):
            levels[i].nodes = 100 + i

    def list(self, call):
        """Trees, whose numbers begin with 1."""
        call.count = min(call.capacity, self.trees - call.cursor)
        entries = (_abi.ListEntry * call.capacity).from_address(call.trees)
        for i in range(call.count):
            call.cursor += 1
            entries[i].id = call.cursor

    def stats(self, call):
        """Statistics."""
        call.entries = len(self.keys)

    def verify(self, call):
        """A report."""
        call.height = 4


class LibraryTest(unittest.TestCase):
    """A test with a device, and a tree that is open."""

    def setUp(self):
        self.device = Device()
        self.trouble = []
        # The library keeps its address.
        self.hook = ctypes.CFUNCTYPE(c_int, c_int, ctypes.c_ulong, c_void_p)(self.ioctl)
        c_void_p.in_dll(LOADED, "ioctl_hook").value = ctypes.cast(self.hook, c_void_p).value
        self.ctl = self.opened("ctl", "ctl_open", b"/dev/null")
        self.tree = self.opened("", "create", self.ctl, None, 0, 0)
        self.device.calls = 0

    def ioctl(self, *arguments):
        """An exception would get lost in the library."""
        try:
            return self.device.ioctl(*arguments)
        except BaseException as error:  # pylint: disable=broad-except
            self.trouble.append(error)
            return -1

    def tearDown(self):
        self.assertEqual(self.trouble, [])

    def opened(self, what, function, *arguments):
        """A handle, which is closed in the end."""
        handle = c_void_p()
        self.assertEqual(getattr(lib, function)(*arguments, byref(handle)), 0)
        self.addCleanup(getattr(lib, f"{what}_close" if what else "close"), handle)
        return handle

    def refused(self, error, function, *arguments):
        """A call must fail with this error, and open nothing."""
        handle = c_void_p()
        self.assertEqual(getattr(lib, function)(*arguments, byref(handle)), -error)
        self.assertIsNone(handle.value)

    def fails(self, error, after=1):
        """Let a call fail."""
        self.device.fail_call = self.device.calls + after
        self.device.error = error

    def read(self, handle, function):
        """The record that a stream or a scan returns next, or its error, or 0 at the end."""
        pointer = c_void_p()
        result = getattr(lib, function)(handle, byref(pointer))
        if result != 1:
            return result
        record = Record.from_address(pointer.value)
        parts = (ctypes.string_at(getattr(record, part), getattr(record, f"{part}_length"))
                 for part in ("key", "value", "old"))
        return _records.Record(record.opcode, *parts, record.result, record.flags)


class Room:
    """A buffer for a key or a value, with bytes behind it that stay."""

    def __init__(self, room=8):
        self.bytes = ctypes.create_string_buffer(b"." * (room + 8), room + 8)
        self.buffer = Buffer(addressof(self.bytes), room, 99999)

    @property
    def given(self):
        """The length of what was given, and as much of it as has room; None for nothing."""
        if self.buffer.length == 99999:
            assert not self.bytes.raw.strip(b"."), "it was written to"
            return None
        used = min(self.buffer.length, self.buffer.room)
        assert not self.bytes.raw[used:].strip(b"."), "too much was written"
        return self.buffer.length, self.bytes.raw[:used]
