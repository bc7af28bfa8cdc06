# SPDX-License-Identifier: GPL-2.0
"""Watches of trees: needs the module."""

import errno
import pathlib
import pickle
import random
import select
import threading
import time
import unittest
from unittest import mock

import blinktree
from blinktree import _abi

DEVICE = pathlib.Path("/dev/blink_tree")


def tuples(changes):
    """Changes without their positions."""
    return [tuple(change)[1:] for change in changes]


def apply(copy, change):
    """Do to a dict what was done to the tree."""
    if change.kind in ("insert", "update"):
        copy[change.key] = change.value
        return
    for key in [key for key in copy if change.key <= key <= change.last]:
        del copy[key]


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
@unittest.skipUnless(blinktree.Watch.usable(), "watches need a Python for x86-64")
class Watches(unittest.TestCase):
    """What a watch tells, and when."""

    def setUp(self):
        self.tree = blinktree.create()
        self.addCleanup(self.tree.close)

    def test_changes(self):
        """Each change has a record, in order, and positions begin with 0."""
        self.tree[1] = 10
        with self.tree.watch() as watch:
            self.assertEqual((watch.position, watch.head, watch.read()), (0, 0, []))
            self.tree[1] = 11
            self.tree[2] = 20
            del self.tree[2]
            changes = watch.read()
            self.assertEqual(
                tuples(changes),
                [
                    ("update", 1, 1, 11, 10),
                    ("insert", 2, 2, 20, 0),
                    ("erase", 2, 2, 0, 20),
                ],
            )
            self.assertEqual([change.position for change in changes], [0, 1, 2])
            self.assertEqual((watch.position, watch.head), (3, 3))

    def test_erased_range(self):
        """An erased range is a change of each leaf."""
        with self.tree.watch() as watch:
            self.tree.load((n, n) for n in range(1000))
            self.assertEqual(len(watch.read(2000)), 1000)
            self.tree.erase_range(100, 899)
            copy = dict.fromkeys(range(1000))
            changes = watch.read()
            self.assertLess(len(changes), 200)
            for change in changes:
                apply(copy, change)
            self.assertEqual(sorted(copy), [*range(100), *range(900, 1000)])

    def test_range(self):
        """Keys outside of the bounds are not told."""
        with self.tree.watch(10, 20, slots=64) as watch:
            for key in (9, 10, 20, 21):
                self.tree[key] = 1
            self.assertEqual([change.key for change in watch.read()], [10, 20])

    def test_kinds_of_keys(self):
        """Keys of 128 bits are numbers, those of pairs are pairs."""
        low, high = 5, 1 << 100 | 7
        with blinktree.create(key="u128") as tree, tree.watch(6, high) as watch:
            tree[low] = tree[high] = tree[high + 1] = 3
            self.assertEqual(tuples(watch.read()), [("insert", high, high, 3, 0)])
        with blinktree.create(key="multi") as pairs, pairs.watch(2, 2) as watch:
            for pair in ((1, 2**64 - 1), (2, 0), (2, 2**64 - 1), (3, 0)):
                pairs.add(pair)
            last = (2, 2**64 - 1)
            self.assertEqual([change.key for change in watch.read()], [(2, 0), last])

    def test_overrun(self):
        """Missed changes are told once; the watch goes on from then."""
        with self.tree.watch(slots=64) as watch:
            self.tree.update((n, n) for n in range(64))
            self.assertEqual(len(watch.read()), 64)
            self.tree.update((n, n + 1) for n in range(65))
            with self.assertRaises(blinktree.Overrun):
                watch.read()
            self.assertEqual((watch.position, watch.read()), (129, []))
            self.tree[7] = 70
            self.assertEqual(tuples(watch.read()), [("update", 7, 7, 70, 8)])

    def test_the_tree_itself(self):
        """Records without a key tell of the tree: it is full, and its name goes."""
        with blinktree.create("py.watch", max_entries=1) as tree, tree.watch(100) as watch:
            tree[1] = 1
            for key in (2, 3):
                with self.assertRaises(OSError):
                    tree[key] = 1
            blinktree.unlink("py.watch")
            self.assertEqual(
                tuples(watch.read()),
                [
                    ("refused", None, None, errno.ENOSPC, 0),
                    ("unlinked", None, None, 0, 0),
                ],
            )
            self.assertFalse(watch.ended)
            self.assertFalse(watch.wait(0))

    def test_unknown_records(self):
        """Records of the tree that this package does not know are skipped."""
        known = {_abi.CHANGE_UNLINKED: "unlinked"}
        with blinktree.create("py.watch", max_entries=1) as tree, tree.watch() as watch:
            tree[1] = 1
            self.assertRaises(OSError, tree.insert, 2, 1)
            blinktree.unlink("py.watch")
            with mock.patch("blinktree._watch._EVENTS", known):
                self.assertEqual([change.kind for change in watch.read()], ["insert", "unlinked"])

    def test_exception(self):
        """An exception while changes are read loses none of them."""
        with self.tree.watch() as watch:
            self.tree.update({1: 10, 2: 20})
            change = watch._change

            def interrupted(words):
                if words[2] == 2:
                    raise KeyboardInterrupt
                return change(words)

            with mock.patch.object(watch, "_change", interrupted):
                self.assertRaises(KeyboardInterrupt, watch.read)
            self.assertEqual([change.value for change in watch.read()], [10, 20])

    def test_end(self):
        """Without name and descriptor no change comes: an iteration ends."""
        with blinktree.create("py.watch") as tree:
            watch = tree.watch()
        self.addCleanup(watch.close)
        self.assertFalse(watch.ended)
        tree = blinktree.open("py.watch")
        blinktree.unlink("py.watch")

        def change_and_close():
            tree[7] = 70
            tree.close()

        writer = threading.Timer(0.1, change_and_close)
        writer.start()
        changes = [(change.position, change.kind, change.key) for change in watch]
        self.assertEqual(changes, [(0, "unlinked", None), (1, "insert", 7)])
        self.assertTrue(watch.ended)
        self.assertEqual((watch.wait(), watch.wait(5), watch.read()), (False, False, []))
        writer.join()

    def test_wait(self):
        """A watch waits for a change, and not longer than it shall."""
        with self.tree.watch() as watch:
            begin = time.monotonic()
            self.assertFalse(watch.wait(0.2))
            self.assertGreaterEqual(time.monotonic() - begin, 0.19)
            writer = threading.Timer(0.3, self.tree.insert, (1, 2))
            writer.start()
            self.assertTrue(watch.wait())
            self.assertTrue(watch.wait(0))
            self.assertEqual(watch.read(0), [])
            self.assertEqual(select.select([watch], [], [], 0)[0], [watch])
            self.assertEqual(len(watch.read()), 1)
            self.assertEqual(watch.read(), [])
            self.assertEqual(select.select([watch], [], [], 0)[0], [])
            self.assertFalse(watch.wait(0))
            self.tree[1] = 3
            self.assertEqual(select.select([watch], [], [], 10)[0], [watch])
            writer.join()

    def test_copy_under_load(self):
        """A copy is equal to the tree, whoever wrote, and also after overruns."""
        done = threading.Event()

        def write(seed):
            numbers = random.Random(seed)
            for _ in range(3000):
                key = numbers.randrange(500)
                if numbers.random() < 0.6:
                    self.tree[key] = numbers.randrange(2**64)
                else:
                    self.tree.pop(key, None)

        writers = [threading.Thread(target=write, args=(seed,)) for seed in range(4)]
        copy, overruns = {}, 0
        with self.tree.watch(slots=64) as watch:
            for writer in writers:
                writer.start()
            while not done.is_set() or watch.head > watch.position:
                if not any(writer.is_alive() for writer in writers):
                    done.set()
                try:
                    for change in watch.read():
                        apply(copy, change)
                except blinktree.Overrun:
                    overruns += 1
                    copy = dict(self.tree.items())
            self.assertGreater(watch.position, 5000)
        self.assertEqual(copy, dict(self.tree.items()))

    def test_iteration(self):
        """An iteration goes on by itself."""
        with self.tree.watch() as watch:
            writer = threading.Thread(target=lambda: [self.tree.insert(n, n) for n in range(100)])
            writer.start()
            keys = []
            for change in watch:
                keys.append(change.key)
                if change.key == 99:
                    break
            self.assertEqual(keys, list(range(100)))
            writer.join()

    def test_iteration_that_ends_early(self):
        """The changes that it has not given are still to be read."""
        with self.tree.watch() as watch:
            self.tree.update((n, n) for n in range(100))
            self.assertEqual(next(change.key for change in watch if change.key == 3), 3)
            self.assertEqual(watch.position, 4)
            self.assertEqual([change.key for change in watch.read()], list(range(4, 100)))

    def test_long_timeouts(self):
        """A program can wait for years; poll() by itself cannot."""
        for key, seconds in enumerate((1e9, float("inf"))):
            with self.tree.watch() as watch:
                writer = threading.Timer(0.1, self.tree.insert, (key, 1))
                writer.start()
                self.assertTrue(watch.wait(seconds))
                writer.join()

    def test_errors(self):
        """Trees that cannot be watched, limits, and what no watch can do."""
        for kind in ({"key": "bytes"}, {"value": "bytes"}):
            with blinktree.create(**kind) as tree, self.assertRaises(OSError) as caught:
                tree.watch()
            self.assertEqual(caught.exception.errno, errno.EOPNOTSUPP)
        for bad in ({"slots": 100}, {"minimum": 2, "maximum": 1}):
            with self.assertRaises(OSError) as caught:
                self.tree.watch(**bad)
            self.assertEqual(caught.exception.errno, errno.EINVAL)
        for bad, error in ((-1, OverflowError), (2**64, OverflowError), ("1", TypeError)):
            with self.assertRaises(error):
                self.tree.watch(bad)
        with self.assertRaises(OverflowError):
            self.tree.watch(slots=-1)
        watches = [self.tree.watch() for _ in range(8)]
        with self.assertRaises(OSError) as caught:
            self.tree.watch()
        self.assertEqual(caught.exception.errno, errno.EUSERS)
        for watch in watches:
            watch.close()
        with self.tree.watch() as watch, self.assertRaises(TypeError):
            pickle.dumps(watch)
        for call in (watch.read, watch.wait, watch.fileno, watch.__enter__):
            self.assertRaises(ValueError, call)
        watch.close()

    def test_other_processors(self):
        """Where loads have no order, there are no watches."""
        with mock.patch("platform.machine", return_value="aarch64"):
            self.assertRaises(NotImplementedError, self.tree.watch)
