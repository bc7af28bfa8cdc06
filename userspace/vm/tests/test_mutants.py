# SPDX-License-Identifier: GPL-2.0
"""The check of the mutants: what it reports of a patch."""

import pathlib
import tempfile
import unittest

from harness import mutants

HEADER = ("Something is broken.", "Found by: points-tiny plain oracle: keys from 0 up")


def faults(*header):
    """The complaints about a header."""
    return list(mutants.header_faults(mutants.Mutant(pathlib.Path("x.patch"), header)))


class Headers(unittest.TestCase):
    """The lines before the changes."""

    def test_a_test_of_the_core(self):
        self.assertEqual(faults(*HEADER), [])

    def test_tests_of_several_levels(self):
        others = ("explore", "contract", "libfuzzer", "histories")
        self.assertEqual(faults(*HEADER, *(f"Found by: {test}" for test in others)), [])

    def test_an_equal_mutant(self):
        self.assertEqual(faults(HEADER[0], "Equal: nothing changes."), [])

    def test_nothing_is_said(self):
        self.assertEqual(len(faults()), 2)
        self.assertEqual(faults(HEADER[0]), ["no test that finds it is named"])

    def test_an_unknown_test(self):
        self.assertEqual(faults(*HEADER, "Found by: luck"), ["'luck' names no test"])
        name = "a name that " + "no test has"
        self.assertEqual(
            faults(*HEADER, f"Found by: asan-tiny full {name}"),
            [f"no test of the core is called '{name}'"],
        )


class Patches(unittest.TestCase):
    """What patch says of them."""

    def reason(self, line):
        """Why a patch of a file with one line does not apply."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.patch")
            path.write_text("--- file\n+++ file\n@@ -1 +1 @@\n-good\n+bad\n")
            pathlib.Path(folder, "file").write_text(f"{line}\n")
            return mutants.apply(mutants.Mutant(path, ()), folder)

    def test_one_that_applies(self):
        self.assertEqual(self.reason("good"), "")

    def test_one_that_does_not(self):
        self.assertIn("FAILED", self.reason("other"))

    def test_all_of_them(self):
        self.assertTrue(mutants.mutants())
        self.assertEqual(list(mutants.faults()), [])
