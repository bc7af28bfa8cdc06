# SPDX-License-Identifier: GPL-2.0
"""The comparison as text: tables for each number of keys and threads."""

from driver import rounds
from driver.table import aligned

OURS = "blink_tree"
# The title of a table, the field of a record that it has, and digits after the point.
PARTS = (
    ("million operations/s", "mops_median", 2),
    (f"{OURS}, one by one, is so many times as fast", "ours_to_this", 2),
    ("spread of the rounds, in % of the median", "spread", 0),
    ("p99.9 of a call, ns", "p999_ns", 0),
    ("p99.9 of a call that changes nothing, ns", "read_p999_ns", 0),
)


def names(facts):
    """The names of all indexes and workloads."""
    rows = [
        ("index", name, f"{index['version']}; {index['section']}")
        for name, index in facts["indexes"].items()
    ]
    rows += [("workload", name, text) for name, text in facts["workloads"].items()]
    return aligned(rows, 3)


def cell(record, field, digits):
    """A figure; ~ if it is too noisy."""
    value = record[field] * (100 if field == "spread" else 1) if record else 0
    if not value:
        return "-"
    return f"{'~' if record['noisy'] else ''}{value:.{digits}f}"


def part(records, workloads, title, field, digits):
    """A table: a row for each index and batch, a column for each workload."""
    rows = [("", *workloads, "bytes/key")]
    found = {(r["index"], r["batch"], r["workload"]): r for r in records}
    for index, batch in dict.fromkeys(key[:2] for key in found):
        name = f"{index} x {batch}" if batch > 1 else index
        own = [found.get((index, batch, workload)) for workload in workloads]
        size = next(record["bytes_per_key"] for record in own if record)
        rows.append((name, *(cell(record, field, digits) for record in own), f"{size:.1f}"))
    return f"{title}\n{aligned(rows, 1)}"


def group(records, machine, keys, threads):
    """All tables of so many keys and threads."""
    chosen = [r for r in records if (r["keys"], r["threads"]) == (keys, threads)]
    memory = [m for m in machine["memory"] if (m["keys"], m["threads"]) == (keys, threads)]
    chains = ", ".join(
        f"{m['ns_per_line_median']:.1f} ns in {m['chains']} chain{'s' if m['chains'] > 1 else ''}"
        for m in memory
    )
    lines = [
        f"== {keys} keys, {threads} thread{'s' if threads > 1 else ''}",
        f"memory of {memory[0]['bytes']} bytes: a line of it takes a thread {chains}",
    ]
    lines += [
        f"without {name}, which needs too much memory for so many"
        for name, index in machine["indexes"].items()
        if index["most_keys"] and keys > index["most_keys"]
    ]
    workloads = [
        name for name in machine["workloads"] if any(r["workload"] == name for r in chosen)
    ]
    tables = [part(chosen, workloads, *each) for each in PARTS] if chosen else []
    return "\n\n".join(["\n".join(lines), *tables])


def verdict(records):
    """Whether to measure again; nothing if all figures are good."""
    noisy = sum(record["noisy"] for record in records)
    if not noisy:
        return []
    return [
        f"too noisy (~), run again: the spread of {noisy} of {len(records)} figures is above"
        f" {100 * rounds.NOISY:.0f} %"
    ]


def text(records, machine):
    """All tables."""
    without = "" if machine["rounds"] < rounds.TRIM else ", without one round at each end"
    head = (
        f"{rounds.describe(machine)}\n"
        f"clock: {machine['clock_ns']:.0f} ns, which is part of all durations\n"
        f"medians of {machine['rounds']} rounds, {machine['ops']} operations a thread\n"
        f"spread: the greatest round less the least{without}"
    )
    groups = dict.fromkeys((m["keys"], m["threads"]) for m in machine["memory"])
    return "\n\n".join([
        head, names(machine), *(group(records, machine, *each) for each in groups),
        *verdict(records),
    ])  # fmt: skip
