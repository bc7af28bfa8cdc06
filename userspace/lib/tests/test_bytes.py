# SPDX-License-Identifier: GPL-2.0
"""Operations, streams and ranges of keys and values of any kind."""

import ctypes
import errno
import itertools
import os
import re
import sys
from ctypes import byref, c_size_t, c_uint64, create_string_buffer

from blinktree import _abi, _records
from blinktree._records import Record as Operation
from library import LIB, LibraryTest, Range, Record, Room, lib, pack

VECTOR = re.compile(
    r'^VECTOR\((\w+), "(\w*)", "(\w*)", "(\w*)", (-?\d+), (\d+),\s*((?:"\w*"\s*)+)\)', re.M
)
HEADER = _records.size(0, 0, 0)


def words(*parts):
    """Strings as a function takes them, each with its length."""
    return [word for part in parts for word in (part, len(part or b""))]


def stream_record(operation):
    """The structure of an operation, whose bytes live as long as the operation."""
    return Record(operation.opcode, 0, 0, *(
        field for part in (operation.key, operation.value, operation.old)
        for field in (ctypes.cast(part, ctypes.c_void_p).value if part else None, len(part))
    ))


class BytesTest(LibraryTest):
    """A tree, and streams."""

    def stream(self, *operations):
        """A stream of operations."""
        stream = self.opened("stream", "stream_open")
        self.add(stream, *operations)
        return stream

    def add(self, stream, *operations):
        """Append operations to a stream."""
        for operation in operations:
            self.assertEqual(lib.stream_add(stream, byref(stream_record(operation))), 0)

    def run_stream(self, function, stream, *fill):
        """The result of running or loading a stream, and how many operations are done."""
        done = c_size_t(99)
        result = getattr(lib, function)(stream, self.tree, *fill, byref(done))
        return result, done.value

    def results(self, stream):
        """The results that were not read yet."""
        return list(iter(lambda: self.read(stream, "stream_next"), 0))

    def sent(self):
        """The operations that reached the device since the last question."""
        sent, self.device.sent = self.device.sent, b""
        return list(_records.unpack(sent))


