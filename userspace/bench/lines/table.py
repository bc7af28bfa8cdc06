# SPDX-License-Identifier: GPL-2.0
"""Figures as text."""

from driver.table import aligned

from . import plan

LEGEND = """\
Per operation, the median of the rounds; a scan is of 100 entries. An operation of a
batch has its share of the call.

insns       instructions of the call, of one CPU
lines       cache lines of the index's nodes that the call loads from, stores to or
            prefetches, each once in a call; those of leaves, of nodes of level 1, and
            of the levels above
prefetched  lines that a prefetch asks for before the call needs them
unused      lines that are prefetched and nothing more

These are counts of what a call does. They do not depend on the machine, and are no
measure of time.
"""

HEADS = (
    "workload", "index", "insns", "lines", "leaf", "level 1", "above", "prefetched", "unused"
)  # fmt: skip
LINES = ("lines", "leaf", "level1", "above", "prefetched", "unused")


def cells(record):
    """The row of a record; the nodes of other indexes have no known level."""
    setting = plan.Setting(*(record[key] for key in ("index", "workload", "keys", "batch")))
    shown = [f"{record[f'{name}_per_op']:.2f}" for name in LINES]
    if record["index"] != plan.OURS:
        shown[1:] = ["-"] * len(shown[1:])
    return [record["workload"], str(setting), f"{record['insns_per_op']:.0f}", *shown]


def text(found):
    """All tables: one for each number of keys."""
    about = ", ".join(filter(None, (found["sources"], found["program"])))
    parts = [f"Lines and instructions, counted: {about}"]
    for keys in dict.fromkeys(record["keys"] for record in found["counts"]):
        rows = [HEADS]
        rows += [cells(record) for record in found["counts"] if record["keys"] == keys]
        parts.append(f"{keys} keys\n{aligned(rows, 2)}")
    return "\n\n".join([*parts, LEGEND])
