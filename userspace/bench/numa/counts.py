# SPDX-License-Identifier: GPL-2.0
"""From what the plugin counted to figures per operation."""

import json

OPERATIONS = ("lookup", "insert", "erase", "lock")


def read(path):
    """The rows of each dump, by its number; see count/report.c."""
    dumps = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        dumps.setdefault(row["dump"], []).append(row)
    return dumps


def part(kind):
    """Of the tree, what memory of this kind is; None for other memory."""
    if kind in ("rest", "probe", "tree"):
        return None
    if kind == "lock":
        return "lock"
    return "leaf" if kind == "level 0" else "inner"


def total(rows, key, index=None):
    """The sum of a column, or of one side of it."""
    return sum(row[key] if index is None else row[key][index] for row in rows)


def references(rows, side):
    """Loads and stores: side 0 are the local ones, 1 the remote ones."""
    return total(rows, "loads", side) + total(rows, "stores", side)


def operations(dump):
    """How many operations the plugin saw."""
    return sum(row["ops"] for row in dump if row["class"] in OPERATIONS and "cpu" in row)


def calls(dump):
    """How many calls of a benchmark the plugin saw, and their instructions."""
    rows = [row for row in dump if row["class"] == "call" and "cpu" in row]
    return total(rows, "ops"), total(rows, "insns")


def costs(insns, memory, ops):
    """What so many operations cost, each on average."""
    return {
        "insn_per_op": insns / ops,
        "local_per_op": references(memory, 0) / ops,
        "remote_per_op": references(memory, 1) / ops,
        "transfers_per_op": total(memory, "transfers") / ops,
    }


def of_calls(dump, ops):
    """What so many operations of a benchmark cost; all memory counts."""
    memory = [row for row in dump if row["class"] == "call" and "kind" in row]
    return costs(calls(dump)[1], memory, ops)


def written(memory, ops):
    """Lines that an operation writes: of nodes, of the tree's own, and others.

    Of the others only shared ones: stacks and per-CPU variables are no one else's.
    """

    def of(name, key):
        some = [row for row in memory if name in (row["kind"], part(row["kind"]))]
        return total(some, key) / ops

    names = ("leaf", "tree", "rest", "inner")
    result = {f"{name}_written_per_op": of(name, "shared") for name in names}
    return {**result, "tree_transfers_per_op": of("tree", "transfers")}


def figures(dump, classes):
    """What operations of these classes cost, each on average."""
    rows = [row for row in dump if row["class"] in classes]
    cpus = [row for row in rows if "cpu" in row]
    memory = [row for row in rows if "kind" in row]
    tree = [row for row in memory if part(row["kind"])]
    ops = total(cpus, "ops")
    result = {
        "ops": ops,
        **costs(total(cpus, "insns"), tree, ops),
        "invalidations_per_op": total(tree, "invalidations") / ops,
    }
    for name in ("inner", "leaf", "lock", None):
        some = [row for row in memory if part(row["kind"]) == name]
        result[f"{name or 'rest'}_local_per_op"] = references(some, 0) / ops
        result[f"{name or 'rest'}_remote_per_op"] = references(some, 1) / ops
    return {**result, **written(memory, ops)}


def record(nodes, run, dump):
    """All figures of a run."""
    present = [name for name in OPERATIONS if any(row["class"] == name for row in dump)]
    outside = [row for row in dump if row["class"] == "outside"]
    whole = figures(dump, present)
    return {
        "nodes": nodes,
        "replication": run.replication,
        "locking": run.locking,
        "mix": run.mix(),
        "limited": run.limited,
        **whole,
        "outside_local_per_op": references(outside, 0) / whole["ops"],
        "outside_remote_per_op": references(outside, 1) / whole["ops"],
        "classes": {name: figures(dump, [name]) for name in present},
    }


def lock_record(nodes, lock_bench, outcome, dump):
    """What it costs to take a lock, and who gets it next."""
    rows = [row for row in dump if row["class"] == "lock"]
    cpus = [row for row in rows if "cpu" in row]
    memory = [row for row in rows if "kind" in row]
    ops, taken = total(cpus, "ops"), int(outcome["taken"])
    return {
        "nodes": nodes,
        "lock": lock_bench.lock,
        "alone": lock_bench.alone,
        "taken": taken,
        "insn_per_op": total(cpus, "insns") / ops,
        "transfers_per_op": total(memory, "transfers") / ops,
        "local_share": int(outcome["local"]) / taken,
        "longest_row": int(outcome["longest"]),
    }
