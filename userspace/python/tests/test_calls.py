# SPDX-License-Identifier: GPL-2.0
"""Calls that take several ioctls, by answers that a kernel gives seldom: without the module."""

import ctypes
import errno
import os
import pickle
import unittest
from unittest import mock

import blinktree
from blinktree import _abi, _kinds, _records, _stream


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


class Kernel:
    """A kernel whose calls do so much of the work each, or end with an error."""

    def __init__(self, key, *answers):
        self.key = key
        self.answers = list(answers)

    def __call__(self, _fd, argument):
        if isinstance(argument, _abi.Attr):
            argument.key = self.key
            return 0
        number, error = self.answers.pop(0)
        if isinstance(argument, _abi.Batch):
            argument.done = min(number, argument.count)
        elif isinstance(argument, _abi.Records):
            self.execute(argument, number)
        else:
            argument.count = number
            argument.flags |= 0 if self.answers else _abi.DONE
        if error:
            raise OSError(error, os.strerror(error))
        return 0

    @staticmethod
    def execute(argument, number):
        """Execute the first operations of a stream: a lookup finds 0."""
        stream = ctypes.string_at(argument.input, argument.input_size)
        executed = list(_records.unpack(stream))[:number]
        argument.input_used = len(b"".join(map(_records.pack, executed)))
        argument.done = len(executed)
        results = (
            record._replace(value=bytes(8)) if record.opcode == _abi.LOOKUP else record
            for record in executed
        )
        output = b"".join(map(_records.pack, results))
        if len(output) > argument.output_size:
            raise ValueError("there is no room for the results")
        ctypes.memmove(argument.output, output, len(output))
        argument.output_used = len(output)


class Parts(unittest.TestCase):
    """Work that takes several calls."""

    def tree(self, *answers):
        """A tree of a kernel that answers so."""
        return self.opened(blinktree.Tree, _abi.KEY_U64, answers)

    def pairs(self, *answers):
        """The same of equal keys."""
        return self.opened(blinktree.Pairs, _abi.KEY_MULTI, answers)

    def opened(self, kind, key, answers):
        """A tree of this kind."""
        kernel = Kernel(key, *answers)
        patch = mock.patch.object(_abi, "call", kernel)
        patch.start()
        self.addCleanup(patch.stop)
        tree = kind(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        self.addCleanup(tree.close)
        self.addCleanup(lambda: self.assertEqual(kernel.answers, []))
        return tree

    def ends(self, number, done, call, *arguments):
        """The call raises an error that says what was done."""
        with self.assertRaises(blinktree.BatchError) as caught:
            call(*arguments)
        for error in (caught.exception, pickle.loads(pickle.dumps(caught.exception))):
            self.assertEqual((error.errno, error.done), (number, done))

    def test_sum(self):
        """The parts of a range are added up."""
        parts = (5, 0), (0, 0), (7, 0)
        self.assertEqual(self.tree(*parts).count(), 12)
        self.assertEqual(self.tree(*parts).erase_range(1), 12)
        self.assertEqual(self.pairs(*parts).erase(1), 12)

    def test_a_range_in_part(self):
        """The entries that were removed are counted although the rest was not."""
        parts = (5, 0), (2, 0), (0, errno.EAGAIN)
        self.ends(errno.EAGAIN, 7, self.tree(*parts).erase_range, 1)
        self.ends(errno.EAGAIN, 7, self.tree(*parts).clear)
        self.ends(errno.EAGAIN, 7, self.pairs(*parts).erase, 1)
        self.ends(errno.EAGAIN, 7, self.pairs(*parts).clear)
        self.ends(errno.EBADF, 0, self.tree((0, errno.EBADF)).clear)

    def test_buffers(self):
        """A buffer of operations is executed in as many calls as the kernel needs."""
        self.tree((3, 0), (4, 0), (9, 0)).execute(bytearray(32 * 10))
        for answers, done in (
            [((0, errno.EAGAIN),), 0],
            [((3, 0), (4, 0), (0, errno.EAGAIN)), 7],
            [((3, 0), (4, errno.EFAULT)), 7],
        ):
            self.ends(answers[-1][1], done, self.tree(*answers).execute, bytearray(32 * 10))

    def test_many(self):
        """Many operations are executed in as many calls, too."""
        keys = range(1, 11)
        parts = (3, 0), (4, 0), (9, 0)
        self.assertEqual(self.tree(*parts).get_many(keys), [0] * 10)
        self.assertEqual(self.tree(*parts).erase_many(keys), 10)
        parts = (3, 0), (4, 0), (0, errno.EAGAIN)
        entries = [(key, key) for key in keys]
        for call in (
            lambda: self.tree(*parts).update(entries),
            lambda: self.tree(*parts).erase_many(keys),
            lambda: self.tree(*parts).get_many(keys),
            lambda: self.pairs(*parts).update(entries),
        ):
            self.ends(errno.EAGAIN, 7, call)

    def test_chunks(self):
        """They are passed in chunks, which are counted together."""
        size = len(_records.pack(_records.Record(_abi.ERASE, bytes(8))))
        first = _stream.CHUNK // size
        tree = self.tree((first, 0), (5, 0), (0, errno.ENOMEM))
        self.ends(errno.ENOMEM, first + 5, tree.erase_many, range(2 * first))

    def test_other_errors(self):
        """A single operation, and an iterator, raise their own."""
        with self.assertRaises(BlockingIOError):
            self.tree((0, errno.EAGAIN))[1] = 2
        with self.assertRaises(BlockingIOError):
            self.tree((0, errno.EAGAIN)).count()

        def entries():
            yield 1, 2
            raise FileNotFoundError(errno.ENOENT, "no file")

        with self.assertRaises(FileNotFoundError):
            self.tree((1, 0)).update(entries())

    def test_a_store_in_part(self):
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
