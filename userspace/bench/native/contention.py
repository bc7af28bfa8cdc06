# SPDX-License-Identifier: GPL-2.0
"""Measure the effect of splitting leaves because writers meet there, natively.

The program is built without such splits, and with them. Both are measured in turn.
"""

from . import variants
from .variants import show  # noqa: F401

KINDS = (variants.Variant("without", macros="-DBLINK_HEAT_SPLIT=256"), variants.Variant("with"))


def parse(parser, argv):
    """The options."""
    return variants.parse(
        parser, argv, "bench-contention.json", keys=[1000000], threads=[2], ops=3000000, rounds=7
    )


def measure(args):
    """The workloads in which writers meet."""
    return variants.measure(args, list(KINDS), lambda facts: list(facts["meeting"]))
