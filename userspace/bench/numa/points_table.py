# SPDX-License-Identifier: GPL-2.0
"""The counts of the papers' figures as text."""

from driver.table import aligned, of_records

from . import points

LEGEND = """\
These are counts of a guest, no time. For each operation: instructions of the kernel,
those of interrupts included; loads and stores of memory of the CPU's own NUMA node
(local) and of others (remote), without the threads' stacks; and transfers, the lines
that a NUMA node gets because another one has changed them. Each column has a second
one: the ratio to the figure's baseline, which is its first scheme with the same mix,
without batches, with nodes of the first size. Retries are of an operation, "-" where
the scheme does not count them.
"""

HEADS = (
    "nodes", "scheme", "mix", "threads", "batch", "bytes", "insns", "", "local", "",
    "remote", "", "transfers", "", "retries",
)  # fmt: skip

MODEL_LEGEND = """\
Model: the coherence misses of an operation by the equations of OLFIT's paper, section
3.2, each NUMA node being a processor of the model: (p - 1) / p for each latch. The
paper's LC latches each level; this one latches the pointer to the root as well. The
model takes a node for one line, so that an insertion into a leaf is one miss; here the
entries that it moves are of several lines. And its processors come in any order: here
CPUs take turns, two of a NUMA node after each other, so that a line which all accesses
write goes to another NUMA node every second time, with any number of NUMA nodes.
"""

MODEL_HEADS = "nodes|scheme|mix|threads|model|transfers"
MODEL_CELLS = (
    "{nodes}|{scheme}|{mix}|{threads}|{model_transfers_per_op:.2f}|{transfers_per_op:.2f}"
)


def pair(record, name, digits):
    """A figure and its ratio to the baseline."""
    ratio = record["ratio_to_baseline"][name]
    return [f"{record[name]:.{digits}f}", "-" if ratio is None else f"{ratio:.2f}"]


def row(record):
    """The cells of a record."""
    retries = record["retries_per_op"]
    return [
        *(str(record[name]) for name in ("nodes", "scheme", "mix", "threads", "batch")),
        str(record["node_bytes"] or "-"),
        *(cell for name, digits in zip(points.FIGURES, (0, 1, 1, 2))
          for cell in pair(record, name, digits)),
        "-" if retries is None else f"{retries:.3f}",
    ]  # fmt: skip


def text(records):
    """A table for each figure."""
    names = dict.fromkeys(record["figure"] for record in records)
    tables = []
    for name in names:
        rows = [HEADS, *(row(record) for record in records if record["figure"] == name)]
        tables.append(f"{name} (counted, no time)\n{aligned(rows, HEADS.index('threads'))}")
    return "\n\n".join(tables)


def model_text(records):
    """What the model expects beside what was counted."""
    return of_records(MODEL_HEADS, MODEL_CELLS, records, 3)
