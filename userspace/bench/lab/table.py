# SPDX-License-Identifier: GPL-2.0
"""Results as text, and as CSV: a table for each figure, and the verdicts about claims."""

import csv

from driver.table import aligned, unique

from . import figures
from .claims import CLAIMS
from .judge import UNMEASURED

VARYING = ("mix", "batch", "node_bytes", "op")
UNFAIR = ("slowest", "fastest")
SIGNS = {"exactly": "", "about": "about ", "less": "< ", "greater": "> "}
TIMES = ("count", "least_ns", "mean_ns", "most_ns", "deviation_ns", "p50_ns", "p99_ns", "p999_ns")


def digits(number):
    """Three of them; "-" for what is unknown."""
    return "-" if number is None else f"{number:.3g}" if abs(number) < 1000 else f"{number:.0f}"


def of_paper(record):
    """The first test that gives a number for a cell, at its threads or at the most; or None."""
    found = [
        test for claim in CLAIMS for test in claim.tests
        if (test.figure, test.scheme) == (record["figure"], record["scheme"])
        and test.relation in SIGNS and not test.to and not test.beside
        and record["mix"] in (test.mixes or (record["mix"],))
        and record["batch"] in (test.batches or (record["batch"],))
        and test.kind in ("", record["op"])
        and test.node_bytes in (0, record["node_bytes"])
    ]  # fmt: skip
    found.sort(key=lambda test: (test.threads != record["threads"], bool(test.threads)))
    return found[0] if found else None


def paper(record):
    """What the text of the paper says about a cell."""
    test = of_paper(record)
    if not test or test.threads < record["threads"] and test.threads:
        return "-"
    threads = test.threads if test.threads not in (0, record["threads"]) else 0
    return f"{SIGNS[test.relation]}{test.number:.3g}" + (f" ({threads} threads)" if threads else "")


def event_heads(records):
    """The events of records, by name; each head has the unit."""
    return {
        name: f"{name} {one['unit']}".rstrip() + "/op"
        for record in records for name, one in record.get("events", {}).items()
    }  # fmt: skip


def is_scaled(one):
    """Whether perf counted an event for a part of the time."""
    return one["median"] is not None and one["percent"] < 100


def event(record, name):
    """The cell of an event; a ~ says that perf scaled it."""
    one = record.get("events", {}).get(name, {"median": None})
    return "~" * is_scaled(one) + digits(one["median"])


def event_notes(records):
    """Which events are unknown or scaled, and why."""
    counted = [(n, one) for record in records for n, one in record.get("events", {}).items()]
    notes = [
        f"{missing} here: {', '.join(unique(n for n, one in counted if one['missing'] == missing))}"
        for missing in unique(one["missing"] for _, one in counted if one["missing"])
    ]
    scaled = [one["percent"] for _, one in counted if is_scaled(one)]
    if scaled:
        notes.append(f"~: scaled, as counted for a part of the time, at least {min(scaled):.0f} %")
    return notes


def row(record, shown, together, events):
    """The cells of a record; those of threads, if some work together."""
    return [
        record["scheme"], str(record["threads"]), *(str(record[name] or "-") for name in shown),
        *(digits(record[f"{of}_{which}"]) for of in ("value", "ratio")
          for which in ("median", "min", "max")),
        *(digits(record[name]) for name in UNFAIR * together),
        *(event(record, name) for name in events),
        paper(record), record["failure"] or "",
    ]  # fmt: skip


def figure(records):
    """The table of a figure."""
    first = records[0]
    shown = [name for name in VARYING if len({record[name] for record in records}) > 1]
    together = any(record["threads"] > 1 and "slowest" in record for record in records)
    events = event_heads(records)
    heads = ["scheme", "threads", *shown, *"median min max ratio min max".split(),
             *UNFAIR * together, *events.values(), "paper", ""]  # fmt: skip
    known = figures.FIGURES.get(first["figure"])
    title = f"{known.title} ({known.paper}, {known.place})" if known else "as asked for"
    lines = [
        f"{first['figure']}: {title}",
        f"{first['keys']} keys, {first['ops']} operations of"
        f" {'all threads together' if first.get('shared') else 'each thread'},"
        f" {max(len(record['rounds']) for record in records)} rounds; {first['unit']};"
        f" ratios to {first['scheme']}",
        aligned([heads, *(row(record, shown, together, events) for record in records)], 1),
        *event_notes(records),
    ]
    timed = [record for record in records if "count" in record]
    if timed:
        heads = ["scheme", "threads", "op", *(name.removesuffix("_ns") for name in TIMES)]
        rows = [
            [one["scheme"], str(one["threads"]), one["op"], *(digits(one[name]) for name in TIMES)]
            for one in timed
        ]
        lines += ["", "nanoseconds:", aligned([heads, *rows], 1)]
    said = [test.said for test in map(of_paper, records) if test and test.said]
    return "\n".join([*lines, *(f'  "{text}"' for text in unique(said))])


def interval(one):
    """The bounds of a comparison."""
    if one["answer"] == UNMEASURED:
        return ["-", "-", "-"]
    return [digits(one[name]) for name in ("low", "middle", "high")]


def verdicts(found):
    """The answers about claims, each with its tests."""
    texts = {claim.name: claim.text for claim in CLAIMS}
    lines = []
    for one in found:
        lines.append(f"{one['claim']} {one['answer']}: {texts[one['claim']]}")
        rows = [["", t["cell"], t["tested"], *interval(t), t["answer"]] for t in one["tests"]]
        lines += [aligned(rows, 3)] if rows else []
    return "\n".join(lines)


CSV = ("figure", "scheme", "mix", "order", "threads", "batch", "node_bytes", "keys", "ops",
       "warm_up", "op", "unit")  # fmt: skip
ROUND = ("seed", "ops", "ns", "value", "ratio")


def write_csv(path, records):
    """A line for each round of each cell; None is an empty cell."""
    events = event_heads(records)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*CSV, *(f"round_{name}" for name in (*ROUND, *events.values()))])
        for record in records:
            for one in record["rounds"]:
                counted = one.get("events", {})
                writer.writerow([*(record[n] for n in CSV), *(one[n] for n in ROUND),
                                 *(counted.get(n) for n in events)])  # fmt: skip
