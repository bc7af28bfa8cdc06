# SPDX-License-Identifier: GPL-2.0
"""What a dict and a set promise, a tree keeps: one table. It needs the module."""

import copy
import pathlib
import re
import unittest

import blinktree

DEVICE = pathlib.Path("/dev/blink_tree")
ENTRIES = {3: 30, 1: 10, 2: 20, 9: 90}
PAIRS = {(1, 10), (1, 20), (2, 5), (7, 0)}

# Expressions of which a sorted dict and a tree make the same value, or raise the same.
SAME = """
d == {1: 10, 2: 20, 3: 30, 9: 90}
{1: 10, 2: 20, 3: 30, 9: 90} == d
d == {1: 10} ; d != {1: 10} ; d == 5 ; d == [1, 2, 3, 9] ; d == d ; d != d ; d == {}
d == other ; other == d ; d != other
hash(d)
bool(d) ; len(d) ; list(d) ; list(reversed(d)) ; d[1] ; d[4] ; d.get(4) ; d.get(4, 7) ; d.get(1)
1 in d ; 4 in d ; "a" in d ; -1 in d ; None in d ; 2**200 in d ; b"a" in d ; (1, 10) in d
d.pop(1), dict(d) ; d.pop(4) ; d.pop(4, 7), dict(d) ; d.pop(4, None) ; d.pop() ; d.pop(1, 2, 3)
d.popitem(), dict(d) ; d.clear(), dict(d), bool(d), d == {} ; d.popitem(3, 4)
d.clear() or d.popitem()
d.setdefault(1, 5), dict(d) ; d.setdefault(4, 5), dict(d)
d.update({1: 5, 4: 6}), dict(d) ; d.update([(4, 6), (4, 7)]), dict(d) ; d.update(), dict(d)
d.update(iter([(8, 1)])), dict(d) ; d.update(other), dict(d) ; d.update({}), dict(d)
d.update(3) ; d.update([1]) ; d.update([(1, 2, 3)]) ; d.update({1: 2}, {3: 4})
d.__delitem__(1), dict(d) ; d.__delitem__(4)
d | {1: 11, 5: 50} ; {1: 11, 5: 50} | d ; d | other ; other | d ; d | 5 ; 5 | d ; d | [(1, 2)]
d.__ior__({1: 11, 5: 50}), dict(d) ; d.__ior__([(5, 50)]), dict(d) ; d.__ior__(other) == d
d.keys() == {1, 2, 3, 9} ; d.keys() & {1, 5} ; d.keys() | {5} ; d.keys() - {1} ; d.keys() ^ {1, 5}
{1, 5} & d.keys() ; {1, 5} - d.keys() ; d.keys() <= {1, 2, 3, 9, 4} ; d.keys() > {1}
d.keys().isdisjoint([4, 5]) ; d.keys().isdisjoint([4, 1]) ; d.keys().isdisjoint("ab")
"a" in d.keys() ; 1 in d.keys() ; len(d.keys()) ; list(d.keys()) ; list(reversed(d.keys()))
(1, 10) in d.items() ; (1, 11) in d.items() ; (4, 1) in d.items() ; ("a", 1) in d.items()
5 in d.items() ; (1,) in d.items() ; (1, 2, 3) in d.items() ; [1, 10] in d.items()
d.items() & {(1, 10), (4, 5)} ; d.items() == {(1, 10), (2, 20), (3, 30), (9, 90)}
d.items() - {(1, 10), "ab", 5} ; d.items().isdisjoint([5, (4, 4)]) ; list(reversed(d.items()))
10 in d.values() ; 11 in d.values() ; "a" in d.values() ; list(d.values()) ; len(d.values())
dict(d) ; dict(**{"a": 1}, b=2) ; sorted(d) ; sum(d.values()) ; {**{"a": 1}, "d": dict(d)}
"""
SAME_SETS = """
s == {(1, 10), (1, 20), (2, 5), (7, 0)} ; {(1, 10)} == s ; s == {(1, 10)} ; s != {(1, 10)} ; s == s
s == 5 ; s == [] ; s == other ; other == s ; s == {1, 2, 3, 4} ; {1, 2, 3, 4} == s ; s == set()
hash(s)
s <= {(1, 10), (1, 20), (2, 5), (7, 0), 5} ; s < {(1, 10), (1, 20), (2, 5), (7, 0), 5}
s < s ; s <= s
s >= {(1, 10)} ; s >= {5} ; s > {"ab"} ; {(1, 10)} < s ; s >= other ; other <= s ; s >= [] ; s <= 5
s & {(1, 10), 5, "ab"} ; s | {5} ; s - {(1, 10), "ab"} ; s ^ {(1, 10), 5} ; {(1, 10), 5} & s
{(1, 10), 5} - s ; {5} | s ; s & other ; s - other
s.isdisjoint([5, "ab", None, (1,), (1, 2, 3)]) ; s.isdisjoint([(1, 10)]) ; s.isdisjoint(other)
(1, 10) in s ; (1, 11) in s ; 5 in s ; "ab" in s ; (1,) in s ; (1, 2, 3) in s
(-1, 2) in s ; None in s
len(s) ; bool(s) ; sorted(s) ; s.clear(), set(s), bool(s) ; s.clear() or s.pop()
s.add((1, 10)), set(s) ; s.add((5, 5)), set(s) ; s.discard((5, 5)), set(s) ; s.remove((5, 5))
s.remove((1, 10)), set(s) ; s.update([(5, 5), (1, 10)]), set(s) ; s.__ior__({(5, 5)}), set(s)
bytes((1, 10)) in s ; "ab" in s ; s == {bytes((1, 10))} ; s.isdisjoint([bytes((1, 10))])
s.__iand__({(1, 10), 5}), set(s) ; s.__isub__({(1, 10), 5}), set(s)
s.__ixor__({(1, 10), (5, 5)}), set(s)
"""
# Expressions that python.rst lists as different: a tree raises this.
DIFFERENT = {
    TypeError: """
    d.get("a") ; d["a"] ; d.pop("a", 1) ; d.setdefault("a", 1) ; d.setdefault(4) ; d.update(a=1)
    d.keys()[0] ; d.items()[1:] ; copy.copy(d) ; copy.deepcopy(d) ; d["a"] ; d.__setitem__(1.0, 1)
    """,
    AttributeError: "d.copy() ; d.fromkeys([1]) ; d.bisect(1) ; d.bisect_left(1) ; d.index(1)",
    OverflowError: "d[-1] ; d.get(2**64) ; d.pop(-1, 5)",
    IndexError: "d.peekitem(1) ; d.popitem(2) ; d.clear() or d.peekitem()",
    KeyError: "d.clear() or d.popitem(0)",
}


