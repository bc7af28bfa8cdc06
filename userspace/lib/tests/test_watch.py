# SPDX-License-Identifier: GPL-2.0
"""Reading the ring of a watch, over a ring that is made up."""

import ctypes
import errno
import mmap
import os
from ctypes import byref, c_uint64

from blinktree import _abi
from library import MOST, LibraryTest, lib, null, structure

SLOTS = 64
# As the kernel has it: a later one may have larger records at another place.
SIZE, BEGIN = ctypes.sizeof(_abi.Change) + 64, ctypes.sizeof(_abi.WatchRing) + 64
Slot = structure("Slot", f"uint8 bytes*{SIZE}")


class Watches(LibraryTest):
    """A ring, and a watch of it."""

    def setUp(self):
        super().setUp()
        self.memory = os.memfd_create("ring")
        self.addCleanup(os.close, self.memory)
        os.ftruncate(self.memory, BEGIN + SLOTS * SIZE)
        self.map = mmap.mmap(self.memory, BEGIN + SLOTS * SIZE)
        self.ring = _abi.WatchRing.from_buffer(self.map)
        self.ring.records, self.ring.record_size, self.ring.slots = BEGIN, SIZE, SLOTS
        self.device.others[_abi.Watch.NUMBER] = lambda _: os.dup(self.memory)
        self.watch = self.opened("watch", "watch_open", self.tree, None)

    def slot(self, position):
        """The record of a position."""
        return _abi.Change.from_buffer(self.map, BEGIN + position % SLOTS * SIZE)

    def put(self, count=1):
        """Write records, as the kernel does: the key of each is its position."""
        for _ in range(count):
            at = self.ring.head
            self.ring.head += 1
            change = self.slot(at)
            change.op, change.key, change.last = _abi.CHANGE_UPDATE, at, at
            change.value, change.old, change.seq = at + 1, at + 2, 2 * at + 2

    def position(self):
        """The positions of the watch and of the head."""
        head = c_uint64()
        return lib.watch_position(self.watch, byref(head)), head.value

    def read_all(self, part=SLOTS):
        """Read all that there is, in parts. Returns the number, or the error."""
        changes = (_abi.Change * SLOTS)()
        at = begin = lib.watch_position(self.watch, None)
        while (number := lib.watch_read(self.watch, changes, part)) > 0:
            for change in changes[:number]:
                self.assertEqual(
                    (change.op, change.seq, change.key, change.last, change.value, change.old),
                    (_abi.CHANGE_UPDATE, 2 * at + 2, at, at, at + 1, at + 2),
                )
                at += 1
        return number or at - begin

    def test_open(self):
        """A watch is opened for a range, or for all keys."""
        # ENOTTY: a module that is older than the ioctl.
        for error, told in (errno.EUSERS, errno.EUSERS), (errno.ENOTTY, errno.EOPNOTSUPP):
            self.fails(error)
            self.refused(told, "watch_open", self.tree, None)
        self.opened("watch", "watch_open", self.tree, None)
        wanted = _abi.Watch(last=MOST, last_low=MOST)
        self.assertEqual(self.device.argument, bytes(wanted))
        options = _abi.Watch(slots=SLOTS, first=3, last=4)
        self.opened("watch", "watch_open", self.tree, byref(options))
        self.assertEqual(self.device.argument, bytes(options))
        lib.watch_close(None)

    def test_order(self):
        """Changes come in order, over the end of the ring."""
        self.assertEqual(lib.watch_read(self.watch, (_abi.Change * 1)(), 0), -errno.EINVAL)
        self.assertEqual(self.read_all(1), 0)
        self.put(10)
        self.assertEqual(lib.watch_wait(self.watch, 0), 1)
        self.assertEqual(self.read_all(3), 10)
        self.put(SLOTS)
        self.assertEqual(self.read_all(), SLOTS)
        self.assertEqual(self.position(), (10 + SLOTS, 10 + SLOTS))

    def overrun(self):
        """Each overrun is told once, and the watch goes on at the head."""
        self.assertEqual(self.read_all(), -errno.EOVERFLOW)
        self.assertEqual(self.position(), (self.ring.head, self.ring.head))
        self.assertEqual(self.read_all(), 0)
        self.put()
        self.assertEqual(self.read_all(), 1)

    def test_lap(self):
        """A watch that is a lap behind has missed changes."""
        self.put(SLOTS + 1)
        self.overrun()

    def test_lost(self):
        """A record that was never written is missed: its writer found the slot in use."""
        self.put(SLOTS)
        self.assertEqual(self.read_all(), SLOTS)
        self.ring.head += 1
        self.ring.lost = self.ring.head
        self.overrun()

    def test_busy(self):
        """A slot in which a writer is busy has no record: a later one is being written."""
        self.put()
        self.slot(0).seq += 2 * SLOTS - 1
        self.overrun()

    def test_end(self):
        """A watch of a tree that cannot change is over, as a pipe without writers is."""
        self.put()
        empty = null()
        os.dup2(empty, lib.watch_fd(self.watch))
        os.close(empty)
        self.assertEqual(lib.watch_wait(self.watch, -1), 1)
        self.assertEqual(self.read_all(1), 1)
        for timeout in -1, 0:
            self.assertEqual(lib.watch_wait(self.watch, timeout), -errno.EPIPE)
            self.assertEqual(self.read_all(1), 0)
