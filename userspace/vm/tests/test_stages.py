# SPDX-License-Identifier: GPL-2.0
"""How the output of a stage becomes results."""

import unittest
from unittest import mock

from harness import guest, stages, tap


def states(results):
    """The state of each result, by name."""
    return {result.name: result.state for result in results}


class Judges(unittest.TestCase):
    """What becomes of output, and of why a program failed."""

    def test_main_job_and_selftests(self):
        job, good = "the main job succeeds", "ok   1.23 s  load\nmain job: ok\n"
        tests = "selftests:\n1..2\nok 1 a\nok 2 b\n"
        for output, failure, found in (
            (good + tests, "", {job: tap.PASS, "a": tap.PASS, "b": tap.PASS}),
            ("main-job: no\n" + tests, "", {job: tap.FAIL, "a": tap.PASS, "b": tap.PASS}),
            ("main-job: no programs\n", "exit status 1", {job: tap.FAIL, "": tap.FAIL}),
        ):
            self.assertEqual(states(stages.job_and_tests(output, failure)), found)

    def test_what_a_program_says_instead_of_results_is_told(self):
        (result,) = stages.read_tap("make: 1\ncc: no such file\n", "exit status 2")
        self.assertEqual(result.state, tap.FAIL)
        self.assertEqual(
            result.detail, "no test ran: exit status 2\nmake: 1\ncc: no such file"
        )

    def test_the_failure_of_a_program_counts(self):
        results = stages.read_tap("1..1\nok 1 a\n", "it died")
        self.assertEqual(states(results), {"a": tap.PASS, "": tap.FAIL})

    def test_crates(self):
        good = stages.Stage("rust", stages.CI, lambda log: [tap.Result("", tap.PASS)])
        for output, state in (
            (("", ""), tap.PASS),
            (("1..0 # SKIP no crates: no route\n", ""), tap.SKIPPED),
            (("error: no such version\n", "exit status 1"), tap.FAIL),
            (("", "stood still for 600 s"), tap.FAIL),
        ):
            with mock.patch.object(stages, "command", return_value=output):
                results = stages.crates_stage(good).run(None)
            self.assertEqual([result.state for result in results], [state])


class Kernel(unittest.TestCase):
    """What a guest's kernel has to say of itself."""

    def failed(self, kernel, log="", append="", **values):
        """The names of the tests that fail."""
        wish = guest.Guest(kernel=kernel, append=append, leaks="leaks" in values)
        results = stages.kernel_results(wish, guest.Outcome(0, False, "", values, log))
        return [result.name for result in results if result.state == tap.FAIL]

    def test_checkers_watch(self):
        log = stages.KCSAN_WORKS
        self.assertEqual(self.failed("kcsan", log, kcsan="1"), [])
        for wrong in ({"log": log, "kcsan": "0"}, {"log": log}, {"kcsan": "1"}):
            self.assertEqual(self.failed("kcsan", **wrong), ["KCSAN watches"])
        self.assertEqual(self.failed("debug", lockdep="1", leaks="0"), [])
        self.assertEqual(
            self.failed("debug", lockdep="0", leaks="1"),
            ["lockdep is still on", "kmemleak finds nothing"],
        )
        self.assertEqual(
            self.failed("stock", "[ 1.0] BUG: scheduling while atomic: a/1/0x2\n"),
            ["the kernel's log has no report"],
        )

    def test_preemption(self):
        asked = {"kernel": "stock", "append": "a=b preempt=none"}
        self.assertEqual(self.failed(log="Dynamic Preempt: none", **asked), [])
        self.assertEqual(
            self.failed(log="Dynamic Preempt: full", **asked), ["the kernel preempts as asked"]
        )


class Order(unittest.TestCase):
    """The fast stages are told first, so they have to be run first."""

    everything = stages.all_stages()

    def test_fast_ones_come_first_and_guests_last(self):
        wanted = stages.in_order(self.everything)
        kinds = [(stage.guest, stage.level > stages.FAST) for stage in wanted]
        self.assertEqual(kinds, sorted(kinds))
        self.assertEqual(len(set(kinds)), 3)
        fast = [stage for stage in self.everything if stage.level == stages.FAST]
        self.assertEqual(wanted[: len(fast)], fast)
        # What guests need is built at once.
        self.assertEqual(tuple(stage.name for stage in wanted[:2]), stages.BUILDS)

    def test_each_has_a_name_for_its_files(self):
        names = [stage.name.replace(" ", "-") for stage in self.everything]
        self.assertEqual(len(names), len(set(names)))