class Operations(BytesTest):
    """Single operations."""

    def answers(self, result, key=0, value=0, old=0):
        """Let operations have this result, with so many bytes."""
        parts = key * b"k", value * b"v", old * b"o"
        self.device.answer = lambda record: Operation(record.opcode, *parts, result)

    def test_numbers(self):
        """A number as a key begins with its most significant byte."""
        key, number = create_string_buffer(8), 0x01020304050607F8
        lib.key_from_number(key, number)
        self.assertEqual(key.raw, number.to_bytes(8, "big"))
        self.assertEqual(lib.key_number(key), number)

    def test_vectors(self):
        """Records are those of all languages."""
        text = (LIB / "tests" / "vectors.inc").read_text()
        vectors = VECTOR.findall(text)
        self.assertEqual(len(vectors), text.count("\nVECTOR("))
        for name, key, value, old, result, flags, digits in vectors:
            data = bytes.fromhex(digits.replace('"', ""))
            parts = (bytes.fromhex(part) for part in (key, value, old))
            record = Operation(getattr(_abi, name), *parts, int(result), int(flags))
            self.assertEqual(pack(record), data)
            self.assertEqual(list(_records.unpack(2 * data)), 2 * [record])
            self.device.answer = lambda _, record=record: record
            self.device.sent = b""
            stream = self.stream(record._replace(result=0, flags=0))
            self.assertEqual(self.run_stream("stream_run", stream), (0, 1))
            self.assertEqual(self.results(stream), [record._replace(flags=0)])
            if not record.result and not record.flags:
                self.assertEqual(self.device.sent, data)

    def test_form(self):
        """An operation is a record, of any length that a tree can have."""
        lib.bytes_cmpxchg(self.tree, *words(b"key", b"o", b"new value"), None)
        self.assertEqual(self.sent(), [Operation(_abi.CMPXCHG, b"key", b"new value", b"o")])
        self.assertEqual(lib.bytes_erase(self.tree, None, 0, None), 0)
        self.assertEqual(len(self.device.sent), HEADER)
        self.device.sent = b""
        self.assertEqual(lib.bytes_store(self.tree, *words(bytes(1024), bytes(4096)), None), 0)
        self.assertEqual(len(self.device.sent), HEADER + 1024 + 4096)
        self.device.calls = 0
        for function, *parts in (("get", bytes(1025)), ("store", b"k", bytes(4097)),
                                 ("cmperase", b"k", bytes(4097))):
            call = getattr(lib, f"bytes_{function}")
            self.assertEqual(call(self.tree, *words(*parts), None), -errno.EINVAL)
        self.assertEqual(self.device.calls, 0)

    def test_updates(self):
        """An operation returns the value that its comment promises."""
        key_value, compared = (b"k", b"vv"), (b"k", b"oooo", b"vv")
        for result, function, parts, opcode, told in (
            (-errno.EEXIST, "insert", key_value, _abi.INSERT, True),
            (0, "insert", key_value, _abi.INSERT, False),
            (0, "store", key_value, _abi.STORE, False),
            (1, "store", key_value, _abi.STORE, True),
            (1, "get_or_insert", key_value, _abi.GET_OR_INSERT, True),
            (0, "replace", key_value, _abi.REPLACE, True),
            (0, "erase", (b"k",), _abi.ERASE, True),
            (7, "erase", (b"k",), _abi.ERASE, False),
            (-errno.ESTALE, "cmpxchg", compared, _abi.CMPXCHG, True),
            (-errno.ESTALE, "cmperase", compared[:2], _abi.CMPERASE, True),
            (0, "cmpxchg", compared, _abi.CMPXCHG, False),
        ):
            self.answers(result, old=8)
            room = Room()
            call = getattr(lib, f"bytes_{function}")
            self.assertEqual(call(self.tree, *words(*parts), byref(room.buffer)), result)
            self.assertEqual(room.given, (8, 8 * b"o") if told else None, function)
            key, *values = parts
            old = values.pop(0) if opcode in (_abi.CMPXCHG, _abi.CMPERASE) else b""
            self.assertEqual(self.sent(), [Operation(opcode, key, b"".join(values), old)])

    def test_sums(self):
        """Numbers to add have eight bytes."""
        for name, opcode in ("add", _abi.ADD), ("add_saturate", _abi.ADD_SATURATE):
            for result in 0, 1:
                self.answers(result, old=8)
                room = Room()
                call = getattr(lib, f"bytes_{name}")
                self.assertEqual(call(self.tree, *words(b"k"), -2, byref(room.buffer)), result)
                self.assertEqual(room.given, (8, 8 * b"o") if result else None)
                self.assertEqual(self.sent(), [Operation(opcode, b"k", b"\xfe" + 7 * b"\xff")])

    def test_erase_of_equal_keys(self):
        """The values that the erase of a key has left are a range, which is passed once."""
        ranges = []

        def rest(address):
            call = _abi.RecordErase.from_address(address)
            ends = (call.first, call.first_length), (call.last, call.last_length)
            ranges.append([ctypes.string_at(*end) for end in ends])
            call.count = 9
            call.flags |= _abi.DONE * (len(ranges) == 2)
            return 0

        def erase(result, flags, calls=1, after=0):
            self.device.answer = lambda record: Operation(
                record.opcode, result=result, flags=flags
            )
            self.device.others[_abi.RecordErase.NUMBER] = rest
            self.device.calls = 0
            ranges.clear()
            self.fails(errno.EINTR, after)
            told = lib.bytes_erase(self.tree, b"k", 1, None)
            self.assertEqual(self.device.calls, calls)
            self.assertEqual(ranges, (calls - 1 - bool(after)) * [[b"k", b"k"]])
            return told

        more = _abi.RECORD_MORE
        self.assertEqual(erase(7, 0), 7)
        self.assertEqual(erase(7, more, calls=3), 25)
        most = 2**31 - 1
        self.assertEqual(erase(most, more, calls=3), most)
        # What a call erases that fails is not told.
        self.assertEqual(erase(7, more, calls=2, after=2), 7)
        self.assertEqual(erase(7, more, calls=3, after=3), 16)
        self.assertEqual(erase(7, 0, after=1), -errno.EINTR)

    def test_finds(self):
        """An operation that finds a key returns it, cut off where it is longer than the room."""
        for function, opcode, bounds, parts, found in (
            ("floor", _abi.FLOOR, (b"k", None), (5, 12, 0), (12, 8 * b"v")),
            ("ceiling", _abi.CEILING, (b"k", b"vv"), (5, 12, 0), None),
            ("pop_min", _abi.POP_MIN, (b"k", None), (5, 0, 3), (3, b"ooo")),
            ("pop_max", _abi.POP_MAX, (b"k", b"v"), (5, 0, 3), (3, b"ooo")),
        ):
            self.answers(0, *parts)
            key, value = Room(), Room()
            buffers = (byref(key.buffer), byref(value.buffer)) if found else (None, None)
            call = getattr(lib, f"bytes_{function}")
            self.assertEqual(call(self.tree, *words(*bounds), *buffers), 0)
            self.assertEqual((key.given, value.given), ((5, 5 * b"k") if found else None, found))
            self.assertEqual(self.sent(), [Operation(opcode, b"k", bounds[1] or b"")])
        self.answers(0, 0, 12)
        value = Room()
        self.assertEqual(lib.bytes_get(self.tree, b"k", 1, byref(value.buffer)), 0)
        self.assertEqual(value.given, (12, 8 * b"v"))
        self.assertEqual(self.sent(), [Operation(_abi.LOOKUP, b"k")])
        self.answers(-errno.ENOENT, 5, 12)
        key, value = Room(), Room()
        rooms = byref(key.buffer), byref(value.buffer)
        self.assertEqual(lib.bytes_floor(self.tree, b"k", 1, None, 0, *rooms), -errno.ENOENT)
        self.assertEqual(lib.bytes_get(self.tree, b"k", 1, rooms[1]), -errno.ENOENT)
        self.assertEqual((key.given, value.given), (None, None))


