# SPDX-License-Identifier: GPL-2.0
"""A program ends by itself, or because it stands still."""

import unittest
from unittest import mock

from harness import process


class Silence(unittest.TestCase):
    """What counts as progress, by a clock of our own."""

    def setUp(self):
        patch = mock.patch.object(process.time, "monotonic", lambda: self.now)
        patch.start()
        self.addCleanup(patch.stop)
        self.now = 100
        self.signs = [0]

    def test_output_ends_it(self):
        progress = process.Progress(None)
        heard = []
        sink = progress.noted(heard.append)
        self.now = 107
        self.assertEqual(progress.silence(), 7)
        sink(b"a")
        self.assertEqual(progress.silence(), 0)
        self.assertEqual(heard, [b"a"])

    def test_another_sign_ends_it(self):
        progress = process.Progress(lambda: self.signs[-1])
        self.now = 107
        self.assertEqual(progress.silence(), 7)
        self.signs.append(1)
        self.assertEqual(progress.silence(), 0)
        self.now = 108
        self.assertEqual(progress.silence(), 1)


class Run(unittest.TestCase):
    """How a run ends."""

    def test_by_itself(self):
        output = bytearray()
        status = process.run(["sh", "-c", "echo a; exit 3"], None, output.extend)
        self.assertEqual((status, output), (3, b"a\n"))

    def test_because_it_stands_still(self):
        for sign in None, lambda: 4711:
            status = process.run(["sleep", "1000"], 1, lambda _: None, sign=sign)
            self.assertIsNone(status)

    def test_because_it_prints_for_ever(self):
        self.assertIsNone(process.run(["yes"], None, lambda _: None, limit=1))
