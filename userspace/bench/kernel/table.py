# SPDX-License-Identifier: GPL-2.0
"""Figures as text."""

from driver.table import aligned

from . import plan

LEGEND = """\
Instructions per operation: from the call of the index until it is back, on its
CPU; what interrupts it, as RCU that frees memory, included. A scan is of 48 entries.
CPUs take turns, so that hardly anyone waits for a lock. The figures tell how much
there is to do, and nothing of how long memory takes: they are no measure of
throughput.
"""

IOCTL_LEGEND = """\
Instructions per operation (of scan: per entry) from the program's call of ioctl()
or syscall() until it is back.
"""


def text(records, threads):
    """The indexes, as so many threads use them."""
    cells = {
        (record["name"], record["workload"]): f"{record['insn_per_op']:.0f}"
        for record in records
        if record["threads"] == threads
    }
    names = dict.fromkeys(name for name, _ in cells)
    rows = [("index", *plan.WORKLOADS)]
    for name in names:
        rows.append((name, *(cells.get((name, work), "-") for work in plan.WORKLOADS)))
    return aligned(rows, 1)


def ioctl_text(records):
    """The interface."""
    rows = [("call", "operations", "insns per call", "insns per operation")]
    for record in records:
        rows.append(
            (
                record["call"],
                str(record["size"]),
                f"{record['insn_per_call']:.0f}",
                f"{record['insn_per_op']:.0f}",
            )
        )
    return aligned(rows, 1)
