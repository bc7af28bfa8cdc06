# SPDX-License-Identifier: GPL-2.0
"""Trees of all kinds, compared with a dict: needs the module."""

import array
import contextlib
import errno
import ipaddress
import itertools
import os
import pathlib
import pickle
import random
import signal
import struct
import threading
import typing
import unittest
from unittest import mock

import blinktree

DEVICE = pathlib.Path("/dev/blink_tree")

# How a key and a value are made from a small number, in the same order.
KEYS = {
    "u64": lambda n: n << 48 | n,
    "u128": lambda n: n << 64 | 5,
    "bytes": lambda n: b"" if not n else b"%05d" % n + bytes(n % 40),
}
VALUES = {
    "u64": lambda n: n * 0x9E3779B97F4A7C15 & 2**64 - 1,
    "bytes": lambda n: b"%d" % n * (n % 90),
}


@contextlib.contextmanager
def errno_is(test, number):
    """The block raises OSError with this errno."""
    with test.assertRaises(OSError) as caught:
        yield caught
    test.assertEqual(caught.exception.errno, number)


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Device(unittest.TestCase):
    """Names and descriptors."""

    def test_names(self):
        """A tree is created, listed, opened and unlinked by its name."""
        with blinktree.create("py.names", key="u128", value="bytes") as tree:
            tree[3] = b"three"
            with errno_is(self, errno.EEXIST):
                blinktree.create("py.names")
            (listed,) = [tree for tree in blinktree.trees() if tree.name == "py.names"]
            self.assertEqual((listed.key_kind, listed.value_kind), ("u128", "bytes"))
            self.assertEqual(listed.entries, 1)
        with blinktree.open("py.names", "r") as tree:
            self.assertEqual((tree.name, tree[3]), ("py.names", b"three"))
            with errno_is(self, errno.EBADF):
                tree[3] = b""
        blinktree.unlink("py.names")
        with errno_is(self, errno.ENOENT):
            blinktree.open("py.names")

    def test_later_kinds(self):
        """A kind of a later module spoils no list, and opens no tree."""
        kinds = {0: blinktree._kinds.KEYS[0]}
        blinktree.create("py.later", key="u128").close()
        self.addCleanup(blinktree.unlink, "py.later")
        with mock.patch.dict(blinktree._kinds.KEYS, kinds, clear=True):
            (listed,) = [tree for tree in blinktree.trees() if tree.name == "py.later"]
            self.assertEqual(listed.key_kind, "unknown 1")
            self.assertRaises(NotImplementedError, blinktree.open, "py.later")

    def test_many_names(self):
        """More trees than one call lists."""
        names = [f"py.{n:03}" for n in range(150)]
        trees = [blinktree.create(name) for name in names]
        listed = [tree.name for tree in blinktree.trees()]
        for tree in trees:
            blinktree.unlink(tree.name)
            tree.close()
        self.assertEqual([name for name in listed if name in set(names)], names)

    def test_refused(self):
        """What has no meaning says what would have one."""
        for options in ({"key": "u32"}, {"value": "str"}, {"locking": "none"}):
            with self.assertRaises(ValueError):
                blinktree.create(**options)
        for name in ("x" * 64, "a\0b"):
            with self.assertRaises(ValueError):
                blinktree.create(name)
        with self.assertRaises(ValueError):
            blinktree.open("")
        with errno_is(self, errno.EINVAL):
            blinktree.create("-")
        for options in ({"max_entries": -1}, {"max_bytes": 2**64}):
            with self.assertRaises(OverflowError):
                blinktree.create(**options)
        with self.assertRaises(OSError):
            blinktree.from_fd(0)

    def test_info(self):
        """It tells what the module can do."""
        self.assertGreater(blinktree.info()["leaf_slots"], 3)

    def test_closed(self):
        """A closed tree says so, and is closed once."""
        tree = blinktree.create()
        with tree:
            tree[1] = 1
        tree.close()
        self.assertTrue(tree.closed)
        with self.assertRaises(ValueError):
            tree.get(1)
        with self.assertRaises(ValueError), tree:
            pass

    def test_ownership(self):
        """A descriptor that no tree took over stays open."""
        with blinktree.create() as tree:
            with self.assertRaises(TypeError):
                blinktree.Pairs(tree.fileno())
            self.assertIn("u64:u64", repr(tree))
            self.assertIsNone(tree.get(1))
        read, write = os.pipe()
        for wrong in (blinktree.Tree, blinktree.from_fd):
            with self.assertRaises(OSError):
                wrong(read)
        os.close(write)
        os.close(read)

    def test_pickling(self):
        """A descriptor is no data."""
        with blinktree.create() as tree, self.assertRaises(TypeError):
            pickle.dumps(tree)

    def test_inherited(self):
        """A child uses the tree that its parent has open."""
        with blinktree.create() as tree:
            child = os.fork()
            if not child:
                tree[7] = 8
                os._exit(0)
            os.waitpid(child, 0)
            self.assertEqual(dict(tree), {7: 8})


