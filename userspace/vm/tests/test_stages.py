# SPDX-License-Identifier: GPL-2.0
"""How the output of a stage becomes results."""

import unittest
from unittest import mock

from harness import guest, stages, tap

CLI = "TAP version 13\n1..2\nok 1 a\n%s\n"
JOB = "main job:\nok   1.23 s  load\nmain job: ok\n"


class JobAndTests(unittest.TestCase):
    """The main job comes first."""

    OUTPUT = "ok   1.23 s  load\nmain job: ok\nselftests:\n" + CLI

    def states(self, output, failure=""):
        """The state of each result, by name."""
        return {result.name: result.state for result in stages.job_and_tests(output, failure)}

    def test_good(self):
        states = self.states(self.OUTPUT % "ok 2 b")
        self.assertEqual(states, {"the main job succeeds": tap.PASS, "a": tap.PASS, "b": tap.PASS})

    def test_the_main_job_fails(self):
        states = self.states((self.OUTPUT % "ok 2 b").replace("main job: ok", "main-job: no"))
        self.assertEqual(states["the main job succeeds"], tap.FAIL)

    def test_the_selftests_do_not_run(self):
        states = self.states("main-job: no programs\n", "exit status 1")
        self.assertEqual(set(states.values()), {tap.FAIL})
        self.assertEqual(len(states), 2)


class Tap(unittest.TestCase):
    """A program that prints its results."""

    def test_what_it_says_instead_of_results_is_told(self):
        (result,) = stages.read_tap("make: 1\ncc: no such file\n", "exit status 2")
        self.assertEqual(result.state, tap.FAIL)
        self.assertEqual(
            result.detail, "no test ran: exit status 2\nmake: 1\ncc: no such file"
        )

    def test_its_failure_counts(self):
        states = [result.state for result in stages.read_tap("1..1\nok 1 a\n", "it died")]
        self.assertEqual(states, [tap.PASS, tap.FAIL])


class MainJob(unittest.TestCase):
    """It judges itself."""

    def states(self, failure):
        """The state of each result."""
        return [result.state for result in stages.main_job(JOB, failure)]

    def test_good(self):
        self.assertEqual(self.states(""), [tap.PASS])

    def test_it_fails(self):
        self.assertEqual(self.states("exit status 1"), [tap.FAIL])


class Kernel(unittest.TestCase):
    """What a guest's kernel has to say of itself."""

    def failed(self, log="", append="", **values):
        """The names of the tests that fail."""
        wish = guest.Guest(kernel="kcsan", append=append)
        outcome = guest.Outcome(0, False, "", values, log)
        results = stages.kernel_results(wish, outcome)
        return [result.name for result in results if result.state == tap.FAIL]

    def test_kcsan_watches(self):
        log = stages.KCSAN_WORKS
        self.assertEqual(self.failed(log, kcsan="1"), [])
        self.assertEqual(self.failed(log, kcsan="0"), ["KCSAN watches"])
        self.assertEqual(self.failed(log), ["KCSAN watches"])
        self.assertEqual(self.failed(kcsan="1"), ["KCSAN watches"])

    def test_preemption(self):
        asked = {"append": "a=b preempt=none", "kcsan": "1"}
        log = f"{stages.KCSAN_WORKS}\nDynamic Preempt: "
        self.assertEqual(self.failed(log + "none", **asked), [])
        self.assertEqual(
            self.failed(log + "full", **asked), ["the kernel preempts as asked"]
        )


class Crates(unittest.TestCase):
    """Stages that need crates are skipped only where these cannot be fetched."""

    def states(self, text, failure=""):
        """The states of the results, when fetching has this output."""
        good = stages.Stage("rust", stages.CI, lambda log: [tap.Result("", tap.PASS)])
        with mock.patch.object(stages, "command", return_value=(text, failure)):
            return [result.state for result in stages.crates_stage(good).run(None)]

    def test_fetched(self):
        self.assertEqual(self.states(""), [tap.PASS])

    def test_no_network(self):
        self.assertEqual(self.states("1..0 # SKIP no crates: no route\n"), [tap.SKIPPED])

    def test_mistakes(self):
        self.assertEqual(self.states("error: no such version\n", "exit status 1"), [tap.FAIL])
        self.assertEqual(self.states("", "did not end within 600 s"), [tap.FAIL])

    def test_only_ci_runs_them(self):
        crates = [stage for stage in stages.all_stages() if stage.name.startswith("rust")]
        self.assertEqual([stage.level for stage in crates], [stages.CI] * 2)


class Names(unittest.TestCase):
    """A stage is asked for by its name, which its files have too."""

    def test_each_has_one(self):
        names = [stage.name.replace(" ", "-") for stage in stages.all_stages()]
        self.assertEqual(len(names), len(set(names)))


class Order(unittest.TestCase):
    """The fast lane is told first, so it has to be run first."""

    def test_fast_ones_come_first_and_guests_last(self):
        wanted = stages.in_order(stages.all_stages())
        kinds = [(stage.guest, stage.level > stages.FAST) for stage in wanted]
        self.assertEqual(kinds, sorted(kinds))
        self.assertEqual(len(set(kinds)), 3)

    def test_otherwise_it_stays(self):
        everything = stages.all_stages()
        fast = [stage for stage in everything if stage.level == stages.FAST]
        self.assertEqual(stages.in_order(everything)[: len(fast)], fast)

    def test_what_guests_need_is_built_at_once(self):
        wanted = stages.in_order(stages.all_stages())
        self.assertEqual(tuple(stage.name for stage in wanted[:2]), stages.BUILDS)


if __name__ == "__main__":
    unittest.main()
