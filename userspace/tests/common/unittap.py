#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: GPL-2.0
"""Run the tests of a directory, those of the standard library's unittest, as TAP.

    unittap.py DIRECTORY [FOLDER...]

The folders have what the tests import.
"""

import os
import sys
import unittest


class Tap(unittest.TestResult):
    """Prints a result line for each test."""

    def line(self, test, word, comment=""):
        """One test is over."""
        name = test.id() + (f" # SKIP {comment}" if word == "skip" else "")
        print("not ok" if word == "not ok" else "ok", self.testsRun, "-", name)
        for row in comment.splitlines() if word == "not ok" else ():
            print("#", row)

    def stopTest(self, test):
        """Judge by what was recorded; a test may have failed several times."""
        super().stopTest(test)
        bad = [
            trace
            for failed, trace in self.failures + self.errors
            if failed is test or getattr(failed, "test_case", None) is test
        ]
        skipped = [reason for which, reason in self.skipped if which is test]
        if bad:
            self.line(test, "not ok", "\n".join(bad))
        else:
            self.line(test, "skip" if skipped else "ok", "".join(skipped))


def run(suite):
    """Run the tests of a suite; returns the exit status."""
    print("TAP version 13")
    print(f"1..{suite.countTestCases()}", flush=True)
    return int(not suite.run(Tap()).wasSuccessful())


if __name__ == "__main__":
    directory, *folders = map(os.path.abspath, sys.argv[1:])
    sys.path[:0] = folders
    sys.exit(run(unittest.defaultTestLoader.discover(directory)))