class OfAllKinds:
    """What each kind of tree does: a part of a unittest.TestCase."""

    key_kind = ""
    value_kind = ""
    options: typing.ClassVar = {}

    def setUp(self):
        self.tree = blinktree.create(key=self.key_kind, value=self.value_kind, **self.options)
        self.addCleanup(self.tree.close)
        self.key, self.value = KEYS[self.key_kind], VALUES[self.value_kind]

    def test_commit(self):
        """All operations of a commit take effect, or none."""
        one, two, three = map(self.key, range(1, 4))
        values = [self.value(n) for n in range(5)]
        with self.tree.commit() as commit:
            commit[one] = values[1]
            commit.absent(two)
            commit.insert(three, values[3])
            commit.read(one)
        self.assertIsNone(commit.found(one))
        self.assertEqual(dict(self.tree), {one: values[1], three: values[3]})
        with self.assertRaises(blinktree.CommitError) as caught, self.tree.commit() as commit:
            del commit[one]
            commit.expect(three, values[4])
        self.assertEqual((caught.exception.errno, caught.exception.key), (errno.ESTALE, three))
        self.assertEqual(caught.exception.found, values[3])
        with self.assertRaises(blinktree.CommitError) as caught, self.tree.commit() as commit:
            commit.replace(two, values[4])
        self.assertIsNone(caught.exception.found)
        with self.assertRaises(ZeroDivisionError), self.tree.commit() as commit:
            commit[two] = values[1 // 0]
        with self.tree.commit() as commit:
            commit.cas(one, values[1], values[2])
            commit.cad(three, values[3])
            commit.read(three)
            commit.read(two)
        self.assertEqual((commit.found(three), commit.found(two, 7)), (values[3], 7))
        with self.assertRaises(KeyError):
            commit.found(one)
        self.assertEqual(dict(self.tree), {one: values[2]})
        with errno_is(self, errno.EINVAL), self.tree.commit() as commit:
            commit[one] = values[1]
            del commit[one]
        with errno_is(self, errno.E2BIG), self.tree.commit() as commit:
            for _ in range(33):
                commit.read(one)
        with self.tree.commit():
            pass

    def test_gaps(self):
        """Each operation of a commit can need an empty gap, or clear it."""
        one, two, three, five = map(self.key, (1, 2, 3, 5))
        value, other = self.value(1), self.value(2)
        operations = [
            ("read", one),
            ("expect", one, value),
            ("absent", two),
            ("insert", two, value),
            ("store", two, value),
            ("replace", one, other),
            ("cas", one, value, other),
            ("cad", one, value),
            ("erase", one),
        ]
        if self.value_kind == "u64":
            operations.append(("add", two, 7))
        for name, key, *values in operations:
            with self.subTest(name):
                self.tree.clear()
                before = self.filled((1, 3, 4, 5))
                with self.assertRaises(blinktree.CommitError) as caught:
                    with self.tree.commit() as commit:
                        getattr(commit, name)(key, *values, gap="empty")
                        commit.read(five)
                error = caught.exception
                self.assertEqual((error.key, error.gap, error.found), (key, True, None))
                self.assertEqual(dict(self.tree), before)
                with self.tree.commit() as commit:
                    getattr(commit, name)(key, *values, gap="empty")
                    commit.read(three)
                left = {**dict(self.tree), one: None, two: None}
                self.assertEqual(set(left), {one, two, *before})
                self.tree.clear()
                self.filled((1, 3, 4, 5))
                with self.tree.commit() as commit:
                    getattr(commit, name)(key, *values, gap="clear")
                    commit.read(five)
                left = {**dict(self.tree), one: None, two: None}
                self.assertEqual(set(left), {one, two, five})

    def test_gaps_refused(self):
        """The greatest key has no gap; a condition that is not true has another reason."""
        one, five = self.key(1), self.key(5)
        before = self.filled((1, 3, 5))
        with self.assertRaises(ValueError), self.tree.commit() as commit:
            commit.read(one, gap="full")
        for gap in ("empty", "clear"):
            with errno_is(self, errno.EINVAL), self.tree.commit() as commit:
                commit.read(one, gap=gap)
        with self.assertRaises(blinktree.CommitError) as caught, self.tree.commit() as commit:
            commit.read(one, gap="clear")
            commit.expect(five, self.value(6))
        self.assertEqual((caught.exception.gap, caught.exception.found), (False, before[five]))
        self.assertEqual(dict(self.tree), before)

    def filled(self, numbers):
        """A dict, and the tree with the same entries."""
        entries = {self.key(n): self.value(n) for n in numbers}
        self.tree.update(entries)
        return entries

    def test_mapping(self):
        """The methods of a dict."""
        tree, key, value = self.tree, self.key, self.value
        self.assertFalse(tree)
        self.assertIsNone(tree.get(key(1)))
        tree[key(1)] = value(1)
        self.assertTrue(tree)
        self.assertIn(key(1), tree)
        self.assertEqual((tree[key(1)], len(tree)), (value(1), 1))
        self.assertEqual(tree.setdefault(key(1), value(2)), value(1))
        self.assertEqual(tree.setdefault(key(2), value(2)), value(2))
        self.assertEqual(tree.pop(key(2)), value(2))
        self.assertEqual(tree.pop(key(2), None), None)
        for missing in (lambda: tree[key(2)], lambda: tree.pop(key(2))):
            self.assertRaises(KeyError, missing)
        with self.assertRaises(KeyError):
            del tree[key(2)]
        del tree[key(1)]
        self.assertEqual(list(tree), [])

    def test_updates(self):
        """Those that look at the former value."""
        tree, key, value = self.tree, self.key, self.value
        self.assertTrue(tree.insert(key(4), value(4)))
        self.assertFalse(tree.insert(key(4), value(5)))
        self.assertEqual(tree.replace(key(4), value(6)), value(4))
        self.assertFalse(tree.cas(key(4), value(4), value(7)))
        self.assertTrue(tree.cas(key(4), value(6), value(7)))
        self.assertFalse(tree.cad(key(4), value(6)))
        self.assertTrue(tree.cad(key(4), value(7)))
        self.assertRaises(KeyError, tree.cas, key(4), value(6), value(7))
        self.assertRaises(KeyError, tree.cad, key(4), value(6))
        self.assertRaises(KeyError, tree.replace, key(4), value(6))

    def test_sums(self):
        """Numbers are added to values that are numbers."""
        tree, one, two = self.tree, self.key(1), self.key(2)
        if self.value_kind != "u64":
            self.assertRaises(TypeError, tree.add, one)
            return
        self.assertEqual([tree.add(one), tree.add(one, 4), tree.add(one, -2)], [1, 5, 3])
        self.assertEqual(tree.add(one, -4), 2**64 - 1)
        self.assertEqual(tree.add(one, 2**64 - 1), 2**64 - 2)
        self.assertEqual(tree.add(one, 3, saturate=True), 2**64 - 1)
        self.assertEqual(tree.add(two, -3, saturate=True), 0)
        self.assertEqual(dict(tree), {one: 2**64 - 1, two: 0})
        for number, saturate in (2**64, False), (-(2**63) - 1, False), (2**63, True):
            self.assertRaises(OverflowError, tree.add, one, number, saturate)
        with tree.commit() as commit:
            commit.add(one, -10)
            commit.add(two, 10)
            commit.expect(one, 2**64 - 1)
        self.assertEqual(dict(tree), {one: 2**64 - 11, two: 10})

    def test_order(self):
        """Iterations, ranges and neighbours, against a sorted list."""
        tree, key = self.tree, self.key
        entries = self.filled(range(0, 1500, 3))
        ordered = sorted(entries.items())
        keys = [entry[0] for entry in ordered]
        self.assertEqual(list(tree), keys)
        self.assertEqual(list(reversed(tree)), keys[::-1])
        self.assertEqual(list(tree.items()), ordered)
        self.assertEqual(list(reversed(tree.items())), ordered[::-1])
        self.assertEqual(list(tree.values()), [entry[1] for entry in ordered])
        self.assertEqual(list(reversed(tree.values())), [e[1] for e in ordered[::-1]])
        choice = random.Random(1)
        for _ in range(150):
            low, high = (key(choice.choice((0, 1, 2, 3, choice.randrange(1600))))
                         for _ in range(2))  # fmt: skip
            ends = choice.random() < 0.5, choice.random() < 0.5
            inside = [
                k
                for k in keys
                if (low <= k if ends[0] else low < k) and (k <= high if ends[1] else k < high)
            ]
            self.assertEqual(list(tree.irange(low, high, ends)), inside)
            self.assertEqual(list(tree.irange(low, high, ends, True)), inside[::-1])
            self.assertEqual(tree.count(low, high, ends), len(inside))
            below = [e for e in ordered if e[0] <= low]
            above = [e for e in ordered if e[0] >= low]
            self.assertEqual(tree.floor(low), below[-1] if below else None)
            self.assertEqual(tree.ceiling(low), above[0] if above else None)
            below = [e for e in ordered if e[0] < low]
            above = [e for e in ordered if e[0] > low]
            self.assertEqual(tree.lower(low), below[-1] if below else None)
            self.assertEqual(tree.higher(low), above[0] if above else None)

    def test_ends(self):
        """The first and the last entry are seen and removed."""
        tree, key, value = self.tree, self.key, self.value
        self.assertRaises(IndexError, tree.peekitem)
        self.assertRaises(KeyError, tree.popitem)
        self.filled(range(4))
        self.assertEqual(tree.peekitem(), (key(3), value(3)))
        self.assertEqual(tree.peekitem(0), (key(0), value(0)))
        self.assertEqual(tree.popitem(), (key(3), value(3)))
        self.assertEqual(tree.popitem(0), (key(0), value(0)))
        self.assertRaises(IndexError, tree.popitem, 1)
        self.assertEqual(list(tree), [key(1), key(2)])

    def test_many(self):
        """Many at once, and a range of them erased."""
        tree, key = self.tree, self.key
        entries = self.filled(range(0, 9000, 2))
        self.assertEqual(len(tree), 4500)
        asked = [key(n) for n in range(9000)]
        self.assertEqual(tree.get_many(asked), [entries.get(k) for k in asked])
        self.assertEqual(tree.erase_many(asked[:100]), 50)
        self.assertEqual(tree.erase_range(key(100), key(200), (False, True)), 50)
        self.assertEqual(tree.erase_range(key(300), key(200)), 0)
        self.assertEqual(tree.peekitem(0)[0], key(100))
        tree.clear()
        self.assertEqual(len(tree), 0)
        self.assertEqual(tree.verify()["violation"], 0)

    def test_load(self):
        """Entries that ascend; the first that is there ends it."""
        tree, key, value = self.tree, self.key, self.value
        entries = [(key(n), value(n)) for n in range(5000)]
        self.assertEqual(tree.load(entries), 5000)
        self.assertEqual(list(tree.items()), entries)
        del tree[entries[0][0]]
        with errno_is(self, errno.EEXIST) as caught:
            tree.load(entries)
        self.assertEqual(caught.exception.loaded, 1)

    def test_random(self):
        """Operations at random, as a dict does them."""
        tree, reference = self.tree, {}
        choice = random.Random(2)
        for _ in range(1500):
            key, value = self.key(choice.randrange(60)), self.value(choice.randrange(99))
            what = choice.randrange(4)
            if what == 0:
                tree[key] = reference[key] = value
            elif what == 1:
                self.assertEqual(tree.pop(key, None), reference.pop(key, None))
            elif what == 2:
                self.assertEqual(tree.get(key), reference.get(key))
            else:
                self.assertEqual(tree.insert(key, value), key not in reference)
                reference.setdefault(key, value)
        self.assertEqual(list(tree.items()), sorted(reference.items()))

    def test_wrong_types(self):
        """A key or value of another type, or out of its range, changes nothing."""
        tree, key, value = self.tree, self.key, self.value
        strings = {"bytes": ("text", 5, b"x" * 4097)}
        bad = strings.get(self.key_kind, (b"bytes", -1, 2**128, 1.5))
        for wrong in bad:
            with self.assertRaises((TypeError, ValueError, OverflowError)):
                tree[wrong] = value(1)
        for wrong in strings.get(self.value_kind, (b"bytes", -1, 2**64, 1.5)):
            with self.assertRaises((TypeError, ValueError, OverflowError)):
                tree[key(1)] = wrong
        self.assertEqual(len(tree), 0)


def _of_kind(key_kind, value_kind, **options):
    name = "_".join((key_kind, value_kind, *options))
    members = {"key_kind": key_kind, "value_kind": value_kind, "options": options}
    kind = type(name, (OfAllKinds, unittest.TestCase), members)
    return unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")(kind)


U64 = _of_kind("u64", "u64")
COMPRESSED = _of_kind("u64", "u64", compress=True)
U64_BYTES = _of_kind("u64", "bytes")
U128 = _of_kind("u128", "u64", replication="full")
BYTES = _of_kind("bytes", "bytes")
BYTES_U64 = _of_kind("bytes", "u64", replication="inner", locking="cohort")


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Others(unittest.TestCase):
    """What some kinds only do, or several threads."""

    def test_prefix(self):
        """Keys that begin with some bytes, of strings and of numbers."""
        with blinktree.create(key="bytes") as tree:
            tree.update({b"a": 1, b"ab": 2, b"ab\0": 3, b"b": 4})
            self.assertEqual([k for k, _ in tree.prefix(b"ab")], [b"ab", b"ab\0"])
            self.assertEqual([v for _, v in tree.prefix(b"", True)], [4, 3, 2, 1])
        with blinktree.create(key="u128") as tree:
            inside = ipaddress.IPv6Address("2001:db8::1")
            tree[int(inside)] = 1
            tree[int(ipaddress.IPv6Address("2001:db9::1"))] = 2
            self.assertEqual(dict(tree.prefix(inside.packed[:4])), {int(inside): 1})

    def test_pairs(self):
        """A set of pairs of key and value."""
        with blinktree.create(key="multi") as pairs:
            for pair in ((1, 5), (1, 2), (2, 0), (1, 2)):
                pairs.add(pair)
            self.assertEqual(list(pairs), [(1, 2), (1, 5), (2, 0)])
            self.assertEqual(list(reversed(pairs)), [(2, 0), (1, 5), (1, 2)])
            self.assertEqual((pairs.values_of(1), pairs.count(1)), ([2, 5], 2))
            self.assertIn((1, 5), pairs)
            self.assertNotIn((1, 4), pairs)
            self.assertNotIn((2, 1), pairs)
            pairs.discard((1, 2))
            pairs.discard((1, 2))
            self.assertEqual((pairs.erase(1), pairs.erase(1), len(pairs)), (1, 0, 1))
            pairs.clear()
            self.assertEqual(pairs.load((k, v) for k in range(99) for v in range(9)), 891)

    def test_buffers(self):
        """Arrays of numbers, of which nothing is copied."""
        with blinktree.create() as tree:
            entries = array.array("Q", (n for k in range(3000) for n in (2 * k, k)))
            self.assertEqual(tree.load_buffer(entries), 3000)
            found = array.array("Q", bytes(len(entries) * 8 + 16))
            self.assertEqual(tree.read_into(found), 3000)
            self.assertEqual(found[:-2], entries)
            self.assertEqual(tree.read_into(found, 2, 5), 2)
            self.assertEqual(list(found[:4]), [2, 1, 4, 2])
            for load in (
                lambda: tree.load_buffer(bytes(array.array("Q", (1, 1, 2, 2)))),
                lambda: tree.load({3: 1, 4: 2}),
            ):
                with self.assertRaises(blinktree.LoadError) as caught:
                    load()
                copy = pickle.loads(pickle.dumps(caught.exception))
                for error in (caught.exception, copy):
                    self.assertEqual((error.errno, error.loaded), (errno.EEXIST, 1))
            operation = struct.Struct("=HHiQQQ")
            ops = bytearray(
                operation.pack(blinktree.LOOKUP, 0, 0, 4, 0, 0)
                + operation.pack(blinktree.STORE, 0, 0, 4, 9, 0)
                + operation.pack(blinktree.LOOKUP, 0, 0, 5, 0, 0)
            )
            tree.execute(ops)
            done = list(operation.iter_unpack(ops))
            self.assertEqual(done[0], (blinktree.LOOKUP, 0, 0, 4, 2, 0))
            self.assertEqual(done[1], (blinktree.STORE, 0, 1, 4, 9, 2))
            self.assertEqual(done[2][2], -errno.ENOENT)
            self.assertEqual(tree.load_buffer(b""), 0)
            self.assertRaises(TypeError, tree.execute, bytes(32))
            self.assertRaises(ValueError, tree.load_buffer, bytes(17))
            self.assertRaises(OverflowError, tree.read_into, found, -1)
            self.assertRaises(OverflowError, tree.load_buffer, found, 2**32 + 50)
            self.assertRaises(OverflowError, tree.load, {1: 1}, 2**32 + 50)

    def test_limits(self):
        """Of many, those that do not fit fail, and the error says why."""
        with blinktree.create(max_entries=10) as tree:
            with errno_is(self, errno.ENOSPC):
                tree.update((n, n) for n in range(50))
            self.assertEqual(len(tree), 10)

    def test_threads(self):
        """Threads use one tree; none of their updates is lost."""

        def add(first):
            for n in range(first, 2000, 4):
                tree[n] = n
                while True:
                    total = tree[2000]
                    if tree.cas(2000, total, total + 1):
                        break

        with blinktree.create() as tree:
            tree[2000] = 0
            threads = [threading.Thread(target=add, args=(n,)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((len(tree), tree[2000]), (2001, 2000))

    def test_signals(self):
        """A signal's handler runs in between; an exception of it ends the call."""

        class Enough(Exception):
            """It has taken long enough."""

        def enough(*_):
            raise Enough

        former = signal.signal(signal.SIGALRM, enough)
        self.addCleanup(signal.signal, signal.SIGALRM, former)
        with blinktree.create() as tree, self.assertRaises(Enough):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            tree.update((n, n) for n in itertools.count())