class Streams(BytesTest):
    """Streams of operations."""

    def operations(self, opcode, number):
        """Operations on keys from 0 on."""
        return [Operation(opcode, key.to_bytes(8, "big")) for key in range(number)]

    def test_run(self):
        """A stream executes each operation once, whatever the kernel does."""
        stream = self.stream()
        self.assertEqual(self.run_stream("stream_run", stream), (0, 0))
        self.assertEqual(self.device.calls, 0)
        for number, size, idle_call, least in (1, 8, 0, 1), (1000, 4000, 2, 6):
            # The results can be far longer than the operations.
            result = Operation(_abi.LOOKUP, value=size * b"v", result=5)
            self.device.answer = lambda _, result=result: result
            self.device.calls, self.device.idle_call, self.device.sent = 0, idle_call, b""
            operations = self.operations(_abi.LOOKUP, number)
            self.add(stream, *operations)
            self.assertEqual(self.run_stream("stream_run", stream), (0, number))
            self.assertEqual(self.sent(), operations)
            self.assertEqual(self.results(stream), number * [result])
            self.assertGreaterEqual(self.device.calls, least)
            self.assertEqual(self.run_stream("stream_run", stream), (0, number))
            self.assertEqual(self.results(stream), [])
            lib.stream_clear(stream)

    def test_erase_of_equal_keys(self):
        """What is behind the erase of a key with many values waits for all of its parts."""
        left = [_abi.RECORD_MORE]

        def answer(record):
            erases = record.opcode == _abi.ERASE
            more = left.pop() if erases and left else 0
            return Operation(record.opcode, result=7 * erases, flags=more)

        self.device.answer = answer
        before, erase, behind = (Operation(opcode, b"k") for opcode in
                                 (_abi.LOOKUP, _abi.ERASE, _abi.FLOOR))  # fmt: skip
        stream = self.stream(before, erase, behind)
        self.assertEqual(self.run_stream("stream_run", stream), (0, 3))
        self.assertEqual(self.sent(), [before, erase, behind])
        self.assertEqual([(one.result, one.flags) for one in self.results(stream)],
                         [(0, 0), (7, 0), (0, 0)])  # fmt: skip

    def test_error(self):
        """A stream goes on behind an error."""
        operations = self.operations(_abi.LOOKUP, 10)
        stream = self.stream(*operations)
        self.device.limit = 3
        self.fails(errno.EFAULT, 3)
        self.assertEqual(self.run_stream("stream_run", stream), (-errno.EFAULT, 7))
        self.assertEqual(len(self.results(stream)), 7)
        self.assertEqual(self.run_stream("stream_run", stream), (0, 10))
        self.assertEqual(self.sent(), operations)
        self.assertEqual(len(self.results(stream)), 3)

    def refuse(self, stream, error):
        """The result of a commit whose operation 2 fails, and the number that it tells."""
        failed = c_size_t(99)

        def commit(address):
            call = _abi.Records.from_address(address)
            self.device.records(call)
            call.done, call.input_used = 2, 0
            # An output that cannot be written has no results.
            call.output_used *= error == errno.ESTALE
            return -error

        self.device.others[_abi.Records.NUMBER] = commit
        result = lib.stream_commit(stream, self.tree, byref(failed))
        del self.device.others[_abi.Records.NUMBER]
        self.device.sent = b""
        return result, failed.value

    def test_commit(self):
        """Behind a commit that failed, done is the number of the next operation."""
        operations = self.operations(_abi.LOOKUP, 13)
        stream = self.stream(*operations[:5])
        self.assertEqual(self.refuse(stream, errno.EFAULT), (-errno.EFAULT, 99))
        self.assertEqual(self.run_stream("stream_run", stream), (0, 5))
        self.assertEqual(len(self.results(stream)), 5)
        lib.stream_clear(stream)
        self.add(stream, *operations[:5])
        self.assertEqual(self.refuse(stream, errno.ESTALE), (-errno.ESTALE, 2))
        self.assertEqual(self.run_stream("stream_run", stream), (0, 5))
        self.add(stream, *operations[5:])
        self.device.limit = 3
        self.fails(errno.EINTR, 2)
        self.assertEqual(self.run_stream("stream_run", stream), (-errno.EINTR, 9))
        self.assertEqual(self.sent(), operations[5:9])
        self.assertEqual(self.run_stream("stream_run", stream), (0, 13))
        self.assertEqual(self.sent(), operations[9:])
        self.assertEqual(len(self.results(stream)), 13)

    def test_load(self):
        """A load continues after a signal."""
        operations = self.operations(_abi.INSERT, 10)
        stream = self.stream(*operations)
        self.device.limit, self.device.idle_call = 3, 2
        self.fails(errno.EEXIST, 4)
        self.assertEqual(self.run_stream("stream_load", stream, 80), (-errno.EEXIST, 7))
        self.assertEqual(self.device.calls, 4)
        call = _abi.Records.from_buffer_copy(self.device.argument)
        self.assertEqual((call.flags, call.fill), (_abi.RECORDS_LOAD, 80))
        lib.stream_clear(stream)
        self.device.sent = b""
        self.add(stream, *operations)
        self.assertEqual(self.run_stream("stream_load", stream, 100), (0, 10))
        self.assertEqual(self.sent(), operations)
        self.assertEqual(self.results(stream), [])


