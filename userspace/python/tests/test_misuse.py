# SPDX-License-Identifier: GPL-2.0
"""Arguments of unusual types, and operations that are easy to get wrong: needs the module."""

import array
import ctypes
import pathlib
import threading
import unittest
from unittest import mock

import blinktree

DEVICE = pathlib.Path("/dev/blink_tree")


class Number:
    """An integer of another type, such as those of NumPy are."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Entry(ctypes.Structure):
    """A key and its value."""

    _fields_ = (("key", ctypes.c_uint64), ("value", ctypes.c_uint64))


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Numbers(unittest.TestCase):
    """Whatever Python takes for an integer is one."""

    def setUp(self):
        self.tree = blinktree.create()
        self.addCleanup(self.tree.close)

    def test_other_integers(self):
        """They are keys, values, bounds and options."""
        self.tree[Number(3)] = Number(4)
        self.assertEqual(self.tree[3], 4)
        self.assertEqual(list(self.tree.irange(Number(1), Number(3))), [3])
        found = array.array("Q", bytes(16))
        self.assertEqual(self.tree.read_into(found, Number(3), Number(3)), 1)
        self.assertEqual(self.tree.load({Number(5): 6}, Number(50)), 1)
        with self.tree.watch(Number(1), slots=Number(64)) as watch:
            self.assertEqual(watch.read(), [])
        with blinktree.create(max_entries=Number(7)) as tree:
            self.assertEqual(tree.stats()["max_entries"], 7)

    def test_what_is_none(self):
        """Text and fractions raise TypeError, wherever they are."""
        for wrong in ("1", 1.0):
            for call in (
                lambda wrong=wrong: self.tree.read_into(bytearray(16), wrong),
                lambda wrong=wrong: self.tree.load({1: 1}, wrong),
                lambda wrong=wrong: self.tree.watch(slots=wrong),
                lambda wrong=wrong: self.tree.get(wrong),
                lambda wrong=wrong: blinktree.create(max_bytes=wrong),
                lambda wrong=wrong: blinktree.create("py.wrong", mode=wrong),
            ):
                self.assertRaises(TypeError, call)

    def test_prefix(self):
        """A number is no prefix: bytes(5) would be five zeros."""
        self.tree[1] = 1
        for wrong in (5, "ab", None, [0]):
            self.assertRaises(TypeError, self.tree.prefix, wrong)
        self.assertEqual(list(self.tree.prefix(memoryview(bytes(7)))), [(1, 1)])

    def test_flags(self):
        """An option that is true sets its own flag only."""
        with blinktree.create(compress=2) as tree:
            self.assertEqual(tree.value_kind, "u64")

    def test_descriptor(self):
        """A tree is no descriptor, though it has one."""
        for take in (blinktree.from_fd, blinktree.Tree):
            self.assertRaises(TypeError, take, self.tree)
            self.assertRaises(ValueError, take, -1)
            self.assertRaises(ValueError, take, self.tree.fileno() + (1 << 32))
        self.assertEqual(len(self.tree), 0)


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Buffers(unittest.TestCase):
    """Only what has the layout of the elements is read and written."""

    def setUp(self):
        self.tree = blinktree.create()
        self.addCleanup(self.tree.close)

    def test_elements(self):
        """Numbers of 64 bits in one or two dimensions, bytes, and structures."""
        words = (ctypes.c_uint64 * 4)(1, 10, 2, 20)
        structures = (Entry * 2)((3, 30), (4, 40))
        matrix = memoryview(array.array("Q", (5, 50, 6, 60))).cast("B").cast("Q", (2, 2))
        for entries in (words, structures, matrix, bytearray(16), memoryview(b"")):
            self.assertEqual(self.tree.load_buffer(entries), memoryview(entries).nbytes // 16)
        for found in (words, structures, matrix):
            self.assertEqual(self.tree.read_into(found, 5), 2)
            self.assertEqual(bytes(found), bytes(array.array("Q", (5, 50, 6, 60))))

    def test_other_elements(self):
        """Fractions, and numbers with a sign or of another size, would be misread."""
        for code in "dfiIqlhH":
            wrong = array.array(code, [0] * 8)
            for call in (self.tree.load_buffer, self.tree.read_into, self.tree.execute):
                self.assertRaises(TypeError, call, wrong)
        structures = (Entry * 4)()
        self.assertRaises(TypeError, self.tree.execute, structures)
        self.assertEqual(len(self.tree), 0)

    def test_gaps(self):
        """A buffer with gaps has not all its memory for itself."""
        words = memoryview(array.array("Q", range(16)))
        for call in (self.tree.load_buffer, self.tree.read_into, self.tree.execute):
            self.assertRaises(ValueError, call, words[::2])
        self.assertEqual(list(words), list(range(16)))


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Many(unittest.TestCase):
    """Calls with many keys of which one is none."""

    def test_before_the_wrong_one(self):
        """Those before it are executed, and none behind it."""
        good, wrong = [(1, 1), (2, 2)], [("x", 3), (4, 4)]
        with blinktree.create() as tree:
            self.assertRaises(TypeError, tree.update, good + wrong)
            self.assertEqual(dict(tree), dict(good))
            self.assertRaises(TypeError, tree.erase_many, [1, "x", 2])
            self.assertEqual(dict(tree), {2: 2})
            self.assertRaises(TypeError, tree.load, [(5, 5), (6, 6), *wrong])
            self.assertEqual(dict(tree), {2: 2, 5: 5, 6: 6})
        with blinktree.create(key="multi") as pairs:
            self.assertRaises(TypeError, pairs.update, good + wrong)
            self.assertEqual(set(pairs), set(good))

    def test_before_an_exception(self):
        """An iterator that raises is such a one, whatever it raises."""

        def entries(error):
            yield 7, 8
            raise error

        for error in (RuntimeError, KeyboardInterrupt):
            with blinktree.create() as tree:
                self.assertRaises(error, tree.update, entries(error))
                self.assertEqual(dict(tree), {7: 8})


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Views(unittest.TestCase):
    """keys(), values() and items() of a tree that others change."""

    def test_values(self):
        """A key that another process removes meanwhile is no error."""
        with blinktree.create() as tree:
            tree.update((n, n * n) for n in range(100))
            with mock.patch.object(blinktree.Tree, "__getitem__", side_effect=KeyError):
                self.assertIn(81, tree.values())
                self.assertNotIn(82, tree.values())

    def test_writing_only(self):
        """A tree that is open for writing only reveals no former value."""
        with blinktree.create("py.write", key="u128") as tree:
            tree.update({1: 10, 2: 20})
        with blinktree.open("py.write", "w") as tree:
            self.assertEqual((tree.pop(1), tree.replace(2, 21), tree.insert(2, 22)), (0, 0, False))
            self.assertEqual((tree.add(2, 3), tree.add(3, 3)), (0, 3))
            with self.assertRaises(OSError):
                tree.get(2)
        with blinktree.open("py.write", "r") as tree:
            self.assertEqual(dict(tree), {2: 24, 3: 3})
        blinktree.unlink("py.write")


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Sets(unittest.TestCase):
    """Pairs is a set of lists and of tuples, and threads share it."""

    def setUp(self):
        self.pairs = blinktree.create(key="multi")
        self.addCleanup(self.pairs.close)

    def test_lists(self):
        """A pair is whatever has two parts, also where it is looked for."""
        self.pairs.add([7, 8])
        self.assertIn([7, 8], self.pairs)
        self.pairs.remove([7, 8])
        self.assertNotIn([7, 8], self.pairs)

    def test_pop(self):
        """Each pair is given to one thread, in their order."""
        self.pairs.clear()
        self.pairs |= ((n % 7, n) for n in range(2000))
        taken = [[] for _ in range(4)]

        def take(to):
            while True:
                try:
                    to.append(self.pairs.pop())
                except KeyError:
                    return

        threads = [threading.Thread(target=take, args=(to,)) for to in taken]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(to == sorted(to) for to in taken))
        everything = sorted(pair for to in taken for pair in to)
        self.assertEqual(everything, sorted((n % 7, n) for n in range(2000)))
