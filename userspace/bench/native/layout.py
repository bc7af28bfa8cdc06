# SPDX-License-Identifier: GPL-2.0
"""Measure the core with nodes of several sizes, natively.

The benchmark is built for each size of leaf and of inner node. All are measured in turn,
and the first one is what the others are compared with. A leaf that is larger than an inner
node is left out, as no tree can have it.
"""

from driver import program

from . import variants
from .variants import show  # noqa: F401

HEADER = 64
ENTRY = 16
# A cursor has room for so many entries (BLINK_CURSOR_ENTRIES).
LARGEST = HEADER + 64 * ENTRY
WORKS = ("insert", "lookup", "chase", "batch", "mix", "update", "scan", "erase")


def parse(parser, argv):
    """The options."""
    add, sizes = parser.add_argument, program.numbers
    add("--leaf", metavar="BYTES,...", type=sizes(HEADER + ENTRY, LARGEST),
        default=[512, 1024], help=f"sizes of leaves, {LARGEST} at most (512,1024)")
    add("--inner", metavar="BYTES,...", type=sizes(HEADER + ENTRY, 1 << 20),
        default=[512, 1024, 2048], help="sizes of inner nodes (512,1024,2048)")
    return variants.parse(
        parser, argv, "bench-layout.json", keys=[10000000], threads=[1], ops=1000000, rounds=5
    )


def slots(size):
    """How many a node of so many bytes has."""
    return (size - HEADER) // ENTRY


def measure(args):
    """Some workloads with each layout."""
    layouts = [
        variants.Variant(
            f"leaf-{leaf}-inner-{inner}",
            macros=f"-DBLINK_LEAF_SLOTS={slots(leaf)} -DBLINK_INNER_SLOTS={slots(inner)}",
        )
        for leaf in args.leaf
        for inner in args.inner
        if leaf <= inner
    ]
    if not layouts:
        raise program.Failure("no leaf is as small as an inner node", 2)
    return variants.measure(args, layouts, lambda facts: list(WORKS))
