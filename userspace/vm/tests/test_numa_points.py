# SPDX-License-Identifier: GPL-2.0
"""What counted points of figures are compared with, and what is wrong with them."""

import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

# pylint: disable=wrong-import-position
from lab import figures  # noqa: E402
from numa import counts, lab, points, points_table  # noqa: E402

ORDER = "scheme={} mix={} order=random threads={} keys=9 ops=9 batch={} node_bytes={} timed=1"


def record(scheme, mix="numa-100-0", batch=1, node_bytes=0, remote=2.0):
    """A record of which only these matter."""
    return {
        "nodes": 2, "figure": "numa-4.3", "scheme": scheme, "mix": mix, "batch": batch,
        "node_bytes": node_bytes, "threads": 4, "retries_per_op": None,
        "insn_per_op": 8.0, "local_per_op": 4.0, "remote_per_op": remote,
        "transfers_per_op": 0.0,
    }  # fmt: skip


class Plan(unittest.TestCase):
    """Which points of a figure are counted."""

    def planned(self, threads=(2,), schemes=("a",), **more):
        """The points of such a figure, in a guest of four CPUs."""
        figure = figures.Figure("f", "", "", "", schemes, ("m",), threads, **more)
        return points.of_figure(figure, 4, 9, 7)

    def test_the_most_threads(self):
        found = self.planned((2, 4, 8), ("a", "b"))
        self.assertEqual(
            [(one.words["scheme"], one.threads()) for one in found], [("a", 4), ("b", 4)]
        )

    def test_batches_and_sizes_are_apart(self):
        self.assertEqual(len(self.planned(batches=(1, 8), node_bytes=(0, 64))), 4)

    def test_schemes_for_one_thread(self):
        (found,) = self.planned((4,), (figures.ALONE[0],))
        self.assertEqual(found.threads(), 1)

    def test_order(self):
        (found,) = self.planned((4,), unit=figures.TIMES)
        for word in ("point scheme=a mix=m ", " turns=1", " timed=0", " warm_up=7"):
            self.assertIn(word, found.order())


class Outcome(unittest.TestCase):
    """From an answer and a dump to a record."""

    dump = [
        {"class": "call", "cpu": 0, "ops": 10, "insns": 500},
        {"class": "call", "kind": "rest", "loads": [30, 10], "stores": [0, 5], "transfers": 2},
        {"class": "call", "kind": "level 0", "loads": [10, 0], "stores": [0, 0], "transfers": 3},
        {"class": "outside", "kind": "rest", "loads": [9, 9], "stores": [9, 9], "transfers": 9},
    ]

    def outcome(self, ops, retries):
        """An answer of the module."""
        return lab.Outcome({"ops": ops, "threads": "4", "retries": retries, "entries": "9"})

    def point(self, batch=1):
        """A point of a figure."""
        words = ORDER.format("a", "m", 4, batch, 0).split()
        return points.Point("f", dict(word.split("=", 1) for word in words))

    def test_all_memory_counts(self):
        figures = counts.of_calls(self.dump, 10)
        self.assertEqual(list(figures.values()), [50, 4, 1.5, 0.5])

    def test_record(self):
        found = points.record(2, self.point(), self.outcome("10", "5"), self.dump)
        self.assertEqual((found["insn_per_op"], found["retries_per_op"]), (50, 0.5))
        found = points.record(2, self.point(8), self.outcome("80", "-"), self.dump)
        self.assertEqual((found["insn_per_op"], found["retries_per_op"]), (6.25, None))

    def test_calls_that_were_not_seen(self):
        with self.assertRaises(lab.Failure):
            points.record(2, self.point(), self.outcome("11", "-"), self.dump)


class Judgement(unittest.TestCase):
    """Ratios, and reads that are not where they should be."""

    def test_baseline(self):
        records = [
            record("a", remote=4.0), record("a", batch=8, remote=9.0),
            record("a", node_bytes=64, remote=9.0), record("b", remote=2.0),
            record("a", mix="m", remote=8.0), record("b", mix="m", remote=2.0),
            record("b", mix="n"),
        ]  # fmt: skip
        points.compare(records)
        ratios = [one["ratio_to_baseline"]["remote_per_op"] for one in records]
        self.assertEqual(ratios, [1, 2.25, 2.25, 0.5, 1, 0.25, None])
        self.assertIsNone(records[0]["ratio_to_baseline"]["transfers_per_op"])
        self.assertIn("(counted, no time)", points_table.text(records))

    def test_astray(self):
        far = points.REMOTE_READ + 1
        good = [
            record("mckenzie:original", remote=far), record("mckenzie:replicated-local"),
            record("mckenzie:lock-free+local", mix="numa-75-25", remote=far),
        ]  # fmt: skip
        self.assertEqual(points.astray(good), [])
        for scheme in ("mckenzie:replicated-local", "mckenzie:lock-free+all"):
            self.assertEqual(len(points.astray([record(scheme, remote=far)])), 1)
