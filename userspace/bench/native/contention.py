# SPDX-License-Identifier: GPL-2.0
"""Measure the effect of splitting leaves because writers meet there, natively.

The program is built without such splits, and with them. Both are measured in turn.
"""

from . import variants
from .variants import show  # noqa: F401

# More heat than a leaf can have: then gcc 12 has a false warning about the end of an array.
NEVER = "-DBLINK_HEAT_SPLIT=256 -Wno-stringop-overflow"
KINDS = (variants.Variant("without", macros=NEVER), variants.Variant("with"))


def parse(parser, argv):
    """The options."""
    variants.options(
        parser, "bench-contention.json", keys=[1000000], threads=[2], ops=3000000, rounds=7
    )
    return parser.parse_args(argv)


def measure(args):
    """The workloads in which writers meet."""
    return variants.measure(args, list(KINDS), lambda facts: list(facts["meeting"]))
