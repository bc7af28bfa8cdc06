# SPDX-License-Identifier: GPL-2.0
"""The judge of the laboratory: each answer for each relation, by rounds that are made."""

import pathlib
import random
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

# pylint: disable=wrong-import-position
from lab import claims, figures, judge  # noqa: E402


def results(cells, world="native", nodes=1):
    """The results of cells: by place, the values of their rounds."""
    base = {"threads": 2, "batch": 1, "node_bytes": 0, "op": None}
    return {
        "world": world, "machine": {"nodes": nodes},
        "records": [
            {**base, "figure": "olfit-10", "mix": "olfit-update", **place,
             "rounds": [{"seed": seed, "ops": place.get("ops", 10**6), "value": value,
                         "ratio": value / 10} for seed, value in enumerate(values)]}
            for place, values in cells
        ],
    }  # fmt: skip


def judged(test, *cells, **more):
    """The answer about a test of cells."""
    one = judge.Judge(results(cells, **more))
    return judge.together([found["answer"] for found in one.test(test)])


# Seven rounds about a value.
def about(value, noise=0.02):
    """Some below, some above."""
    return [value * (1 + noise * step) for step in (-1, 1, -0.5, 0.5, 0, -0.8, 0.7)]


class Verdicts(unittest.TestCase):
    """Each answer for each relation."""

    def test_greater(self):
        test = claims.Test("greater", "olfit-10", "a", mixes=("olfit-update",), threads=8)
        for values, answer in (
            (about(15), judge.AGREES), (about(6), judge.DISAGREES), (about(10), judge.NOISY),
            # The median is above, but rounds are not enough, or differ too much.
            (about(15)[:5], judge.NOISY), (about(11, 0.5), judge.NOISY), ([], judge.UNMEASURED),
        ):  # fmt: skip
            self.assertEqual(judged(test, ({"scheme": "a"}, values)), answer)
        self.assertEqual(judged(test, ({"scheme": "b"}, about(15))), judge.UNMEASURED)

    def test_numbers(self):
        for threads, value, answer in (
            # With as many threads as the paper the number decides, with fewer the direction.
            (8, 30, judge.AGREES), (8, 20, judge.DISAGREES), (8, 36, judge.NOISY),
            (2, 20, judge.AGREES), (2, 8, judge.DISAGREES), (1, 30, judge.UNMEASURED),
        ):  # fmt: skip
            test = claims.Test("exactly", "olfit-10", "a", 3, threads=8)
            cell = {"scheme": "a", "threads": threads}
            self.assertEqual(judged(test, (cell, about(value))), answer)
        strict = claims.Test("about", "olfit-10", "a", threads=8, strict=True)
        self.assertEqual(judged(strict, ({"scheme": "a"}, about(10))), judge.UNMEASURED)
        self.assertEqual(
            judged(strict, ({"scheme": "a", "threads": 8}, about(10))), judge.AGREES
        )

    def test_best_and_worst(self):
        schemes = ("olfit:ol", "olfit:vn", "olfit:vt")
        cells = [({"scheme": name}, about(value)) for name, value in zip(schemes, (9, 5, 5.01))]
        # Rounds of the last one are in another order: what is slow for one is not for it.
        cells[2][1].reverse()
        for relation, scheme, answer in (
            ("best", "ol", judge.AGREES), ("best", "vn", judge.DISAGREES),
            ("worst", "ol", judge.DISAGREES), ("worst", "vn", judge.NOISY),
        ):  # fmt: skip
            test = claims.Test(relation, "olfit-10", f"olfit:{scheme}")
            self.assertEqual(judged(test, *cells), answer)
            # One that a user added to the figure is no rival.
            self.assertEqual(judged(test, *cells, ({"scheme": "mine"}, about(99))), answer)
        alone = claims.Test("best", "olfit-10", "olfit:ol")
        self.assertEqual(judged(alone, cells[0]), judge.UNMEASURED)

    def test_best_size(self):
        cells = [
            ({"figure": "olfit-6", "scheme": "olfit:ol", "mix": "olfit-search", "threads": 8,
              "node_bytes": size}, about(value))
            for size, value in ((280, 7), (536, 9), (1048, 8))
        ]  # fmt: skip
        for size, answer in ((280, judge.DISAGREES), (536, judge.AGREES)):
            test = claims.Test("best", "olfit-6", "olfit:ol", node_bytes=size, along="node_bytes")
            self.assertEqual(judged(test, *cells), answer)

    def test_the_least_time_is_the_best(self):
        cells = [
            ({"figure": "rcu-project", "mix": "rcu-project", "scheme": name, "op": "read"},
             about(value))
            for name, value in (("rcu:path", 50), ("rcu:occ", 60))
        ]  # fmt: skip
        for scheme, answer in (("rcu:path", judge.AGREES), ("rcu:occ", judge.DISAGREES)):
            test = claims.Test("best", "rcu-project", scheme, kind="read")
            self.assertEqual(judged(test, *cells), answer)

    def test_trends(self):
        for values, answer in (((5, 9), judge.AGREES), ((9, 5), judge.DISAGREES),
                               ((9, 9), judge.NOISY), ((9,), judge.UNMEASURED)):
            cells = [({"scheme": "a", "threads": n}, about(value)[:: 3 - 2 * n])
                     for n, value in enumerate(values, 1)]  # fmt: skip
            test = claims.Test("grows", "olfit-10", "a", along="threads")
            self.assertEqual(judged(test, *cells), answer)

    def test_growth_from_nothing(self):
        cells = [
            ({"figure": "numa-4.5", "scheme": "s", "mix": mix, "node_bytes": figures.PAGE,
              "threads": 4}, [value] * 7)
            for mix, value in (("numa-75-25", 0.6), ("numa-100-0", 0))
        ]  # fmt: skip
        test = claims.Test("grows", "numa-4.5", "s", along="mix")
        self.assertEqual(judged(test, *cells), judge.AGREES)
        below = claims.Test("less", "numa-4.5", "s", 0.5, mixes=("numa-75-25",))
        self.assertEqual(judged(below, *cells), judge.DISAGREES)

    def test_other_schemes_and_figures(self):
        cells = [({"scheme": "a"}, about(12)), ({"scheme": "b"}, about(20)),
                 ({"figure": "olfit-8", "scheme": "a"}, about(30))]  # fmt: skip
        for more, answer in (({}, judge.AGREES), ({"to": "b"}, judge.DISAGREES),
                             ({"beside": ("olfit-8", "a")}, judge.DISAGREES),
                             ({"beside": ("olfit-7", "a")}, judge.UNMEASURED)):
            test = claims.Test("greater", "olfit-10", "a", mixes=("olfit-update",), **more)
            self.assertEqual(judged(test, *cells), answer)

    def test_too_few_operations(self):
        test = claims.Test("less", "rcu-project", "a", kind="insert")
        for ops, answer in ((judge.OPS_MIN, judge.AGREES), (181, judge.NOISY)):
            cell = {"figure": "rcu-project", "mix": "rcu-project", "scheme": "a", "op": "insert",
                    "ops": ops}  # fmt: skip
            self.assertEqual(judged(test, (cell, about(5))), answer)

    def test_crossing(self):
        (claim,) = (one for one in claims.CLAIMS if one.name == "O12")
        for at_20, answer in ((12, judge.AGREES), (5.9, judge.DISAGREES), (10, judge.NOISY)):
            found = judge.Judge(results([
                ({"scheme": "olfit:vt", "mix": "olfit-20"}, about(at_20)),
                ({"scheme": "olfit:vt"}, about(5.1)),
            ])).claim(claim)  # fmt: skip
            self.assertEqual(found["answer"], answer)

    def test_numa_nodes(self):
        (claim,) = (one for one in claims.CLAIMS if one.name == "N13")
        cell = {"figure": "numa-4.7", "scheme": "mckenzie:replicated-local", "mix": "numa-75-25",
                "node_bytes": figures.PAGE, "threads": 32}  # fmt: skip
        for world, nodes, answer in (
            ("native", 4, judge.UNMEASURED), ("kernel", 1, judge.UNMEASURED),
            ("kernel", 4, judge.AGREES),
        ):  # fmt: skip
            found = judge.Judge(results([(cell, about(830))], world, nodes)).claim(claim)
            self.assertEqual(found["answer"], answer)

    def test_counts(self):
        base = {"figure": "olfit-model", "mix": "olfit-search", "batch": 1, "nodes": 2}
        for lc, ol, answer in (
            (2.57, 0, judge.AGREES), (3.1, 0, judge.DISAGREES), (2.5, 0.4, judge.DISAGREES),
        ):  # fmt: skip
            (found,) = judge.counted([
                {**base, "scheme": f"olfit:{name}", "transfers_per_op": transfers,
                 "model_transfers_per_op": model}
                for name, transfers, model in (("lc", lc, 2.5), ("ol", ol, 0))
            ])  # fmt: skip
            self.assertEqual((found["claim"], found["answer"]), ("O14", answer))
        base |= {"figure": "numa-4.7", "mix": "numa-75-25"}
        both = [
            {**base, "scheme": f"mckenzie:{name}", "transfers_per_op": transfers}
            for name, transfers in (("replicated-all", 273), ("original", 71))
        ]
        for records, answer in ((both, judge.AGREES), (both[1:], judge.UNMEASURED)):
            found = {one["claim"]: one["answer"] for one in judge.counted(records)}
            self.assertEqual(found.get("N14"), answer)

    def test_one_answer_for_several_tests(self):
        for answers, answer in (
            ([judge.AGREES] * 2, judge.AGREES), ([], judge.UNMEASURED),
            ([judge.AGREES, judge.NOISY], judge.NOISY),
            ([judge.NOISY, judge.UNMEASURED], judge.UNMEASURED),
            ([judge.UNMEASURED, judge.DISAGREES], judge.DISAGREES),
        ):  # fmt: skip
            self.assertEqual(judge.together(answers), answer)

    def test_interval(self):
        # The median of seven values of one is certain; of an outlier it is not.
        self.assertEqual(judge.bootstrap([2] * 7), judge.Interval(2, 2, 2, 7))
        found = judge.bootstrap([1, 1, 1, 1, 9, 9, 9])
        self.assertEqual((found.low, found.middle, found.high), (1, 1, 9))
        self.assertEqual(judge.bootstrap([4] * 6, [2] * 7).middle, 2)

    def test_an_interval_of_noise_holds_its_truth(self):
        chance = random.Random(7)
        for rounds in (judge.ROUNDS_MIN, 7, 12):
            held = 0
            for _ in range(100):
                found = judge.bootstrap([chance.gauss(1, 0.1) for _ in range(rounds)])
                held += found.low <= 1 <= found.high
            self.assertGreaterEqual(held, 95)


class Data(unittest.TestCase):
    """The tables of figures and claims agree with each other."""

    def test_each_test_is_about_cells_of_its_figure(self):
        for claim in claims.CLAIMS:
            self.assertTrue(claim.tests or claim.counts, claim.name)
            for test in claim.tests:
                figure = figures.FIGURES[test.figure]
                self.assertIn(test.scheme, figure.schemes, claim.name)
                self.assertIn(test.to or test.scheme, figure.schemes, claim.name)
                self.assertLessEqual(set(test.mixes), set(figure.mixes), claim.name)
                self.assertLessEqual(set(test.batches), set(figure.batches), claim.name)
                self.assertIn(test.kind, (*figure.kinds, ""), claim.name)
                self.assertIn(test.node_bytes, (*figure.node_bytes, 0), claim.name)
                self.assertTrue(test.strict or not test.threads or test.threads
                                in figure.threads, claim.name)  # fmt: skip
        self.assertEqual(len({claim.name for claim in claims.CLAIMS}), len(claims.CLAIMS))
