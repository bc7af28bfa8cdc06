# SPDX-License-Identifier: GPL-2.0
"""Which kernels the matrix takes, and how it judges a run of each."""

import dataclasses
import json
import types
import unittest

from harness import matrix

SELFTESTS = """\
matrix: selftests
KTAP version 1
1..2
    TAP version 13
    1..2
    ok 1 a
    ok 2 b # SKIP no such device
ok 1 abi
    TAP version 13
    1..1
    {}ok 1 c
{}ok 2 ops
"""
MAIN_JOB = "matrix: main job\nok   0.06 s  info\nmain job: ok\n"
LATENCY = """\
matrix: latency
TAP version 13
1..2
# timerlat: 4752 samples, the largest 390 us
ok 1 - timerlat
# hwlat: {} samples, the largest 12 us
{}ok 2 - hwlat
"""


def outcome(log="", failure=""):
    """What harness.guest tells of a run, as far as it matters here."""
    return types.SimpleNamespace(log=log, failure=failure)


class Choice(unittest.TestCase):
    """The newest of each series."""

    def test_series(self):
        for release, expected in (
            ("6.1.0-56-amd64", ("6.1", "", "default", "amd64")),
            ("6.1.0-56-rt-amd64", ("6.1", "", "rt", "amd64")),
            ("6.12.117+deb12-amd64", ("6.12", "deb12", "default", "amd64")),
            ("6.12.115+deb13.1-rt-amd64", ("6.12", "deb13", "rt", "amd64")),
            ("6.12.9+bpo-arm64", ("6.12", "bpo", "default", "arm64")),
        ):
            with self.subTest(release):
                series = matrix.series_of(release, "s")
                self.assertEqual(series, matrix.Series("s", *expected))

    def test_other_kernels_are_left_out(self):
        for name in ("6.12-amd64", "7.3.4+deb13-cloud-amd64", "amd64", "6.1.0-56-686-pae"):
            self.assertIsNone(matrix.series_of(name, "s"), name)

    def test_one_kernel_is_for_arm64(self):
        every = [matrix.questions(suite, None) for suite in ("bookworm", "trixie")]
        self.assertEqual(
            every, [[("list", "bookworm"), ("newest", "bookworm:arm64")], [("list", "trixie")]]
        )
        self.assertEqual(matrix.questions("bookworm", "amd64"), [("list", "bookworm")])
        self.assertEqual(matrix.questions("sid", "arm64"), [("list", "sid:arm64")])

    def test_newest_is_first_by_number(self):
        names = ["6.12.95+deb12-amd64", "6.12.117+deb12-amd64", "6.12.107+deb12-amd64"]
        ((_, candidates),) = matrix.choose({"bookworm": names})
        self.assertEqual(candidates, [names[1], names[2], names[0]])

    def test_point_update_is_newer(self):
        names = ["6.12.115+deb13-amd64", "6.12.115+deb13.1-amd64"]
        ((_, candidates),) = matrix.choose({"trixie": names})
        self.assertEqual(candidates, names[::-1])

    def test_each_distribution_and_flavour_is_a_series(self):
        chosen = matrix.choose(
            {
                "trixie": ["7.3.4+deb13-amd64", "6.12.117+deb13-amd64", "7.2.9+deb13-amd64"],
                "bookworm": ["6.12.117+deb12-rt-amd64", "6.1.0-9-amd64", "6.1.0-56-amd64"],
            }
        )
        self.assertEqual(
            [candidates[0] for _, candidates in chosen],
            [
                "6.1.0-56-amd64",
                "6.12.117+deb12-rt-amd64",
                "6.12.117+deb13-amd64",
                "7.2.9+deb13-amd64",
                "7.3.4+deb13-amd64",
            ],
        )

    def test_nothing(self):
        self.assertEqual(matrix.choose({"sid": []}), [])


