# SPDX-License-Identifier: GPL-2.0
"""The device, trees, and the functions for keys and values of 64 bits."""

import ctypes
import errno
import fcntl
import os
import tempfile
from ctypes import byref, c_size_t, c_uint64

from blinktree import _abi
from library import (
    BPF_HANDLE,
    HOT_LEAVES,
    IOCTLS,
    MOST,
    OPCODES,
    OPEN_OWNER,
    RANGE,
    Entry,
    Handle,
    HotLeaf,
    HotLeaves,
    Level,
    LibraryTest,
    Op,
    RangeOp,
    lib,
    null,
)

VALUE = object()


class Devices(LibraryTest):
    """The device, and trees that are created and opened."""

    def test_other_device(self):
        """A device of another driver is refused."""
        self.refused(errno.ENOENT, "ctl_open", b"/nonexistent/x")
        good = dict(self.device.module)
        # A module from before the first version has another layout.
        for what, bad in (("known", 1), ("ioctls", IOCTLS & ~(1 << _abi.Scan.NUMBER)),
                          ("opcodes", OPCODES & ~(1 << _abi.CMPERASE))):
            self.device.module = {**good, what: bad}
            self.refused(errno.EPROTO, "ctl_open", b"/dev/null")
        # A newer module has more ioctls, operations and fields.
        self.device.module = {"known": good["known"] + 64, "ioctls": MOST, "opcodes": MOST,
                              "features": MOST}
        self.opened("ctl", "ctl_open", b"/dev/null")
        self.fails(errno.ENOTTY)
        self.refused(errno.ENOTTY, "ctl_open", b"/dev/null")
        lib.ctl_close(None)

    def test_long_names(self):
        """A name that is too long never reaches the kernel."""
        name = b"n" * 64
        self.refused(errno.ENAMETOOLONG, "create", self.ctl, name, 0, 0)
        self.refused(errno.ENAMETOOLONG, "open", self.ctl, name, 1)
        self.assertEqual(lib.unlink(self.ctl, name), -errno.ENAMETOOLONG)
        self.assertEqual(self.device.calls, 0)
        self.opened("", "create", self.ctl, name[1:], 0, 0)

    def test_read_only(self):
        """A device that can only be read is opened for reading."""
        root = os.geteuid() == 0
        with tempfile.NamedTemporaryFile() as file:
            for mode, access, user in (0o444, os.O_RDONLY, 65534), (0o600, os.O_RDWR, 0), \
                    (0, None, 65534):
                os.chmod(file.name, mode)
                if root:
                    os.seteuid(user)
                try:
                    if access is None:
                        self.refused(errno.EACCES, "ctl_open", file.name.encode())
                        continue
                    fd = lib.ctl_fd(self.opened("ctl", "ctl_open", file.name.encode()))
                finally:
                    if root:
                        os.seteuid(0)
                self.assertEqual(fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE, access)

    def test_owner(self):
        """A tree is opened only if it has the owner."""
        arguments = "open_owned", self.ctl, b"n", _abi.OPEN_READ, 1000
        self.opened("", *arguments)
        demand = _abi.Open(flags=_abi.OPEN_READ | OPEN_OWNER, uid=1000, name=b"n")
        self.assertEqual(self.device.argument, bytes(demand))
        self.fails(errno.EPERM)
        self.refused(errno.EPERM, *arguments)
        # A module that cannot compare the owner opens nothing.
        self.device.module["features"] = 0
        ctl = self.opened("ctl", "ctl_open", b"/dev/null")
        self.device.calls = 0
        self.refused(errno.EOPNOTSUPP, "open_owned", ctl, *arguments[2:])
        self.assertEqual(self.device.calls, 0)

    def test_create_as(self):
        """A tree is created with the structure of the caller's header."""
        how = _abi.Create(flags=_abi.CREATE_COMPRESS, replication=2)
        for size in ctypes.sizeof(how), _abi.Create.replication.offset:
            self.opened("", "create_as", self.ctl, byref(how), size)
            self.assertEqual(self.device.argument, bytes(how)[:size])
            self.assertEqual(self.device.request, _abi.request(_abi.Create) & ~(0x3FFF << 16)
                             | size << 16)
        self.device.calls = 0
        self.refused(errno.E2BIG, "create_as", self.ctl, byref(how), 1 << 20)
        self.assertEqual(self.device.calls, 0)

    def test_descriptor(self):
        """A handle owns the descriptor only after success."""
        fd = null()
        self.fails(errno.ENOTTY)
        self.refused(errno.ENOTTY, "from_fd", fd)
        os.fstat(fd)
        tree = ctypes.c_void_p()
        self.assertEqual(lib.from_fd(fd, byref(tree)), 0)
        self.assertEqual(lib.fd(tree), fd)
        # The probe is an ioctl that every descriptor of a tree accepts.
        self.assertEqual(self.device.request, _abi.request(_abi.Attr))
        lib.close(tree)
        self.assertRaises(OSError, os.fstat, fd)

    def test_attributes(self):
        """The structure of the caller can be shorter or longer than the library's."""
        attr = (_abi.Attr * 2)()
        size = ctypes.sizeof(_abi.Attr)
        for asked in size, size + 8:
            lib.attr(self.tree, attr, asked)
            self.assertEqual(self.device.request >> 16 & 0x3FFF, asked)
            self.assertEqual(self.device.request & 0xFF, _abi.Attr.NUMBER)
        self.assertEqual(lib.attr(self.tree, attr, 1 << 14), -errno.E2BIG)

    def test_list(self):
        """A list has every tree once, whatever the window."""
        for self.device.trees in 0, 1, 63, 64, 65, 128, 200:
            trees = self.opened("list", "list_open", self.ctl)
            entry = ctypes.c_void_p()
            seen = []
            while lib.list_next(trees, byref(entry)) == 1:
                seen.append(_abi.ListEntry.from_address(entry.value).id)
            self.assertEqual(seen, list(range(1, self.device.trees + 1)))
            self.assertEqual(lib.list_next(trees, byref(entry)), 0)

    def test_bpf_handle(self):
        """A tree has a number for BPF programs."""
        handle = c_uint64(7)

        def answer(address):
            self.assertEqual(Handle.from_address(address).flags, 0)
            Handle.from_address(address).handle = 1 << 32 | 5
            return 0

        self.device.others[BPF_HANDLE] = answer
        # ENOTTY: a module that is older than the ioctl.
        for error, told in (errno.EPERM, errno.EPERM), (errno.ENOTTY, errno.EOPNOTSUPP):
            self.fails(error)
            self.assertEqual(lib.bpf_handle(self.tree, byref(handle)), -told)
        self.assertEqual(handle.value, 7)
        self.assertEqual(lib.bpf_handle(self.tree, byref(handle)), 0)
        self.assertEqual(handle.value, 1 << 32 | 5)


