# SPDX-License-Identifier: GPL-2.0
"""Ranges of keys with one value each, compared with a list of values: needs the module."""

import errno
import itertools
import pathlib
import random
import threading
import unittest

import blinktree
from blinktree import Range

DEVICE = pathlib.Path("/dev/blink_tree")
# Keys of a model are so many: at the begin of all, at their end, or across two halves.
WIDTH = 40
GREATEST = {"u64": 2**64 - 1, "u128": 2**128 - 1}
BASES = {
    "u64": (0, 2**64 - WIDTH),
    "u128": (0, 2**64 - WIDTH // 2, 2**128 - WIDTH),
}


def runs(values):
    """Where equal values begin and end, and which they are."""
    at = 0
    for value, group in itertools.groupby(values):
        end = at + len(list(group))
        yield at, end - 1, value
        at = end


class Model:
    """The values of some keys, from a base on; all others are in a hole."""

    def __init__(self, base, greatest):
        self.base = base
        self.greatest = greatest
        self.values = [0] * WIDTH

    def ranges(self, holes=False):
        """All ranges, in their order; with holes these, too."""
        begin, end = self.base, self.greatest - self.base - WIDTH + 1
        found = [(first + begin, last + begin, value) for first, last, value in runs(self.values)]
        if found[0][2]:
            found.insert(0, (begin, begin - 1, 0))
        if found[-1][2]:
            found.append((begin + WIDTH, begin + WIDTH - 1, 0))
        found[0] = (0, *found[0][1:])
        found[-1] = (found[-1][0], found[-1][1] + end, 0)
        return [Range(*one) for one in found if (one[2] or holes) and one[0] <= one[1]]

    def gap(self, size, first, last, highest):
        """The keys of a gap, or None."""
        places = range(first, last - size + 2)
        for place in reversed(places) if highest else places:
            if not any(self.values[place : place + size]):
                return place
        return None


class OfNumbers:
    """What ranges of one kind of keys do: a part of a unittest.TestCase."""

    kind = ""

    def setUp(self):
        self.tree = blinktree.create(key=self.kind)
        self.addCleanup(self.tree.close)
        self.ranges = self.tree.ranges

    def test_random(self):
        """All calls at random."""
        for seed, base in enumerate(BASES[self.kind]):
            self.tree.clear()
            model = Model(base, GREATEST[self.kind])
            choice = random.Random(seed)
            for _ in range(400):
                self.change(choice, model)
                self.look(choice, model)
            self.assertEqual(list(self.ranges), model.ranges())
            self.assertEqual(list(reversed(self.ranges)), model.ranges()[::-1])
            self.assertEqual(bool(self.ranges), any(model.values))

    def change(self, choice, model):
        """One change at random."""
        low, high = sorted(choice.choices(range(WIDTH), k=2))
        first, last, value = model.base + low, model.base + high, choice.randrange(1, 4)
        size, highest = choice.randrange(1, 5), choice.random() < 0.5
        what = choice.randrange(4)
        if what == 0:
            self.ranges.store(first, last, value, parts=highest)
        elif what == 1:
            self.ranges.erase(first, last, parts=highest)
            value = 0
        elif what == 2:
            free = not any(model.values[low : high + 1])
            self.assertEqual(self.ranges.insert(first, last, value), free)
            if not free:
                return
        else:
            found = self.ranges.alloc(size, value, first, last, highest)
            low = model.gap(size, low, high, highest)
            if low is None:
                self.assertIsNone(found)
                return
            high = low + size - 1
            self.assertEqual(found, (model.base + low, model.base + high, value))
        model.values[low : high + 1] = [value] * (high + 1 - low)

    def look(self, choice, model):
        """One key at random."""
        at = choice.randrange(WIDTH)
        key = model.base + at
        (here,) = (one for one in model.ranges(True) if one.first <= key <= one.last)
        self.assertEqual(self.ranges.lookup(key), here)
        self.assertEqual(key in self.ranges, bool(here.value))
        if here.value:
            self.assertEqual(self.ranges[key], here.value)
        else:
            self.assertRaises(KeyError, lambda: self.ranges[key])
        after = [one for one in model.ranges() if one.last >= key]
        before = [one for one in model.ranges() if one.first <= key]
        self.assertEqual(self.ranges.next(key), after[0] if after else None)
        self.assertEqual(self.ranges.prev(key), before[-1] if before else None)
        size, highest = choice.randrange(1, 5), choice.random() < 0.5
        place = model.gap(size, at, WIDTH - 1, highest)
        found = self.ranges.gap(size, key, model.base + WIDTH - 1, highest)
        if place is None:
            self.assertIsNone(found)
        else:
            place += model.base
            self.assertEqual(found, (place, place + size - 1, 0))

    def test_all_keys(self):
        """Without bounds a gap is among all keys, and a range can have them all."""
        greatest = GREATEST[self.kind]
        self.assertEqual(self.ranges.gap(greatest), (0, greatest - 1, 0))
        self.assertEqual(self.ranges.gap(greatest, highest=True), (1, greatest, 0))
        self.assertEqual(self.ranges.alloc(1, 5, highest=True), (greatest, greatest, 5))
        self.ranges.store(0, greatest, 5)
        self.assertEqual(list(self.ranges), [(0, greatest, 5)])
        self.assertEqual(list(reversed(self.ranges)), [(0, greatest, 5)])
        self.assertIsNone(self.ranges.gap(1))
        self.assertIsNone(self.ranges.alloc(1, 1))

    def test_parts(self):
        """A range that loses too many others is stored in parts only."""
        self.tree.update((4 * n, n % 2) for n in range(1, 20000))
        before = list(self.ranges)
        with self.assertRaises(OSError) as caught:
            self.ranges.store(2, 70001, 7)
        self.assertEqual(caught.exception.errno, errno.E2BIG)
        self.assertNotIsInstance(caught.exception, blinktree.PartsError)
        self.assertEqual(list(self.ranges), before)
        self.ranges.store(2, 70001, 7, parts=True)
        self.assertEqual(self.ranges.next(0), (2, 70001, 7))
        self.ranges.erase(0, 70001, parts=True)
        self.assertEqual(self.ranges.next(0).first, 70004)

    def test_refused(self):
        """Arguments that have no meaning change nothing."""
        greatest = GREATEST[self.kind]
        ranges = self.ranges
        for call in (
            lambda: ranges.store(5, 4, 1),
            lambda: ranges.insert(1, 2, 0),
            lambda: ranges.alloc(1, 0),
            lambda: ranges.gap(0),
            lambda: ranges.gap(1, 5, 4),
        ):
            with self.assertRaises(OSError) as caught:
                call()
            self.assertEqual(caught.exception.errno, errno.EINVAL)
        for wrong in (-1, greatest + 1):
            for call in (
                lambda wrong=wrong: ranges.store(wrong, wrong, 1),
                lambda wrong=wrong: ranges.lookup(wrong),
                lambda wrong=wrong: ranges.gap(wrong),
                lambda wrong=wrong: ranges.gap(1, 0, wrong),
            ):
                self.assertRaises(OverflowError, call)
            self.assertNotIn(wrong, ranges)
        self.assertRaises(OverflowError, ranges.store, 1, 1, 2**64)
        self.assertRaises(OverflowError, ranges.alloc, 1, -1)
        for wrong in ("a", None, 1.0, b"a"):
            self.assertRaises(TypeError, ranges.lookup, wrong)
            self.assertRaises(TypeError, ranges.store, 1, wrong, 1)
            self.assertRaises(TypeError, ranges.gap, wrong)
            self.assertNotIn(wrong, ranges)
        self.assertEqual(len(self.tree), 0)

    def test_boundaries(self):
        """Other calls find an entry for each boundary."""
        self.ranges.store(10, 19, 7)
        self.ranges.store(20, 29, 8)
        self.assertEqual(dict(self.tree), {10: 7, 20: 8, 30: 0})


def _of_numbers(kind):
    one = type(kind, (OfNumbers, unittest.TestCase), {"kind": kind})
    return unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")(one)


U64 = _of_numbers("u64")
U128 = _of_numbers("u128")


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Others(unittest.TestCase):
    """Trees without ranges, descriptors, and threads."""

    def test_other_kinds(self):
        """Keys and values that are strings have no ranges."""
        for options in ({"key": "bytes"}, {"value": "bytes"}):
            with blinktree.create(**options) as tree:
                for call in (
                    lambda ranges=tree.ranges: ranges.store(1, 2, 3),
                    lambda ranges=tree.ranges: list(ranges),
                    lambda ranges=tree.ranges: ranges.gap(1),
                ):
                    with self.assertRaises(OSError) as caught:
                        call()
                    self.assertEqual(caught.exception.errno, errno.EOPNOTSUPP)

    def test_access(self):
        """What a descriptor permits, and a tree that is closed."""
        blinktree.create("py.ranges").close()
        self.addCleanup(blinktree.unlink, "py.ranges")
        with blinktree.open("py.ranges", "w") as tree:
            tree.ranges.store(1, 5, 7)
            for call in (lambda: tree.ranges[1], lambda: tree.ranges.insert(8, 9, 1)):
                with self.assertRaises(OSError) as caught:
                    call()
                self.assertEqual(caught.exception.errno, errno.EBADF)
        with blinktree.open("py.ranges", "r") as tree:
            ranges = tree.ranges
            self.assertEqual(list(ranges), [(1, 5, 7)])
            with self.assertRaises(blinktree.PartsError) as caught:
                ranges.store(2, 3, 1, parts=True)
            self.assertEqual((caught.exception.errno, caught.exception.rest), (errno.EBADF, 2))
        self.assertRaises(ValueError, ranges.lookup, 1)

    def test_limits(self):
        """A tree without room for the boundaries."""
        with blinktree.create(max_entries=3) as tree:
            tree.ranges.store(1, 2, 7)
            with self.assertRaises(OSError) as caught:
                tree.ranges.store(4, 5, 7)
            self.assertEqual(caught.exception.errno, errno.ENOSPC)
            self.assertEqual(list(tree.ranges), [(1, 2, 7)])

    def test_threads(self):
        """No key is given to two threads."""
        given = [[] for _ in range(4)]
        with blinktree.create() as tree:

            def take(owner, to):
                while (found := tree.ranges.alloc(3, owner, 100, 1599)) is not None:
                    to.append(found)

            threads = [threading.Thread(target=take, args=one) for one in enumerate(given, 1)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            everything = sorted(one.first for to in given for one in to)
            self.assertEqual(everything, list(range(100, 1600, 3)))
