# SPDX-License-Identifier: GPL-2.0
"""The TAP parser: what it counts, and that no broken stream passes."""

import textwrap
import unittest

from harness import tap


def states(text):
    """(name, state) of each result of a stream."""
    results = tap.parse(textwrap.dedent(text))
    return [(result.name, result.state) for result in results]


def details(text):
    """What a stream's failures say."""
    results = tap.parse(textwrap.dedent(text))
    return [result.detail for result in results if result.state == tap.FAIL]


class Flat(unittest.TestCase):
    """Streams without nested documents."""

    def test_results_are_counted(self):
        self.assertEqual(
            states(
                """\
                TAP version 13
                1..3
                ok 1 - first
                not ok 2 - second
                ok 3 third # SKIP no such device
                """
            ),
            [("first", "pass"), ("second", "fail"), ("third", "skip")],
        )

    def test_reason_of_skip_is_kept(self):
        (result,) = tap.parse("1..1\nok 1 # SKIP too old")
        self.assertEqual((result.name, result.detail), ("", "too old"))

    def test_whole_program_skipped(self):
        (result,) = tap.parse("TAP version 13\n1..0 # SKIP no fault injection")
        self.assertEqual((result.state, result.detail), ("skip", "no fault injection"))

    def test_other_lines_are_passed_over(self):
        text = "noise\n1..1\n# ok 7 said a comment\nokay\nok: fine\nok 1 a\nbye"
        self.assertEqual(states(text), [("a", "pass")])

    def test_plan_may_come_last(self):
        self.assertEqual(
            states("ok 1 a\nok 2 b\n1..2"), [("a", "pass"), ("b", "pass")]
        )

    def test_comments_before_a_failure_tell_why(self):
        text = "1..2\n# about a\nok 1 a\n# x.c:1: expected 1\n# got 2\nnot ok 2 b"
        self.assertEqual(details(text), ["x.c:1: expected 1\ngot 2"])

    def test_several_documents(self):
        text = "TAP version 13\n1..1\nok 1 a\nTAP version 13\n1..1\nok 1 b\n"
        self.assertEqual(states(text), [("a", "pass"), ("b", "pass")])

    def test_seconds(self):
        (result,) = tap.parse("1..1\nok 1 - load: several # 2.50 s")
        self.assertEqual((result.name, result.seconds), ("load: several", 2.5))
        (result,) = tap.parse("1..1\nok 1 - took # 2 steps")
        self.assertEqual((result.name, result.seconds), ("took # 2 steps", 0.0))

    def test_name_is_a_prefix(self):
        (result,) = tap.parse("1..1\nok 1 a", "suite")
        self.assertEqual(result.name, "suite/a")


class Broken(unittest.TestCase):
    """Streams that must fail, however good their results are."""

    def test_nothing_at_all(self):
        self.assertEqual(details("no TAP here"), ["no test ran"])

    def test_only_a_version(self):
        self.assertEqual(details("TAP version 13"), ["the plan is missing"])

    def test_nothing_planned_without_a_reason(self):
        self.assertEqual(details("KTAP version 1\n1..0"), ["no test planned"])

    def test_truncated(self):
        text = "1..3\nok 1 a\nok 2 b\n"
        self.assertEqual(details(text), ["3 tests planned, 2 ran"])

    def test_truncated_between_documents_of_a_stream(self):
        text = "1..2\nok 1 a\nTAP version 13\n1..1\nok 1 b\n"
        self.assertEqual(details(text), ["2 tests planned, 1 ran"])

    def test_more_than_planned(self):
        self.assertEqual(
            details("1..1\nok 1 a\nok 2 b"), ["1 tests planned, 2 ran"]
        )

    def test_no_plan(self):
        self.assertEqual(details("ok 1 a"), ["the plan is missing"])

    def test_numbers_out_of_order(self):
        self.assertEqual(
            details("1..2\nok 1 a\nok 3 b"), ["result 3 where 2 was due"]
        )

    def test_bail_out(self):
        text = "1..1\nok 1 a\nBail out! no device"
        self.assertEqual(details(text), ["no device"])

    def test_not_ok_is_not_excused_by_skip(self):
        self.assertEqual(states("1..1\nnot ok 1 a # SKIP"), [("a", "fail")])


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


class Nested(unittest.TestCase):
    """Documents within documents."""

    def test_only_leaves_are_counted(self):
        self.assertEqual(
            states(KUNIT),
            [
                ("blink_tree_basic/lookup", "pass"),
                ("blink_tree_basic/sizes/four", "pass"),
                ("blink_tree_basic/sizes/five", "pass"),
            ],
        )

    def test_failing_leaf_is_counted_once(self):
        text = "1..1\n    1..2\n    ok 1 a\n    not ok 2 b\nnot ok 1 outer"
        self.assertEqual(states(text), [("outer/a", "pass"), ("outer/b", "fail")])

    def test_failure_of_the_whole_alone(self):
        text = "1..1\n    1..1\n    ok 1 a\nnot ok 1 outer"
        self.assertEqual(states(text), [("outer/a", "pass"), ("outer", "fail")])

    def test_failing_leaf_under_a_good_result(self):
        text = "1..1\n    1..1\n    not ok 1 a\nok 1 outer"
        self.assertEqual(states(text), [("outer/a", "fail")])

    def test_truncated_within(self):
        text = "1..1\n    1..2\n    ok 1 a\nok 1 outer"
        self.assertEqual(details(text), ["2 tests planned, 1 ran"])

    def test_cut_off_within(self):
        text = "\n".join(textwrap.dedent(KUNIT).splitlines()[:8])
        self.assertEqual(
            details(text),
            [
                "the plan is missing",
                "no result follows the tests within",
                "2 tests planned, 1 ran",
                "no result follows the tests within",
                "1 tests planned, 0 ran",
            ],
        )

    def test_two_documents_for_one_result(self):
        text = "1..1\n  1..1\n  ok 1 a\n  TAP version 13\n  1..1\n  ok 1 b\nok 1 o"
        self.assertEqual(details(text), ["no result follows the tests within"])


if __name__ == "__main__":
    unittest.main()
