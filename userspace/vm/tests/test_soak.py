# SPDX-License-Identifier: GPL-2.0
"""What a soak draws from a seed, and how it counts."""

import unittest

from harness import guest, soak

OUTPUT = """\
TAP version 13
1..2
# operations 20
ok 1 - a
    # random_operations: operations 300
    # random_operations: seed=5
# 7 rounds, 4000 operations
    # operations 50000
# operations of others 600000
not ok 2 - operations 7000000
"""


class Operations(unittest.TestCase):
    """Only what says how many they were."""

    def test_sum(self):
        self.assertEqual(soak.operations(OUTPUT), 50320)


class Draw(unittest.TestCase):
    """From many seeds."""

    def configs(self, kind):
        """What is chosen for a kind."""
        return [soak.draw(kind, seed)[1] for seed in range(200)]

    def test_same_again(self):
        for kind in soak.KINDS:
            self.assertEqual(self.configs(kind), self.configs(kind))

    def test_guests_can_boot(self):
        for kind in ("kunit", "selftests", "paused", "linear-device"):
            for config in self.configs(kind):
                wish = guest.Guest(
                    **{key: config[key] for key in ("kernel", "nodes", "topology", "cpus")}
                )
                self.assertIsNone(wish.complaint(), config)

    def test_all_is_drawn(self):
        configs = self.configs("selftests")
        for key, number in dict(soak.HOW, kernel=3, nodes=4, append=4, topology=3).items():
            self.assertEqual(len({config[key] for config in configs}), number, key)
