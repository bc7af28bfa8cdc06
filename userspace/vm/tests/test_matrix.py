# SPDX-License-Identifier: GPL-2.0
"""Which kernels the matrix takes, and how it judges a run of each."""

import unittest

from harness import matrix, stages, tap

JOB = "main job:\nok   0.06 s  info\nmain job: ok\n"
TESTS = """\
selftests:
KTAP version 1
1..2
    TAP version 13
    1..2
    ok 1 a
    ok 2 b # SKIP no such device
ok 1 abi
    TAP version 13
    1..1
    {0}ok 1 c
{0}ok 2 ops
"""
GOOD = JOB + TESTS.format("")
LATENCY = """\
stress:
TAP version 13
latency:
TAP version 13
1..2
# timerlat: 4752 samples, the largest 390 us
ok 1 - timerlat
# hwlat: 0 samples, the largest 0 us
{}ok 2 - hwlat
"""


class Choice(unittest.TestCase):
    """The newest of each series, by number."""

    def test_candidates(self):
        for names in (
            ["6.12.117+deb12-amd64", "6.12.107+deb12-amd64", "6.12.95+deb12-amd64"],
            ["6.12.115+deb13.1-rt-amd64", "6.12.115+deb13-rt-amd64"],
        ):
            self.assertEqual(matrix.choose({"a": sorted(names)}), [("a", names)])

    def test_each_distribution_and_flavour_is_a_series(self):
        chosen = matrix.choose({
            "trixie": ["7.3.4+deb13-amd64", "6.12.117+deb13-amd64", "7.2.9+deb13-amd64"],
            "bookworm": ["6.12.117+deb12-rt-amd64", "6.1.0-9-amd64", "6.1.0-56-amd64",
                         "6.12-amd64", "7.3.4+deb13-cloud-amd64", "6.1.0-56-686-pae"],
            "sid": [],
        })  # fmt: skip
        self.assertEqual(
            [f"{suite} {names[0]}" for suite, names in chosen],
            ["bookworm 6.1.0-56-amd64", "bookworm 6.12.117+deb12-rt-amd64",
             "trixie 6.12.117+deb13-amd64", "trixie 7.2.9+deb13-amd64",
             "trixie 7.3.4+deb13-amd64"],
        )  # fmt: skip


class Judgement(unittest.TestCase):
    """A record, from what a guest printed."""

    def judge(self, output, failure="", kernel="6.1.0-56-amd64"):
        """The record of a kernel that was built for."""
        results = [stages.one(stages.BUILDS_WELL, "")]
        results += matrix.judge(kernel, output, failure)
        return matrix.record("bookworm", kernel, results, output)

    def test_good(self):
        found = self.judge(GOOD)
        self.assertTrue(found["built"] and found["booted"] and found["main_job"])
        tests = [found[f"selftests_{word}"] for word in ("passed", "failed", "skipped")]
        self.assertEqual((tests, found["failures"]), ([2, 0, 1], []))
        self.assertEqual((found["arch"], found["flavour"]), ("amd64", "default"))

    def test_failures(self):
        for output, failures in (
            (JOB + TESTS.format("not "), ["selftests/ops/c"]),
            (GOOD.replace("main job: ok", "no"), ["the main job succeeds"]),
            (GOOD.replace("main job: ok", "no") + "main job: ok\n", ["the main job succeeds"]),
            (GOOD.replace("ok 2 ops", ""), ["selftests", "selftests"]),
            ("", ["the main job succeeds", "selftests"]),
        ):
            self.assertEqual(self.judge(output)["failures"], failures)
        self.assertFalse(self.judge("")["booted"])

    def test_latency(self):
        rt = "6.1.0-56-rt-amd64"
        found = self.judge(GOOD + LATENCY.format(""), kernel=rt)
        self.assertEqual((found["failures"], found["flavour"]), ([], "rt"))
        self.assertEqual(found["latency"]["timerlat"], {"samples": 4752, "largest_us": 390})
        self.assertEqual(self.judge(GOOD, kernel=rt)["failures"], ["latency"])
        found = self.judge(GOOD + LATENCY.format("not "), kernel=rt)
        self.assertEqual(found["failures"], ["latency/hwlat"])

    def test_table(self):
        lines = list(matrix.table([
            self.judge(GOOD + LATENCY.format(""), kernel="7.3.4+deb13-rt-amd64"),
            matrix.record("sid", "none", [tap.Result("it can be had", tap.FAIL)]),
        ]))  # fmt: skip
        self.assertIn("built, booted, main_job  2 passed, 0 failed, 1 skipped", lines[1])
        self.assertTrue(lines[2].endswith("not ok: it can be had"))
        self.assertEqual(lines[1].index("2 passed"), lines[2].index("0 passed"))
        self.assertIn("timerlat: 4752 samples, the largest 390 us (emulated)", lines[3])