class Sorted(dict):
    """What the table takes for right: a dict in the order of its keys, whose last item pops."""

    def __iter__(self):
        return iter(sorted(dict.keys(self)))

    def __reversed__(self):
        return iter(sorted(dict.keys(self), reverse=True))

    def popitem(self):
        """The last."""
        if not self:
            raise KeyError
        key = max(self)
        return key, dict.pop(self, key)

    def keys(self):
        """All, in order."""
        return dict.fromkeys(sorted(dict.keys(self))).keys()

    def items(self):
        """All, in order."""
        return {key: self[key] for key in sorted(dict.keys(self))}.items()

    def values(self):
        """All, in order of their keys."""
        return {key: self[key] for key in sorted(dict.keys(self))}.values()


def lines(table):
    """The expressions of a table."""
    return [part.strip() for part in re.split(r" ; |\n", table) if part.strip()]


def plain(value):
    """A value without the types that differ: trees, pairs and views are as what they hold."""
    if isinstance(value, (dict, blinktree.Tree)):
        return dict(value.items())
    if isinstance(value, (set, blinktree.Pairs)):
        return set(value)
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value


def outcome(expression, **names):
    """What becomes of an expression."""
    try:
        # The table above is all that is evaluated.
        return plain(eval(expression, {"copy": copy}, names))  # pylint: disable=eval-used
    except Exception as error:  # pylint: disable=broad-except
        return type(error)


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Promises(unittest.TestCase):
    """The table."""

    def tree(self, entries):
        """A tree with these entries."""
        tree = blinktree.create()
        self.addCleanup(tree.close)
        tree.update(entries)
        return tree

    def pairs(self, pairs):
        """A tree of equal keys."""
        tree = blinktree.create(key="multi")
        self.addCleanup(tree.close)
        tree.update(pairs)
        return tree

    def test_the_same_as_a_dict(self):
        for expression in lines(SAME):
            with self.subTest(expression):
                right = outcome(expression, d=Sorted(ENTRIES), other=Sorted({2: 22, 5: 55}))
                given = outcome(expression, d=self.tree(ENTRIES), other=self.tree({2: 22, 5: 55}))
                self.assertEqual(given, right)

    def test_the_same_as_a_set(self):
        for expression in lines(SAME_SETS):
            with self.subTest(expression):
                right = outcome(expression, s=set(PAIRS), other={(1, 10), (3, 3)})
                given = outcome(
                    expression, s=self.pairs(PAIRS), other=self.pairs({(1, 10), (3, 3)})
                )
                self.assertEqual(given, right)

    def test_documented_differences(self):
        for error, table in DIFFERENT.items():
            for expression in lines(table):
                with self.subTest(expression):
                    self.assertIs(outcome(expression, d=self.tree(ENTRIES)), error)

    def test_ranges_of_a_sorted_dict(self):
        tree = self.tree(ENTRIES)
        keys = sorted(ENTRIES)
        bounds = (None, 0, 1, 2, 5, 9, 10)
        for low in bounds:
            for high in bounds:
                for inclusive in ((True, True), (True, False), (False, True), (False, False)):
                    right = [
                        key
                        for key in keys
                        if (low is None or key > low or (key == low and inclusive[0]))
                        and (high is None or key < high or (key == high and inclusive[1]))
                    ]
                    given = list(tree.irange(low, high, inclusive))
                    self.assertEqual(given, right, (low, high, inclusive))
                    given = list(tree.irange(low, high, inclusive, reverse=True))
                    self.assertEqual(given, right[::-1], (low, high, inclusive))
        self.assertEqual((tree.peekitem(), tree.peekitem(0)), ((9, 90), (1, 10)))
        self.assertEqual((tree.popitem(0), tree.popitem()), ((1, 10), (9, 90)))
