# SPDX-License-Identifier: GPL-2.0
"""Calls that take several ioctls, by answers that a kernel gives seldom: without the module."""

import ctypes
import errno
import pickle
import unittest
from unittest import mock

import blinktree
from blinktree import _abi, _kinds, _stream


class Interrupted(unittest.TestCase):
    """Signals whose handlers return."""

    def call(self, *answers):
        """What a call returns after these answers, each a result and an errno."""
        left = list(answers)

        def ioctl(*_):
            result, error = left.pop(0)
            ctypes.set_errno(error)
            return result

        with mock.patch.object(_abi, "_ioctl", ioctl):
            result = _abi.call(3, _abi.Info())
        self.assertEqual(left, [])
        return result

    def test_it_begins_again(self):
        self.assertEqual(self.call((-1, errno.EINTR), (-1, errno.EINTR), (7, 0)), 7)

    def test_other_errors_are_told(self):
        with self.assertRaises(BlockingIOError):
            self.call((-1, errno.EAGAIN))

    def test_calls_of_a_handler(self):
        """A handler's own call, before the errno is read, changes nothing."""
        get_errno = ctypes.get_errno

        def get_after_handler():
            with mock.patch.object(ctypes, "get_errno", get_errno):
                with mock.patch.object(_abi, "_ioctl", self.exists):
                    self.assertRaises(FileExistsError, _abi.call, 3, _abi.Info())
            return get_errno()

        with mock.patch.object(ctypes, "get_errno", get_after_handler):
            self.assertEqual(self.call((-1, errno.EINTR), (7, 0)), 7)

    @staticmethod
    def exists(*_):
        """A call that fails with EEXIST."""
        ctypes.set_errno(errno.EEXIST)
        return -1


class Ranges(unittest.TestCase):
    """Counting and erasing ranges in parts."""

    def test_sum(self):
        counts = [5, 0, 7]

        def call(_fd, argument):
            argument.count = counts.pop(0)
            if not counts:
                argument.flags |= _abi.DONE

        stream = mock.Mock(spec=_stream.Stream)
        with mock.patch.object(_abi, "call", call):
            # pylint: disable=protected-access
            self.assertEqual(_stream.Stream._sum(stream, _abi.RecordErase(), None, None), 12)
        self.assertEqual(counts, [])

    def test_parts(self):
        """A store that ends early tells how far it came."""

        def call(_fd, argument):
            argument.first_low += 3
            raise OSError(errno.ENOMEM, "no memory")

        ranges = blinktree.Ranges(mock.Mock(), _kinds.KEYS[_abi.KEY_U128])
        with mock.patch.object(_abi, "call", call):
            with self.assertRaises(blinktree.PartsError) as caught:
                ranges.store((1 << 64) + 5, 1 << 65, 7, parts=True)
        for error in (caught.exception, pickle.loads(pickle.dumps(caught.exception))):
            self.assertEqual((error.errno, error.rest), (errno.ENOMEM, (1 << 64) + 8))
