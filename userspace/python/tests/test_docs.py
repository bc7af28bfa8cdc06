# SPDX-License-Identifier: GPL-2.0
"""The examples of the page do what they say."""

import contextlib
import doctest
import io
import pathlib
import unittest

DEVICE = pathlib.Path("/dev/blink_tree")
TOP = pathlib.Path(__file__).resolve().parents[3]


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Pages(unittest.TestCase):
    """The page about the package."""

    def test_python_rst(self):
        """Each example gives the result that is written below it."""
        page = TOP / "Documentation" / "python.rst"
        with contextlib.redirect_stdout(io.StringIO()) as told:
            failed, tried = doctest.testfile(str(page), module_relative=False)
        self.assertEqual(failed, 0, told.getvalue())
        self.assertGreater(tried, 10)
