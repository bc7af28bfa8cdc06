# SPDX-License-Identifier: GPL-2.0
"""Rounds of benchmarks: which figures are too noisy, and whether table and file say so."""

import argparse
import pathlib
import sys
import unittest
from unittest import mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

# pylint: disable=wrong-import-position
from driver import rounds  # noqa: E402
from indexes import main, table  # noqa: E402


class Rule(unittest.TestCase):
    """Which rounds differ too much."""

    def noisy(self, *values):
        """Whether these do."""
        return rounds.summarise(values).noisy

    def test_one_round_is_not_noisy(self):
        self.assertFalse(self.noisy(1))

    def test_nothing_measured_is_not_noisy(self):
        self.assertFalse(self.noisy(0, 0, 0))

    def test_few_rounds(self):
        self.assertFalse(self.noisy(1, 1.14))
        self.assertTrue(self.noisy(1, 1.17))
        self.assertFalse(self.noisy(1, 1.1, 1.14))
        self.assertTrue(self.noisy(1.2, 1, 1.1))

    def test_of_five_rounds_one_slow_and_one_fast_do_not_count(self):
        self.assertFalse(self.noisy(100, 1.1, 1, 1.05, 0.01))
        self.assertTrue(self.noisy(1, 1.2, 1.2, 1, 1.1))

    def test_15_percent_are_the_limit(self):
        self.assertFalse(self.noisy(100, 108, 115, 100, 115))
        self.assertTrue(self.noisy(100, 108, 117, 100, 117))


class Ratio(unittest.TestCase):
    """Rounds beside the same rounds of another index."""

    def test_round_by_round(self):
        self.assertEqual(rounds.ratio([2, 4, 9], [1, 2, 3]).median, 2)

    def test_unknown(self):
        self.assertEqual(rounds.ratio([], [1]).median, 0)
        self.assertEqual(rounds.ratio([1, 1], [1, 0]).median, 0)


class Turns(unittest.TestCase):
    """The order of the measurements."""

    def test_all_settings_in_each_round(self):
        done = []
        with mock.patch.object(rounds, "say"):
            samples = rounds.measure("ab", 2, lambda one: done.append(one) or len(done))
        self.assertEqual(done, ["a", "b", "a", "b"])
        self.assertEqual(samples, [[1, 3], [2, 4]])

    def test_the_time_that_is_left(self):
        self.assertEqual(rounds.seconds_left([], 2, [1, 3], 2), 0)
        self.assertEqual(rounds.seconds_left([1], 2, [1, 3], 2), 7)
        self.assertEqual(rounds.seconds_left([1, 5], 2, [1, 3], 2), 6)
        self.assertEqual(rounds.seconds_left([1, 5, 1], 2, [1, 3], 2), 5)


class Output(unittest.TestCase):
    """An index whose inserts are steady and whose lookups are not, unless told so."""

    def results(self, slow):
        """The records, and the text."""
        args = argparse.Namespace(
            indexes=["some"], workloads=["insert", "lookup"], rounds=5, ops=10000
        )
        facts = {
            "machine": {"cpu": "c", "cpus": 1, "cache_bytes": [1024], "kernel": "k",
                        "huge_pages": "h", "compiler": "g", "compiled": "so",
                        "load_average": 0.0},
            "clock_ns": 20, "workloads": {"insert": "of inserts", "lookup": "of lookups"},
            "indexes": {"some": {"version": "v", "section": "s", "most_keys": 0}},
        }  # fmt: skip

        def sample(number):
            line = {"p999_ns": 1, "read_p999_ns": 1, "ran": 1, "bytes_per_key": 9}
            lookup = slow if number < 2 else 3
            return {"insert": {**line, "mops": 2}, "lookup": {**line, "mops": lookup}}

        found = {
            main.Setting(main.MEMORY, 10000, 1, 1): [{"16": {"ns_per_line": 7}}] * 5,
            main.Setting("some", 10000, 1, 1): [sample(number) for number in range(5)],
        }
        records, machine = main.results_of(found, args, facts)
        return records, table.text(records, machine)

    def test_a_noisy_figure_is_marked(self):
        records, text = self.results(2)
        self.assertEqual([record["noisy"] for record in records], [False, True])
        self.assertRegex(text, r"\nsome +2\.00 +~3\.00 +9\.0\n")
        self.assertIn(
            "too noisy (~), run again: the spread of 1 of 2 figures", text.splitlines()[-1]
        )

    def test_steady_figures_are_not_called_noisy(self):
        records, text = self.results(2.9)
        self.assertFalse(any(record["noisy"] for record in records))
        self.assertNotIn("~", text)
        self.assertNotIn("too noisy", text)


class Scale(unittest.TestCase):
    """One setting for each number of threads, up to all CPUs."""

    def threads(self, cpus):
        """The numbers of threads on a machine."""
        with mock.patch.object(main.machine, "cpus", lambda: cpus):
            return main.parse(argparse.ArgumentParser(), ["--scale"]).threads

    def test_powers_and_all(self):
        self.assertEqual(self.threads(1), [1])
        self.assertEqual(self.threads(2), [1, 2])
        self.assertEqual(self.threads(12), [1, 2, 4, 8, 12])
        self.assertEqual(self.threads(16), [1, 2, 4, 8, 16])

    def test_what_is_given_counts(self):
        args = main.parse(argparse.ArgumentParser(), ["--scale", "-t", "3", "-w", "scan"])
        self.assertEqual((args.threads, args.workloads), ([3], ["scan"]))
