# SPDX-License-Identifier: GPL-2.0
"""Measure the core with nodes of several sizes, natively.

The benchmark is built for each size of leaf and of inner node. All are measured in turn,
and the first one is what the others are compared with.
"""

from driver import program

from . import variants
from .variants import show  # noqa: F401

HEADER = 64
ENTRY = 16
WORKS = ("insert", "lookup", "chase", "batch", "mix", "update", "scan", "erase")


def parse(parser, argv):
    """The options."""
    sizes = program.numbers(HEADER + ENTRY, 1 << 20)
    for nodes, option in (("leaves", "--leaf"), ("inner nodes", "--inner")):
        parser.add_argument(option, metavar="BYTES,...", type=sizes, default=[512, 1024, 2048],
            help=f"sizes of {nodes} (512,1024,2048)")
    variants.options(
        parser, "bench-layout.json", keys=[10000000], threads=[1], ops=1000000, rounds=5
    )
    return parser.parse_args(argv)


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
    ]
    return variants.measure(args, layouts, lambda facts: list(WORKS))
