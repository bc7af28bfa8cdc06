# SPDX-License-Identifier: GPL-2.0
"""The check of the directions in module/: what it reads, and what it reports."""

import unittest

from harness import rooms


class Directions(unittest.TestCase):
    """The sources as they are, and with an arrow more."""

    def setUp(self):
        self.code = dict(rooms.texts())
        self.forget()

    def tearDown(self):
        rooms.texts().clear()
        rooms.texts().update(self.code)
        self.forget()

    @staticmethod
    def forget():
        rooms.homes.cache_clear()
        rooms.graph.cache_clear()

    def add(self, path, code):
        rooms.texts()[path] += code
        self.forget()

    def test_the_sources_are_in_order(self):
        self.assertEqual(rooms.faults(), [])

    def test_directions(self):
        up = "\nstatic inline void up(void)\n{\n\t%s(NULL);\n}\n"
        for path, code, fault in (
            ("core/node/entries.c", '\n#include "../index/walk.h"\n', "walk.h, which is further up"),
            ("core/node/entries.c", up % "blink_merge", "merge.c, which is further up"),
            ("core/index/post.c", up % "blink_merge", "a ring: "),
            ("core/node/node.h", up % "blink_narrow_init", "node/narrow"),
            ("core/node/entries.c", "\nint blink_merge(struct blink_tree *tree);\n", None),
        ):
            with self.subTest(code):
                self.tearDown()
                self.add(rooms.MODULE / path, code)
                faults = rooms.faults()
                found = any(fault in line for line in faults) if fault else not faults
                self.assertTrue(found, faults)


class Rings(unittest.TestCase):
    """Graphs that are small enough to see."""

    def test_no_ring(self):
        self.assertEqual(rooms.rings({1: {2, 3}, 2: {3}, 3: set()}), [])

    def test_a_ring_beside_a_path(self):
        self.assertEqual(rooms.rings({1: {2}, 2: {3}, 3: {1, 4}, 4: set()}), [[1, 2, 3]])