class Ranges(LibraryTest):
    """Scans, counts and erasures."""

    def setUp(self):
        super().setUp()
        self.device.keys = range(0, 1000, 10)

    def scan(self, span, size=1):
        """Begin a scan."""
        return self.opened("bytes_scan", "bytes_scan_open", self.tree, span, size)

    def scanned(self, span):
        """All keys of a scan."""
        scan = self.scan(byref(span))
        entries = list(iter(lambda: self.read(scan, "bytes_scan_next"), 0))
        self.assertEqual(self.read(scan, "bytes_scan_next"), 0)
        for entry in entries:
            self.assertEqual((len(entry.key), len(entry.value)), (8, 8))
        return [int.from_bytes(entry.key, "big") for entry in entries]

    def asked(self):
        """The flags of the last call."""
        return int.from_bytes(self.device.argument[:4], sys.byteorder)

    def test_scan(self):
        """A scan passes its bounds on, and returns every key once."""
        first, last = (number.to_bytes(8, "big") for number in (15, 250))
        bounds = [create_string_buffer(bound, 8) for bound in (first, last)]
        span = Range(0, ctypes.addressof(bounds[0]), 8, ctypes.addressof(bounds[1]), 8)
        keys = list(range(20, 251, 10))
        self.assertEqual(self.scanned(span), keys)
        self.assertEqual(self.device.calls, 24)
        span.flags = _abi.SCAN_DESC | _abi.LAST_OPEN
        self.device.idle_call, self.device.calls, self.device.bounds = 3, 0, None
        self.assertEqual(self.scanned(span), keys[::-1])
        self.assertEqual((self.asked(), self.device.bounds), (span.flags, (first, last)))

        self.device.bounds = None
        scan = self.scan(None, 0)
        self.assertEqual(self.read(scan, "bytes_scan_next").opcode, _abi.LOOKUP)
        self.assertEqual((self.device.bounds, self.asked()), ((b"", b""), 0))
        span.first_length = 1025
        self.refused(errno.EINVAL, "bytes_scan_open", self.tree, byref(span), 0)

    def test_error(self):
        """A scan goes on after an error."""
        scan = self.scan(None)
        self.read(scan, "bytes_scan_next")
        self.fails(errno.EFAULT)
        self.assertEqual(self.read(scan, "bytes_scan_next"), -errno.EFAULT)
        self.assertEqual(self.read(scan, "bytes_scan_next").key, (10).to_bytes(8, "big"))

    def test_sums(self):
        """A count or an erase of a range is the sum of its calls."""
        count = c_uint64(5)
        self.device.limit, self.device.idle_call = 7, 3
        self.assertEqual((lib.bytes_count(self.tree, None, byref(count)), count.value), (0, 100))
        self.fails(errno.EBADF, 2)
        count.value = 5
        self.assertEqual(lib.bytes_count(self.tree, None, byref(count)), -errno.EBADF)
        self.assertEqual(count.value, 5)

        prefix = create_string_buffer(b"\x20\x01", 2)
        at = ctypes.addressof(prefix)
        span = Range(_abi.PREFIX, at, 2, at, 1)
        self.device.bounds = None
        self.assertEqual(lib.bytes_erase_range(self.tree, byref(span), byref(count)), 0)
        self.assertEqual((self.device.bounds, self.asked()), ((prefix.raw, b""), _abi.PREFIX))
        self.fails(errno.EBADF, 3)
        self.assertEqual(lib.bytes_erase_range(self.tree, None, byref(count)), -errno.EBADF)
        self.assertEqual(count.value, 14)
        self.assertEqual(lib.bytes_erase_range(self.tree, None, None), 0)
        span.flags, span.last_length = 0, 1025
        self.assertEqual(lib.bytes_count(self.tree, byref(span), byref(count)), -errno.EINVAL)
        self.assertEqual(lib.bytes_erase_range(self.tree, byref(span), None), -errno.EINVAL)