class Numbers(LibraryTest):
    """Operations, and calls for many of them."""

    def test_operations(self):
        """Single operations write exactly what they promise."""
        for result, function, arguments, written in (
            (-errno.EEXIST, "insert", (1, 2, VALUE), 77),
            (0, "store", (1, 2, VALUE), None),
            (1, "store", (1, 2, VALUE), 77),
            (0, "replace", (1, 2, VALUE), 77),
            (-errno.ENOENT, "replace", (1, 2, VALUE), None),
            (-errno.ESTALE, "cmpxchg", (1, VALUE, 9), 77),
            (-errno.ENOENT, "cmpxchg", (1, VALUE, 9), None),
            (-errno.ENOENT, "cmperase", (1, VALUE), None),
            (-errno.ESTALE, "cmperase", (1, VALUE), 77),
            (0, "erase", (1, VALUE), 77),
            (-errno.ENOENT, "erase", (1, VALUE), None),
            (-errno.ENOENT, "get", (1, VALUE), None),
            (0, "get", (1, VALUE), 78),
            (0, "add", (1, 2, VALUE), None),
            (1, "add", (1, -2, VALUE), 77),
            (1, "add_saturate", (1, -2, VALUE), 77),
            (0, "get_or_insert", (1, VALUE), None),
            (1, "get_or_insert", (1, VALUE), 77),
        ):
            value = c_uint64(5)
            self.device.result = result
            words = [byref(value) if word is VALUE else word for word in arguments]
            self.assertEqual(getattr(lib, function)(self.tree, *words), result, function)
            asked = Op.from_buffer_copy(self.device.argument)
            opcode = {"get": "LOOKUP"}.get(function, function.upper())
            self.assertEqual((asked.opcode, asked.key), (getattr(_abi, opcode), 1))
            self.assertEqual(asked.old, 5 if "cmp" in function else 0)
            self.assertEqual(value.value, written or 5, (function, result))
        self.assertEqual(lib.store(self.tree, 1, 2, None), 1)
        for result, function, found in (
            (0, "floor", (9, 78)), (0, "ceiling", (10, 78)), (0, "pop_max", (9, 77)),
            (0, "pop_min", (10, 77)), (-errno.ENOENT, "pop_min", (3, 4)),
        ):  # fmt: skip
            entry = Entry(3, 4)
            self.device.result = result
            self.assertEqual(getattr(lib, function)(self.tree, 10, byref(entry)), result)
            self.assertEqual((entry.key, entry.value), found, function)

    def test_batch(self):
        """A batch continues after a signal, and executes no operation twice."""
        ops, done = (Op * 10)(), c_size_t(99)
        self.device.limit, self.device.idle_call = 3, 2
        self.assertEqual((lib.batch(self.tree, ops, 10, byref(done)), done.value), (0, 10))
        self.assertEqual(self.device.calls, 5)
        self.assertEqual([op.result for op in ops], 10 * [1])
        self.fails(errno.EFAULT, 3)
        self.assertEqual(lib.batch(self.tree, ops, 10, byref(done)), -errno.EFAULT)
        self.assertEqual((done.value, ops[6].result, ops[7].result), (7, 2, 1))
        self.assertEqual((lib.batch(self.tree, None, 0, byref(done)), done.value), (0, 0))

    def test_commit(self):
        """A commit is one call, and tells which operation failed."""
        ops, failed = (Op * 10)(), c_size_t(99)
        self.assertEqual((lib.commit(self.tree, ops, 10, byref(failed)), failed.value), (0, 99))
        self.assertEqual([op.result for op in ops], 10 * [1])
        self.fails(errno.ESTALE)
        self.assertEqual(lib.commit(self.tree, ops, 10, byref(failed)), -errno.ESTALE)
        self.assertEqual(failed.value, 1)
        self.fails(errno.ESTALE)
        self.assertEqual(lib.commit(self.tree, ops, 10, None), -errno.ESTALE)
        self.fails(errno.ENOSPC)
        self.assertEqual(lib.commit(self.tree, ops, 10, byref(failed)), -errno.ENOSPC)
        self.assertEqual(failed.value, 1)

    def test_load(self):
        """A load continues after a signal."""
        entries, done = (Entry * 10)(), c_size_t(99)
        self.device.limit, self.device.idle_call = 3, 2
        self.assertEqual((lib.load(self.tree, entries, 10, 100, byref(done)), done.value), (0, 10))
        self.assertEqual(self.device.calls, 5)
        self.fails(errno.EEXIST, 3)
        self.assertEqual(lib.load(self.tree, entries, 10, 100, byref(done)), -errno.EEXIST)
        self.assertEqual(done.value, 7)
        self.assertEqual((lib.load(self.tree, None, 0, 100, byref(done)), done.value), (0, 0))

    def scanned(self, flags):
        """A scan returns each key once, and tells what is left of its range."""
        scan = self.opened("scan", "scan_open", self.tree, 15, 250, flags, 4)
        first, last, entry = c_uint64(), c_uint64(), Entry()
        for key in range(250, 19, -10) if flags else range(20, 251, 10):
            self.assertEqual(lib.scan_left(scan, byref(first), byref(last)), 1)
            self.assertTrue(first.value <= key <= last.value)
            if flags:
                self.assertTrue(last.value < key + 10 and first.value == 15)
            else:
                self.assertTrue(first.value > key - 10 and last.value == 250)
            self.assertEqual(lib.scan_next(scan, byref(entry)), 1)
            self.assertEqual((entry.key, entry.value), (key, key + 1))
        self.assertEqual(lib.scan_next(scan, byref(entry)), 0)
        self.assertEqual(lib.scan_left(scan, byref(first), byref(last)), 0)

    def test_scan(self):
        """A scan returns every key once, in order, after errors too."""
        self.device.keys = range(0, 1000, 10)
        self.scanned(0)
        self.scanned(_abi.SCAN_DESC)
        self.device.limit = 1
        self.device.idle_call = self.device.calls + 5
        self.scanned(0)
        self.device.idle_call = self.device.calls + 1
        self.scanned(_abi.SCAN_DESC)
        self.refused(errno.EINVAL, "scan_open", self.tree, 5, 4, 0, 0)
        self.refused(errno.EINVAL, "scan_open", self.tree, 0, 4, 1 << 1, 0)
        scan = self.opened("scan", "scan_open", self.tree, 0, 100, 0, 1)
        entry = Entry()
        self.assertEqual((lib.scan_next(scan, byref(entry)), entry.key), (1, 0))
        self.fails(errno.EFAULT)
        self.assertEqual(lib.scan_next(scan, byref(entry)), -errno.EFAULT)
        self.assertEqual((lib.scan_next(scan, byref(entry)), entry.key), (1, 10))

    def test_stats(self):
        """Statistics have all levels of a tree that grows."""
        self.device.keys, self.device.levels = range(42), 30
        number, stats = c_size_t(99), ctypes.c_void_p()
        self.assertEqual(lib.stats_read(self.tree, 1, byref(stats)), 0)
        levels = lib.stats_levels(stats, byref(number))
        self.assertEqual(number.value, 35)
        self.assertEqual((Level * 35).from_address(levels)[34].nodes, 134)
        self.assertEqual(lib.stats_height(stats), 3)
        self.assertEqual(_abi.Stats.from_address(lib.stats_counters(stats)).entries, 42)
        lib.stats_free(stats)
        self.assertEqual(lib.stats_read(self.tree, 0, byref(stats)), 0)
        lib.stats_levels(stats, byref(number))
        self.assertEqual(number.value, 0)
        lib.stats_free(stats)
        self.refused(errno.EINVAL, "stats_read", self.tree, 8)

    def test_verify(self):
        """A report fits older and newer callers."""
        size = ctypes.sizeof(_abi.Verify)
        for asked in size + 8, size - 8:
            report = (_abi.Verify * 2)()
            ctypes.memset(report, 0xFF, 2 * size)
            self.assertEqual(lib.verify(self.tree, report, asked), 0)
            self.assertEqual(report[0].height, 4)
            self.assertEqual(bytes(report)[asked:], b"\xff" * (2 * size - asked))
            self.assertEqual(bytes(report)[size - 8 : asked], bytes(max(0, asked - size + 8)))
        self.assertEqual(lib.violation_text(0), b"ok")
        self.assertTrue(lib.violation_text(10 + 1))

    def test_range(self):
        """An operation on ranges passes as it is, and so does its answer."""

        def answer(address):
            call = RangeOp.from_address(address)
            self.assertEqual((call.op, call.flags, call.first, call.size), (3, 1, 5, 2))
            call.first, call.last = 8, 9
            return 0

        self.device.others[RANGE] = answer
        ports = RangeOp(3, 1, 5, 0, MOST, 0, 2)
        self.assertEqual(lib.range(self.tree, byref(ports)), 0)
        self.assertEqual((ports.first, ports.last), (8, 9))
        for error, told in (errno.EBUSY, errno.EBUSY), (errno.ENOTTY, errno.EOPNOTSUPP):
            self.fails(error)
            self.assertEqual(lib.range(self.tree, byref(ports)), -told)

    def test_hot_leaves(self):
        """Hot leaves are as many as the kernel writes."""

        def answer(address):
            call = HotLeaves.from_address(address)
            self.assertEqual(call.flags, 0)
            self.size = call.leaf_size
            call.count = min(call.capacity, 5)
            for i in range(call.count):
                ctypes.c_uint32.from_address(call.leaves + i * call.leaf_size).value = 5 - i
            return 0

        self.device.others[HOT_LEAVES] = answer
        leaves, known = (HotLeaf * 6)(), ctypes.sizeof(HotLeaf)
        self.assertEqual(lib.hot_leaves(self.tree, leaves, 6, known), 5)
        self.assertEqual([leaf.heat for leaf in leaves], [5, 4, 3, 2, 1, 0])
        # 8: the program knows less than the library.
        for known in known, 8:
            self.assertEqual(lib.hot_leaves(self.tree, leaves, 2, known), 2)
            self.assertEqual(self.size, known)
        for error, told in (errno.EINVAL, errno.EINVAL), (errno.ENOTTY, errno.EOPNOTSUPP):
            self.fails(error)
            self.assertEqual(lib.hot_leaves(self.tree, leaves, 1, known), -told)
