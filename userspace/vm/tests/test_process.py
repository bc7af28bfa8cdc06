# SPDX-License-Identifier: GPL-2.0
"""A program ends by itself, or because it stands still."""

import concurrent.futures
import os
import signal
import subprocess
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


class Signals(unittest.TestCase):
    """A signal that comes while the main thread waits raises when the wait has ended."""

    def setUp(self):
        for number in signal.SIGTERM, signal.SIGINT:
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        patch = mock.patch.object(process, "status", 0)
        patch.start()
        self.addCleanup(patch.stop)
        process.raise_on_term()
        self.under_way = 0

    def interrupted(self, function):
        """The function, with a signal at its beginning; it counts calls without an end."""

        def call(*args, **options):
            self.under_way += 1
            os.kill(os.getpid(), signal.SIGTERM)
            found = function(*args, **options)
            self.under_way -= 1
            return found

        return call

    def test_futures(self):
        future = concurrent.futures.Future()
        future.set_result(None)
        wait = self.interrupted(concurrent.futures.wait)
        with mock.patch.object(concurrent.futures, "wait", wait):
            with self.assertRaises(process.Ended):
                list(process.completed([future]))
        self.assertEqual(self.under_way, 0)

    def test_a_child(self):
        wait = self.interrupted(subprocess.Popen.wait)
        with mock.patch.object(subprocess.Popen, "wait", wait):
            with self.assertRaises(process.Ended):
                process.run(["true"], None, bytes)
        self.assertEqual(self.under_way, 0)

    def test_a_child_that_begins(self):
        born = []
        begin = subprocess.Popen._execute_child  # pylint: disable=protected-access

        def interrupted(child, *args):
            begin(child, *args)
            born.append(child)
            os.kill(os.getpid(), signal.SIGTERM)

        with mock.patch.object(subprocess.Popen, "_execute_child", interrupted):
            with self.assertRaises(process.Ended):
                process.capture(["sleep", "1000"])
        self.assertEqual([child.returncode for child in born], [-signal.SIGTERM])
