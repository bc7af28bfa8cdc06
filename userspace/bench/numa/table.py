# SPDX-License-Identifier: GPL-2.0
"""Figures as text."""

from driver.table import aligned, of_records

LEGEND = """\
References: loads and stores to memory of the tree, per operation; "local" to
that of the CPU's own NUMA node. "inner" are those to inner nodes, of which none
is remote where each NUMA node has an index of its own. Transfers: lines that a
NUMA node gets because another one has changed them. These are counts of what
the structure makes processors do. They are no measure of throughput.

replication    what each NUMA node has a copy of; compare McKenzie's thesis
  none         nothing                 the thesis: no replication
  inner        the inner nodes
  full         the leaves too          the thesis: all copies updated
  local-only   everything, and an update reaches the own copy alone: the thesis'
               local-only updates, after which no two NUMA nodes agree
locking        plain, or cohort: NUMA nodes pass a lock on among their own CPUs
mix            lookups/updates in percent; half of the updates insert, half erase
"""

HEADS = (
    "nodes", "replication", "locking", "mix", "operation", "insns", "local",
    "remote", "inner local", "inner remote", "transfers",
)  # fmt: skip
COLUMNS = (
    "insn_per_op", "local_per_op", "remote_per_op", "inner_local_per_op",
    "inner_remote_per_op", "transfers_per_op",
)  # fmt: skip


def cells(record):
    """Rows for all operations together, and for each class of several."""
    start = [str(record["nodes"]), record["replication"], record["locking"], record["mix"]]
    rows = {"all": record, **record["classes"]}
    if len(rows) == 2:
        del rows["all"]
    for name, row in rows.items():
        yield [*start, name, f"{row[COLUMNS[0]]:.0f}"] + [
            f"{row[column]:.2f}" for column in COLUMNS[1:]
        ]
        start = [""] * len(start)


def text(records):
    """The whole table."""
    rows = [HEADS, *(row for record in records for row in cells(record))]
    return aligned(rows, HEADS.index("insns"))


WRITES_LEGEND = """\
Lines of memory that several CPUs refer to, and that an operation writes, each line
once, on average: of leaves and inner nodes; of the tree's own memory, which is its
indexes too; and others, such as the allocator's. Own lines read: those of the
tree's own memory that a NUMA node has to get again because another one has
written them.
"""

WRITES_HEADS = (
    "replication", "max_entries", "mix", "operation", "leaves", "inner nodes",
    "own lines", "others", "own lines read",
)  # fmt: skip
WRITES_COLUMNS = ("leaf_written_per_op", "inner_written_per_op", "tree_written_per_op",
                  "rest_written_per_op", "tree_transfers_per_op")  # fmt: skip


def writes_text(records):
    """The table of lines that operations write."""
    rows = [WRITES_HEADS]
    for record in records:
        start = [record["replication"], "yes" if record["limited"] else "no", record["mix"]]
        for name, row in record["classes"].items():
            rows.append([*start, name] + [f"{row[column]:.4f}" for column in WRITES_COLUMNS])
            start = [""] * len(start)
    return aligned(rows, WRITES_HEADS.index("leaves"))


LOCK_LEGEND = """\
A lock alone, taken again and again to change two lines: by one CPU, or by all
at once. Instructions are from before it is taken until after it is free again;
with all CPUs these are instructions that wait. Local: how often who gets the
lock is of the NUMA node that had it before; longest row: how often in a row.

lock           plain, or cohort as in the module; textbook: the cohort lock with
               a lock for each NUMA node in every lock
"""

LOCK_HEADS = "nodes|lock|CPUs|insns|transfers|local|longest row"
LOCK_CELLS = "{nodes}|{lock}|{cpus}|{insn_per_op:.0f}|{transfers_per_op:.2f}|{local}|{row}"


def lock_text(records):
    """The table of locks."""
    alone = {"cpus": "one", "local": "", "row": ""}
    return of_records(LOCK_HEADS, LOCK_CELLS, [
        {**one, **alone} if one["alone"] else
        {**one, "cpus": "all", "local": f"{100 * one['local_share']:.1f} %",
         "row": one["longest_row"]}
        for one in records
    ], 3)  # fmt: skip
