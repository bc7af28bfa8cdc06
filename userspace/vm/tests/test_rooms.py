# SPDX-License-Identifier: GPL-2.0
"""The check of the directions in module/: what it reads, and what it reports."""

import unittest

from harness import rooms

NODE = rooms.MODULE / "core" / "node" / "entries.c"


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

    def test_an_include_of_a_room_further_up(self):
        self.add(NODE, '\n#include "../index/walk.h"\n')
        self.assertTrue(any("walk.h, which is further up" in fault for fault in rooms.faults()))

    def test_a_call_of_a_room_further_up(self):
        self.add(NODE, "\nstatic void up(void)\n{\n\tblink_merge(NULL);\n}\n")
        self.assertTrue(any("merge.c, which is further up" in fault for fault in rooms.faults()))

    def test_a_prototype_is_no_call(self):
        self.add(NODE, "\nint blink_merge(struct blink_tree *tree);\n")
        self.assertEqual(rooms.faults(), [])

    def test_a_ring_in_a_room(self):
        post = rooms.MODULE / "core" / "index" / "post.c"
        self.add(post, "\nstatic void up(void)\n{\n\tblink_merge(NULL);\n}\n")
        self.assertTrue(any(fault.startswith("a ring:") for fault in rooms.faults()))


    def test_a_ring_through_a_header(self):
        header = rooms.MODULE / "core" / "node" / "node.h"
        self.add(header, "\nstatic inline void up(void)\n{\n\tblink_narrow_init(NULL);\n}\n")
        self.assertTrue(any("node/narrow" in fault for fault in rooms.faults()))


class Rings(unittest.TestCase):
    """Graphs that are small enough to see."""

    def test_no_ring(self):
        self.assertEqual(rooms.rings({1: {2, 3}, 2: {3}, 3: set()}), [])

    def test_a_ring_beside_a_path(self):
        self.assertEqual(rooms.rings({1: {2}, 2: {3}, 3: {1, 4}, 4: set()}), [[1, 2, 3]])
