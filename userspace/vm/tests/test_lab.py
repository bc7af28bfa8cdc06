# SPDX-License-Identifier: GPL-2.0
"""The laboratory's driver with a world whose answers are known."""

import argparse
import pathlib
import struct
import sys
import tempfile
import unittest
from unittest import mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

# pylint: disable=wrong-import-position
from driver import program  # noqa: E402
from harness import process  # noqa: E402
from lab import compare, events, figures, judge, main, study, table, worlds  # noqa: E402

ANSWER = (
    "number=1 threads=2 ops=1000 ns={0} wrong=0 retries=500 bytes=- entries=9"
    " each=250/{0},750/{0}\n"
)
# perf counted the second event for a part of the time, and the third not at all.
COUNTS = """# started on Mon

{"counter-value" : "12.000000", "unit" : "msec", "event" : "task-clock", "pcnt-running" : 100.00}
{"counter-value" : "4000", "unit" : "", "event" : "cycles", "pcnt-running" : 42.42}
{"metric-value" : 0.5, "metric-unit" : "insn per cycle"}
{"counter-value" : "<not counted>", "unit" : "", "event" : "branches", "pcnt-running" : 0.00}
"""
TIMED = "op=read count=4 sum=400 least=10 most=300 times=10:2,80:1,288:1\n"


class World:
    """The second scheme takes half the time; the third round takes all twice as long."""

    name = "made"
    mixes = {
        "numa-75-25": {"shares": {"read": 75, "insert": 25}},
        **{
            name: {"shares": {"read": 1}}
            for name in (*figures.NUMA_MIXES[:-1], "rcu-project", "rcu-ycsb")
        },
    }

    def __init__(self, failure=None):
        self.orders, self.failure = [], failure

    each = worlds.World.each

    def measure(self, order):
        """An answer, or a failure."""
        self.orders.append(worlds.words_of(order))
        if self.failure and self.failure[0] in order:
            raise self.failure[1]
        ns = (1000 if "lock-free" in order else 2000) * (1 + ("seed=3" in order))
        return worlds.read_answer(ANSWER.format(ns) + TIMED * ("timed=1" in order))


def options(**more):
    """The options of a command line."""
    return argparse.Namespace(**{
        "order": "random", "keys": 7, "ops": 8, "warm_up": 0, "quick": False, "cpus": 2,
        "threads": None, **more,
    })  # fmt: skip


def measured(name, world, rounds=3):
    """A study after its rounds, and its records by scheme and threads."""
    together = study.Rounds()
    one = study.Study(figures.FIGURES[name], options(threads=[1, 2]), together)
    with mock.patch.object(program, "say"):
        together.measure(world, rounds, 1)
    return one, {(r["scheme"], r["threads"], r["op"]): r for r in one.records(world)}


