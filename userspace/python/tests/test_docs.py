# SPDX-License-Identifier: GPL-2.0
"""The examples of the pages do what they say."""

import contextlib
import doctest
import io
import pathlib
import re
import unittest

DEVICE = pathlib.Path("/dev/blink_tree")
TOP = pathlib.Path(__file__).resolve().parents[3]


@unittest.skipUnless(DEVICE.exists(), f"there is no {DEVICE}")
class Pages(unittest.TestCase):
    """What people see first."""

    def test_python_rst(self):
        """Each example gives the result that is written below it."""
        page = TOP / "Documentation" / "python.rst"
        with contextlib.redirect_stdout(io.StringIO()) as told:
            failed, tried = doctest.testfile(str(page), module_relative=False)
        self.assertEqual(failed, 0, told.getvalue())
        self.assertGreater(tried, 10)

    def test_readme(self):
        """The program prints what its comments say."""
        (program,) = re.findall(r"```python\n(.*?)```", (TOP / "README.md").read_text(), re.S)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(program, {})
        told = re.findall(r"print\(.*# (.*)", program)
        lines = printed.getvalue().splitlines()
        told[1] = str([(b"ada", b"Lovelace"), (b"alan", b"Turing")])
        self.assertEqual(lines, told)