class Judgement(unittest.TestCase):
    """A record, from what a guest printed."""

    def judge(self, output, log="", failure="", flavour="default"):
        """The record of a kernel that was built for."""
        record = matrix.Record("6.1.0-56-amd64", "bookworm", "amd64", flavour, built=True)
        matrix.judge(record, output, outcome(log, failure))
        return record

    def test_good(self):
        record = self.judge(MAIN_JOB + SELFTESTS.format("", ""))
        self.assertTrue(record.good())
        self.assertEqual(
            (record.selftests_passed, record.selftests_failed, record.selftests_skipped),
            (2, 0, 1),
        )

    def test_selftest_fails(self):
        record = self.judge(MAIN_JOB + SELFTESTS.format("not ", "not "))
        self.assertFalse(record.good())
        self.assertEqual(record.selftests_failed, 1)
        self.assertEqual(record.failures, ["ops/c"])

    def test_main_job_fails(self):
        output = "matrix: main job\nmain-job: wrong\n" + SELFTESTS.format("", "")
        record = self.judge(output)
        self.assertFalse(record.main_job)
        self.assertFalse(record.good())

    def test_main_job_counts_only_in_its_part(self):
        text = SELFTESTS.format("", "") + "main job: ok\n"
        self.assertFalse(self.judge("matrix: main job\n" + text).main_job)

    def test_never_booted(self):
        record = self.judge("", failure="the guest died")
        self.assertFalse(record.booted)
        self.assertFalse(record.good())
        self.assertEqual(record.failures, ["the guest died"])

    def test_died_halfway(self):
        cut = SELFTESTS.partition("ok 1 abi")[0]
        record = self.judge(MAIN_JOB + cut, failure="the guest died")
        self.assertTrue(record.booted and record.main_job)
        self.assertFalse(record.good())

    def test_report_of_the_kernel(self):
        log = "[    1.0] fine\n[    2.0] BUG: scheduling while atomic: a/1/0x2\n"
        record = self.judge(MAIN_JOB + SELFTESTS.format("", ""), log)
        self.assertEqual(record.reports, 1)
        self.assertFalse(record.good())

    def test_not_built(self):
        record = self.judge(MAIN_JOB + SELFTESTS.format("", ""))
        record.built = False
        self.assertFalse(record.good())

    def test_latency(self):
        good = MAIN_JOB + SELFTESTS.format("", "")
        record = self.judge(good + LATENCY.format(9, ""), flavour="rt")
        self.assertTrue(record.good())
        self.assertEqual(record.latency["timerlat"], {"samples": 4752, "largest_us": 390})
        self.assertFalse(self.judge(good, flavour="rt").good())
        record = self.judge(good + LATENCY.format(0, "not "), flavour="rt")
        self.assertFalse(record.good())
        self.assertIn("hwlat", record.failures[0])


class Table(unittest.TestCase):
    """What people and programs read."""

    def test_rows(self):
        good = matrix.Record(
            "7.3.4+deb13-rt-amd64", "trixie", "amd64", "rt", "2026-11-22",
            True, True, True, 9, 0, 2, 0, {"timerlat": {"samples": 3, "largest_us": 4}},
        )  # fmt: skip
        bad = matrix.Record("none", "sid", failures=["the suite cannot be had"])
        lines = list(matrix.table([good, bad]))
        self.assertEqual(len(lines), 4)
        self.assertIn("9 passed, 0 failed, 2 skipped", lines[1])
        self.assertTrue(lines[2].endswith("not ok: the suite cannot be had"))
        self.assertEqual(lines[1].index("9 passed"), lines[2].index("0 passed"))
        self.assertIn("timerlat: 3 samples, the largest 4 us (emulated)", lines[3])

    def test_record_is_for_programs(self):
        record = json.loads(json.dumps(dataclasses.asdict(matrix.Record("k", "s"))))
        for key in ("kernel", "arch", "flavour", "built", "booted", "main_job",
                    "selftests_passed", "selftests_failed"):  # fmt: skip
            self.assertIn(key, record)


if __name__ == "__main__":
    unittest.main()