class Studies(unittest.TestCase):
    """Plans, rounds and records."""

    def test_plan(self):
        points = study.plan(figures.FIGURES["spiderman-13"], options())
        self.assertEqual([(one.threads, one.batch) for one in points[:2]], [(1, 1), (1, 16)])
        self.assertEqual(
            points[0].text(9),
            "scheme=spiderman:none mix=spiderman-a order=random threads=1 keys=7 ops=8 warm_up=0"
            " batch=1 node_bytes=0 shared=0 writers=0 timed=0 seed=9",
        )
        (shared,) = {one.shared for one in study.plan(figures.FIGURES["mxkernel-3"], options())}
        self.assertEqual(shared, 1)
        (writers,) = {one.writers for one in study.plan(figures.FIGURES["rcu-roles"], options())}
        self.assertEqual(writers, 1)
        figure = figures.FIGURES["numa-4.3"]
        self.assertEqual(study.threads_of(figure, 9), [4, 8, 9])
        self.assertEqual(study.threads_of(figure, 2), [1, 2])
        self.assertEqual(study.threads_of(figure, 64), list(figure.threads))

    def test_shared(self):
        """Equal points of two figures are measured once."""
        world, together = World(), study.Rounds()
        nine, eight = (
            study.Study(figures.FIGURES[name], options(threads=[1]), together)
            for name in ("olfit-9", "olfit-8")
        )
        with mock.patch.object(program, "say"):
            together.measure(world, 2, 1)
        self.assertEqual((len(nine.cells), len(eight.cells)), (36, 5))
        self.assertEqual(len(world.orders), 2 * 36)
        values = {one["scheme"]: one["rounds"] for one in nine.records(world)
                  if one["mix"] == "olfit-update"}  # fmt: skip
        for one in eight.records(world):
            self.assertEqual([each["value"] for each in one["rounds"]],
                             [each["value"] for each in values[one["scheme"]]])

    def test_rounds(self):
        world = World()
        one, found = measured("numa-4.3", world)
        self.assertEqual((len(one.cells), len(world.orders)), (10, 30))
        orders = [
            [(o["scheme"], o["threads"]) for o in world.orders if o["seed"] == seed]
            for seed in "123"
        ]
        self.assertNotEqual(orders[0], orders[1])
        self.assertEqual(sorted(orders[0]), sorted(orders[1]))
        record = found["mckenzie:lock-free", 2, None]
        self.assertEqual([record[f"value_{which}"] for which in ("median", "min", "max")],
                         [1000, 500, 1000])  # fmt: skip
        # A slow round is slow for both.
        self.assertEqual((record["ratio_min"], record["ratio_max"]), (2, 2))
        self.assertIn("23 (32 threads)", table.paper(record))
        self.assertEqual([one["each"] for one in record["rounds"]],
                         [[250, 750], [250, 750], [125, 375]])  # fmt: skip
        # A thread does three times what the other one does.
        self.assertEqual((record["slowest"], record["fastest"]), (0.5, 1.5))
        heads = table.figure(one.records(world)).splitlines()[2].split()
        self.assertEqual(heads[-3:], ["slowest", "fastest", "paper"])

    def test_retries(self):
        _, found = measured("numa-4.5", World(), 1)
        record = found["mckenzie:lock-free", 1, None]
        self.assertEqual((record["mix"], record["ratio_median"]), ("numa-75-25", None))
        self.assertAlmostEqual(record["value_median"], 500 / 750, 5)

    def test_times(self):
        _, found = measured("rcu-project", World(), 2)
        record = found["rcu:replace", 2, "read"]
        names = ("value_median", "count", "least_ns", "most_ns", "mean_ns", "p50_ns", "p99_ns")
        self.assertEqual([record[name] for name in names], [100, 8, 10, 300, 100, 10, 288])
        # Of 10, 10, 80 and 288.
        self.assertAlmostEqual(record["deviation_ns"], 113.9, places=1)

    def test_failures(self):
        refused = worlds.Unmeasured(worlds.errno.EOPNOTSUPP)
        world = World(("mckenzie:original", refused))
        one, found = measured("numa-4.3", world, 2)
        # It is listed, the others have no ratio, and it is not tried again.
        self.assertEqual(len(world.orders), 2 + 2 * 8)
        self.assertTrue(all(cell.refused for cell in one.cells if cell.failure))
        self.assertIsNone(found["mckenzie:lock-free", 1, None]["ratio_median"])
        self.assertIn("not for these operations", table.figure(one.records(world)))

    def test_signal(self):
        one, _ = measured("numa-4.3", World(("seed=2", process.Ended(130))))
        self.assertEqual(one.rounds.seeds, [1])

    def test_answers(self):
        good = ANSWER.format(4)
        self.assertIsNone(worlds.read_answer(good).bytes)
        self.assertEqual(worlds.read_answer(good).each, [(250, 4), (750, 4)])
        for bad in ("", "number=1 threads=2 ops=3\n", ANSWER.format(0), good + "op=read count=1\n",
                    good.replace("wrong=0", "wrong=1"), good.replace(",750/4", ""),
                    good.replace("750", "751"), good + TIMED.replace("10:2", "10")):
            with self.assertRaises(worlds.Unmeasured):
                worlds.read_answer(bad)

    def test_keys(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "keys")
            path.write_text("5\n0x10\n9223372036854775807")
            self.assertEqual(struct.unpack("=3Q", worlds.read_keys(path)), (5, 16, 2**63 - 1))
            for text, line in (("1\n9223372036854775808\n", 2), ("1\n-2", 2), ("1\n\n2", 2),
                               ("1 2", 1), ("7\n8\n7", 3), ("0x0x1", 1), ("1_0", 1)):
                path.write_text(text)
                with self.assertRaisesRegex(program.Failure, f"line {line}: "):
                    worlds.read_keys(path)


