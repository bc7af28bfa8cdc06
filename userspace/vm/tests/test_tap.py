# SPDX-License-Identifier: GPL-2.0
"""The TAP parser: what it counts, and that no broken stream passes."""

import contextlib
import io
import textwrap
import unittest

from harness import tap

KUNIT = """\
KTAP version 1
1..1
    KTAP version 1
    # Subtest: blink_tree_basic
    # module: blink_tree_kunit
    1..2
    ok 1 lookup
        KTAP version 1
        # Subtest: sizes
        ok 1 four
        ok 2 five
        1..2
    # sizes: pass:2 fail:0 skip:0 total:2
    ok 2 sizes
# blink_tree_basic: pass:2 fail:0 skip:0 total:2
ok 1 blink_tree_basic
"""


class Streams(unittest.TestCase):
    """The results of a stream: name, state, and detail of each."""

    def check(self, text, *results):
        """They are these; a detail that is not given is empty."""
        found = [(one.name, one.state, one.detail) for one in tap.parse(textwrap.dedent(text))]
        self.assertEqual(found, [(*one, "")[:3] for one in results], text)

    def fails(self, text, *details):
        """Whatever is good in it, these are the failures."""
        found = [one.detail for one in tap.parse(text) if one.state == tap.FAIL]
        self.assertEqual(found, list(details), text)

    def test_results_are_counted(self):
        text = """\
            TAP version 13
            noise
            1..3
            ok 1 - first
            # ok 7 said a comment
            okay
            ok: fine
            not ok 2 - second
            ok 3 third # SKIP no such device
            bye"""
        self.check(text, ("first", "pass"), ("second", "fail", "ok 7 said a comment"),
                   ("third", "skip", "no such device"))  # fmt: skip

    def test_skips(self):
        self.check("1..1\nok 1 # SKIP too old", ("", "skip", "too old"))
        self.check("TAP version 13\n1..0 # SKIP no faults", ("", "skip", "no faults"))
        self.check("1..1\nnot ok 1 a # SKIP", ("a", "fail"))

    def test_plan_may_come_last(self):
        self.check("ok 1 a\nok 2 b\n1..2", ("a", "pass"), ("b", "pass"))

    def test_comments_before_a_failure_tell_why(self):
        text = "1..2\n# about a\nok 1 a\n# x.c:1: expected 1\n# got 2\nnot ok 2 b"
        self.fails(text, "x.c:1: expected 1\ngot 2")

    def test_several_documents(self):
        text = "TAP version 13\n1..1\nok 1 a\nTAP version 13\n1..1\nok 1 b\n"
        self.check(text, ("a", "pass"), ("b", "pass"))

    def test_seconds(self):
        for line, found in (
            ("load: several # 2.50 s", ("load: several", 2.5)),
            ("took # 2 steps", ("took # 2 steps", 0.0)),
        ):
            (result,) = tap.parse(f"1..1\nok 1 - {line}")
            self.assertEqual((result.name, result.seconds), found)

    def test_broken_streams(self):
        for text, detail in (
            ("no TAP here", "no test ran"),
            ("TAP version 13", "the plan is missing"),
            ("KTAP version 1\n1..0", "no test planned"),
            ("1..3\nok 1 a\nok 2 b\n", "3 tests planned, 2 ran"),
            ("1..2\nok 1 a\nTAP version 13\n1..1\nok 1 b\n", "2 tests planned, 1 ran"),
            ("1..1\nok 1 a\nok 2 b", "1 tests planned, 2 ran"),
            ("ok 1 a", "the plan is missing"),
            ("1..2\nok 1 a\nok 3 b", "result 3 where 2 was due"),
            ("1..1\nok 1 a\nBail out! no device", "no device"),
            ("1..1\n    1..2\n    ok 1 a\nok 1 outer", "2 tests planned, 1 ran"),
            ("1..1\n  1..1\n  ok 1 a\n  TAP version 13\n  1..1\n  ok 1 b\nok 1 o",
             "no result follows the tests within"),
        ):  # fmt: skip
            self.fails(text, detail)

    def test_only_leaves_are_counted(self):
        names = "lookup", "sizes/four", "sizes/five"
        self.check(KUNIT, *((f"blink_tree_basic/{name}", "pass") for name in names))

    def test_failures_within(self):
        self.check(
            "1..1\n    1..2\n    ok 1 a\n    not ok 2 b\nnot ok 1 outer",
            ("outer/a", "pass"), ("outer/b", "fail"),
        )  # fmt: skip
        self.check(
            "1..1\n    1..1\n    ok 1 a\nnot ok 1 outer",
            ("outer/a", "pass"), ("outer", "fail", "failed as a whole, though no test within did"),
        )  # fmt: skip
        self.check("1..1\n    1..1\n    not ok 1 a\nok 1 outer", ("outer/a", "fail"))

    def test_cut_off_within(self):
        self.fails(
            "\n".join(KUNIT.splitlines()[:8]),
            "the plan is missing",
            "no result follows the tests within",
            "2 tests planned, 1 ran",
            "no result follows the tests within",
            "1 tests planned, 0 ran",
        )

    def test_shown_and_read_again(self):
        results = [tap.Result("a", tap.PASS), tap.Result("b", tap.SKIPPED, "no device"),
                   tap.Result("c", tap.FAIL, "got 1\nand 2")]  # fmt: skip
        with contextlib.redirect_stdout(io.StringIO()) as text:
            self.assertEqual([tap.show(results), tap.show(results[:2])], [1, 0])
        self.assertEqual(tap.parse(text.getvalue()), [*results, *results[:2]])