class Values(BytesTest):
    """Values of 0 to 4,096 bytes, with a device that is a tree of one entry."""

    def setUp(self):
        super().setUp()
        self.value = None
        self.device.answer = self.execute
        self.device.others[_abi.RecordScan.NUMBER] = self.scan

    def execute(self, asked):
        """What the UAPI header demands of an operation."""
        adds = asked.opcode in (_abi.INSERT, _abi.STORE, _abi.GET_OR_INSERT)
        former = self.value
        if former is None:
            self.value = asked.value if adds else None
            return Operation(asked.opcode, result=0 if adds else -errno.ENOENT)
        result = {_abi.INSERT: -errno.EEXIST, _abi.GET_OR_INSERT: 1, _abi.STORE: 1}.get(
            asked.opcode, 0
        )
        if asked.opcode in (_abi.CMPXCHG, _abi.CMPERASE) and former != asked.old:
            result = -errno.ESTALE
        elif asked.opcode in (_abi.STORE, _abi.REPLACE, _abi.CMPXCHG):
            self.value = asked.value
        elif asked.opcode in (_abi.ERASE, _abi.CMPERASE, _abi.POP_MIN, _abi.POP_MAX):
            self.value = None
        finds = asked.opcode in (_abi.LOOKUP, _abi.FLOOR, _abi.CEILING)
        return Operation(asked.opcode, b"", former if finds else b"", b"" if finds else former,
                         result)

    def scan(self, address):
        """The entry, as all that there is."""
        call = _abi.RecordScan.from_address(address)
        data = pack(Operation(_abi.LOOKUP, value=self.value))
        ctypes.memmove(call.output, data, len(data))
        call.output_used, call.count, call.flags = len(data), 1, call.flags | _abi.DONE
        return 0

    def gives(self, size, function, *parts, result=0, told=None, near=False):
        """A call on the key, of which this value must be told as far as it has room."""
        room = Room(size)
        between = (None, 0, None) if near else ()
        call = getattr(lib, f"bytes_{function}")
        got = call(self.tree, *words(b"key", *parts), *between, byref(room.buffer))
        self.assertEqual(got, result, function)
        self.assertEqual(room.given, None if told is None else (len(told), told[:size]), function)

    def cases(self):
        """Rooms, two values of each length, and one of another length."""
        for length, size in itertools.product((0, 1, 7, 8, 4095, 4096), (4096, 4095, 1, 0)):
            self.value = None
            one, two = os.urandom(length), os.urandom(length)
            while length and one == two:
                two = os.urandom(length)
            yield size, one, two, one[:-1] if one else b"\1"

    def test_updates(self):
        """Updates take and return values of all lengths."""
        for size, one, two, _ in self.cases():
            self.gives(size, "insert", one)
            self.gives(size, "get", told=one)
            self.gives(size, "insert", two, result=-errno.EEXIST, told=one)
            self.gives(size, "get_or_insert", two, result=1, told=one)
            self.gives(size, "store", two, result=1, told=one)
            self.gives(size, "replace", one, told=two)
            self.assertEqual(self.value, one)
            self.gives(size, "erase", told=one)
            self.gives(size, "get", result=-errno.ENOENT)

    def test_compares(self):
        """Values are compared as a whole."""
        for size, one, two, other in self.cases():
            self.gives(size, "get_or_insert", one)
            self.gives(size, "cmpxchg", other, two, result=-errno.ESTALE, told=one)
            self.gives(size, "cmpxchg", one, other)
            self.gives(size, "cmpxchg", other, two)
            self.assertEqual(self.value, two)
            self.gives(size, "cmperase", other, result=-errno.ESTALE, told=two)
            self.gives(size, "cmperase", two)
            self.assertIsNone(self.value)

    def test_finds(self):
        """An operation that finds a key returns its value."""
        for size, one, two, _ in self.cases():
            self.gives(size, "store", two)
            for function in "floor", "ceiling", "pop_min":
                self.gives(size, function, told=two, near=True)
            self.assertIsNone(self.value)
            self.gives(size, "store", one)
            self.gives(size, "pop_max", told=one, near=True)
            self.assertIsNone(self.value)

    def test_streams(self):
        """Streams have values of all lengths."""
        for _, one, two, other in self.cases():
            asked = (
                Operation(_abi.INSERT, b"key", one),
                Operation(_abi.LOOKUP, b"key"),
                Operation(_abi.CMPXCHG, b"key", two, other),
                Operation(_abi.CMPXCHG, b"key", two, one),
                Operation(_abi.POP_MIN, b"key"),
            )
            stream = self.stream(*asked)
            self.assertEqual(self.run_stream("stream_run", stream), (0, 5))
            told = [(result.value, result.old, result.result) for result in self.results(stream)]
            self.assertEqual(told, [(b"", b"", 0), (one, b"", 0), (b"", one, -errno.ESTALE),
                                    (b"", one, 0), (b"", two, 0)])
            lib.stream_clear(stream)
            self.add(stream, Operation(_abi.INSERT, b"key", two))
            self.assertEqual(self.run_stream("stream_load", stream, 100), (0, 1))
            self.assertEqual(self.value, two)

    def test_scans(self):
        """Scans return values of all lengths."""
        for _, self.value, _, _ in self.cases():
            scan = self.opened("bytes_scan", "bytes_scan_open", self.tree, None, 0)
            self.assertEqual(self.read(scan, "bytes_scan_next").value, self.value)
            self.assertEqual(self.read(scan, "bytes_scan_next"), 0)