class Counting(World):
    """The third round has twice the events."""

    def measure(self, order):
        """An answer with events."""
        answer = super().measure(order)
        answer.events = events.read_counts(COUNTS.replace("4000", "8000" * ("seed=3" in order)
                                                          or "4000"))  # fmt: skip
        return answer


class Events(unittest.TestCase):
    """Events in records and tables."""

    def test_records(self):
        _, found = measured("numa-4.3", Counting())
        record = found["mckenzie:lock-free", 2, None]
        self.assertEqual(record["events"], {
            "task-clock": {"unit": "msec", "median": 0.012, "percent": 100, "missing": None},
            "cycles": {"unit": "", "median": 4, "percent": 42.42, "missing": None},
            "branches": {"unit": "", "median": None, "percent": 0, "missing": "not counted"},
        })  # fmt: skip
        self.assertEqual([one["events"]["cycles"] for one in record["rounds"]], [4, 4, 8])
        lines = table.figure([record]).splitlines()
        self.assertRegex(lines[2], r" task-clock msec/op +cycles/op +branches/op +paper$")
        self.assertRegex(lines[3], r" 0\.012 +~4 +- +23 \(32 threads\)$")
        self.assertEqual(lines[4:6], [
            "not counted here: branches",
            "~: scaled, as counted for a part of the time, at least 42 %",
        ])  # fmt: skip

    def test_without_them(self):
        one, found = measured("numa-4.3", World())
        record = found["mckenzie:lock-free", 2, None]
        self.assertNotIn("events", record)
        self.assertNotIn("events", record["rounds"][0])
        self.assertNotIn("/op", table.figure(one.records(World())))


class Options(unittest.TestCase):
    """Options that change figures, and the comparison of two files."""

    def test_names(self):
        self.assertEqual(main.changed(("a",), ["+b,c"]), ("a", "b", "c"))
        self.assertEqual(main.changed(("a",), ["b", "read=1,scan=2"]), ("b", "read=1,scan=2"))
        self.assertEqual(main.changed(("a",), None), ("a",))

    def test_written_mixes(self):
        self.assertIsNone(main.check_mix("read=90,insert=10,zipfian", World))
        for mix, why in (("read=90,write=10", "kind of operation write"), ("read=x", "no number"),
                         ("numa-75-52", "near: numa-75-25")):
            with self.assertRaisesRegex(program.Failure, why):
                main.check_mix(mix, World)
        self.assertEqual(study.shares_of("read=9,scan=1,entries=7,zipfian", World),
                         {"read": 9, "scan": 1})  # fmt: skip

    def test_threads(self):
        with self.assertRaisesRegex(program.Failure, "--threads 4: there are 2 CPUs"):
            study.check_threads([1, 4], 2)

    def test_comparison(self):
        _, found = measured("rcu-ycsb", World(), 1)
        record = found["rcu:occ", 2, None]

        def rounds(value):
            noise = (0.98, 1.02, 0.99, 1.01, 1, 0.985, 1.015)
            return [{**record, "rounds": [{"value": value * step} for step in noise]}]

        for first, second, answer in (
            (10, 13, "greater"), (10, 7, "less"), (10, 10.01, "alike"), (10, 10.3, judge.NOISY),
        ):  # fmt: skip
            (row,) = compare.rows(rounds(first), rounds(second))
            self.assertEqual(row[-1], answer)
        self.assertEqual(compare.rows(rounds(1), []), [])
