# SPDX-License-Identifier: GPL-2.0
"""The model of OLFIT's paper gives the paper's numbers, and those of a simulation."""

import pathlib
import random
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

from numa import model  # noqa: E402 pylint: disable=wrong-import-position


class Caches:
    """Caches without a limit: a write to a node takes it from all but the writer's."""

    def __init__(self):
        self.holders, self.lost = {}, set()

    def access(self, processor, node, write=True):
        """The processors that lose the node, and whether this one misses it."""
        holders = self.holders.setdefault(node, set())
        missed = (processor, node) in self.lost
        self.lost.discard((processor, node))
        holders.add(processor)
        losers = sorted(holders - {processor}) if write else []
        holders.difference_update(losers)
        self.lost.update((loser, node) for loser in losers)
        return losers, missed


class Paper(unittest.TestCase):
    """The numbers in the text."""

    def test_figure_1(self):
        caches = Caches()
        paths = {1: (1, 2, 4), 2: (1, 2, 5), 3: (1, 3, 6), 4: (1, 3, 7)}
        lost = {
            processor: [(loser, node) for node in path
                        for loser in caches.access(processor, node)[0]]
            for processor, path in paths.items()
        }  # fmt: skip
        self.assertEqual(lost, {1: [], 2: [(1, 1), (1, 2)], 3: [(2, 1)], 4: [(3, 1), (3, 3)]})

    def test_height(self):
        self.assertEqual(model.height(10_000_000, 15), 7)

    def test_figure_2(self):
        chances = [100 * model.update(level, 7, 15) for level in range(1, 8)]
        self.assertEqual(chances[-1], 100)
        self.assertAlmostEqual(chances[-2], 9.66, places=2)
        self.assertTrue(all(chance < 1 for chance in chances[:-2]))

    def test_equation_1(self):
        self.assertEqual([model.miss(p) for p in (1, 2, 4)], [0, 0.5, 0.75])
        # Each of the 7 nodes of a path, and the latch of the tree.
        self.assertEqual(model.misses("olfit:lc", 8, 7, 15), 8 * 7 / 8)
        self.assertEqual(model.misses("olfit:ol", 8, 7, 15), 0)
        self.assertEqual(model.misses("olfit:no", 8, 7, 15), 0)


class Simulation(unittest.TestCase):
    """Processors in random order that choose nodes at random find as many misses."""

    def count(self, processors, shares):
        """The misses of an operation; a level has 3 nodes, and this share of writes."""
        chance, caches, rounds = random.Random(1), Caches(), 20000
        found = 0
        for done in range(2 * rounds):
            processor = chance.randrange(processors)
            for level, share in enumerate(shares):
                node = (level, chance.randrange(3))
                missed = caches.access(processor, node, chance.random() < share)[1]
                found += missed and done >= rounds
        return found / rounds

    def test_misses(self):
        for scheme in model.SCHEMES:
            for processors, levels, insertions in ((1, 3, 1), (2, 4, 1), (4, 3, 0), (8, 5, 0.5)):
                shares = model.written(scheme, levels, 15, insertions)
                expected = model.misses(scheme, processors, levels, 15, insertions)
                found = self.count(processors, shares)
                self.assertAlmostEqual(found, expected, delta=0.03 * expected)
