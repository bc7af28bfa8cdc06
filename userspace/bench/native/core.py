# SPDX-License-Identifier: GPL-2.0
"""Measure the core of blink_tree in userspace, one index by itself.

Modes say what trees are like. Each is measured in turn, and the first one is what the
others are compared with. NUMA nodes are in name only.
"""

from driver import program

from . import variants
from .variants import show  # noqa: F401

MODES = ("none", "cohort", "compress", "watched", "inner2", "inner4", "full2")


def parse(parser, argv):
    """The options."""
    parser.add_argument("-m", "--modes", metavar="NAME,...", type=program.names,
        default=["none"], help=f"what trees are like (none): {', '.join(MODES)}")
    parser.add_argument("-q", "--quick", action="store_true",
        help="1,000,000 keys, 3 rounds, 1,000,000 operations")
    return variants.parse(
        parser, argv, "bench-core.json", {"keys": [1000000], "rounds": 3, "ops": 1000000},
        keys=[1000000, 10000000], threads=[1, 2], ops=4000000, rounds=5,
    )  # fmt: skip


def measure(args):
    """All workloads of the core in each mode."""
    program.check_names(args.modes, MODES, "mode")
    modes = [variants.Variant(name, name) for name in args.modes]
    return variants.measure(args, modes, lambda facts: list(facts["workloads"]))
