# SPDX-License-Identifier: GPL-2.0
"""How the output of a stage becomes results."""

import unittest

from harness import stages, tap

CLI = "TAP version 13\n1..2\nok 1 a\n%s\n"
JOB = "main job:\nok   1.23 s  load\nmain job: ok\n"


class Device(unittest.TestCase):
    """Two parts of one output."""

    def states(self, output, failure=""):
        """The state of each result, by name."""
        return {result.name: result.state for result in stages.device(output, failure)}

    def test_good(self):
        states = self.states(CLI % "ok 2 b" + JOB)
        self.assertEqual(set(states.values()), {tap.PASS})
        self.assertEqual(len(states), 3)

    def test_the_command_fails(self):
        states = self.states(CLI % "not ok 2 b" + JOB)
        self.assertEqual(states["cli/b"], tap.FAIL)
        self.assertEqual(states["the main job succeeds"], tap.PASS)

    def test_the_command_dies(self):
        states = self.states(CLI % "Bail out! exit status 139" + JOB)
        self.assertIn(tap.FAIL, states.values())

    def test_the_main_job_fails(self):
        states = self.states(CLI % "ok 2 b" + JOB, "exit status 1")
        self.assertEqual(states["the main job succeeds"], tap.FAIL)
        self.assertEqual(states["cli/b"], tap.PASS)

    def test_nothing_ran(self):
        self.assertNotIn(tap.PASS, self.states("", "exit status 125").values())


if __name__ == "__main__":
    unittest.main()
