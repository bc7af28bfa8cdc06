# SPDX-License-Identifier: GPL-2.0
"""Pictures of the comparison.

For each number of keys and threads a picture of bars, one panel for each
workload: millions of operations a second, the median of the rounds, and from
the least to the greatest as a line. If there are several numbers of keys, also
a picture of the cost of an operation against that number. If there are several numbers of
threads, one of the operations of all of them against that number, for each number of keys.
"""

from driver.picture import pyplot, save
from driver.table import unique

from .table import OURS

BATCHES = (1, 32)


def label(record):
    """The index, and how many operations a call has."""
    batch = record["batch"]
    return record["index"] if batch == 1 else f"{record['index']} × {batch}"


def panel(axes, workload, records):
    """The bars of one workload, the fastest index at the top."""
    records = sorted(records, key=lambda r: r["mops_median"])
    names = [label(r) for r in records]
    speed = [r["mops_median"] for r in records]
    spread = [
        [r["mops_median"] - r["mops_min"] for r in records],
        [r["mops_max"] - r["mops_median"] for r in records],
    ]
    colours = ["tab:orange" if r["index"] == OURS else "tab:blue" for r in records]
    axes.barh(names, speed, xerr=spread, color=colours, ecolor="black")
    axes.set_title(workload, fontsize=10)
    axes.tick_params(labelsize=7)
    axes.grid(axis="x", alpha=0.3)


def draw_bars(records, keys, threads, path):
    """All workloads with so many keys and threads."""
    workloads = unique(r["workload"] for r in records)
    columns = 2
    rows = -(-len(workloads) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(10, 0.6 + 2.4 * rows), squeeze=False,
        layout="constrained",
    )
    for place in axes.flat[len(workloads):]:
        place.remove()
    for place, workload in zip(axes.flat, workloads):
        panel(place, workload, [r for r in records if r["workload"] == workload])
    figure.suptitle(
        f"{keys:,} keys, {threads} thread{'s' if threads > 1 else ''}:"
        " million operations/s"
    )
    save(figure, path)


def draw_line(axes, records, by, value, **how):
    """A value of one index, by a field."""
    records = sorted(records, key=lambda r: r[by])
    first = records[0]
    axes.plot(
        [r[by] for r in records],
        [value(r) for r in records],
        label=label(first), marker="o", markersize=3,
        linewidth=2.5 if first["index"] == OURS else 1,
        linestyle="-" if first["batch"] == 1 else "--", **how,
    )


def draw_curve(records, path):
    """Nanoseconds of an operation against keys, with one thread."""
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for place, workload in zip(axes, ("lookup", "insert")):
        chosen = [
            r for r in records
            if r["workload"] == workload and r["threads"] == 1
            and r["batch"] in BATCHES
        ]
        for name in unique(label(r) for r in chosen):
            draw_line(place, [r for r in chosen if label(r) == name], "keys",
                      lambda r: 1000 / r["mops_median"])
        place.set(title=workload, xlabel="keys", ylabel="ns per operation",
                  xscale="log", yscale="log")
        place.grid(alpha=0.3)
        if chosen:
            place.legend(fontsize=7)
    save(figure, path)


def draw_threads(records, path):
    """Operations of all threads against their number, a panel for each workload."""
    workloads = unique(r["workload"] for r in records)
    rows = -(-len(workloads) // 3)
    figure, axes = pyplot.subplots(
        rows, 3, figsize=(12, 0.8 + 3.2 * rows), squeeze=False, layout="constrained"
    )
    for place in axes.flat[len(workloads):]:
        place.remove()
    threads = sorted(unique(r["threads"] for r in records))
    names = unique(label(r) for r in records if r["batch"] in BATCHES)
    for place, workload in zip(axes.flat, workloads):
        for number, name in enumerate(names):
            chosen = [r for r in records if (r["workload"], label(r)) == (workload, name)]
            if chosen:
                draw_line(place, chosen, "threads", lambda r: r["mops_median"], color=f"C{number}")
        place.set(title=workload, xlabel="threads", xscale="log", yscale="log")
        place.set_xticks(threads, [str(number) for number in threads])
        place.minorticks_off()
        place.grid(alpha=0.3)
    lines = {line.get_label(): line for place in axes.flat for line in place.get_lines()}
    figure.legend(lines.values(), lines, loc="lower center", ncols=5, fontsize=8)
    figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))
    figure.suptitle(f"{records[0]['keys']:,} keys: million operations/s")
    save(figure, path)


def draw(records, out):
    """All pictures for which there are records."""
    for keys, threads in unique((r["keys"], r["threads"]) for r in records):
        draw_bars(
            [r for r in records if (r["keys"], r["threads"]) == (keys, threads)],
            keys, threads, out / f"bench-{keys}-{threads}.svg",
        )
    for keys in unique(r["keys"] for r in records):
        some = [r for r in records if r["keys"] == keys]
        if len(unique(r["threads"] for r in some)) > 1:
            draw_threads(some, out / f"bench-{keys}-threads.svg")
    if len(unique(r["keys"] for r in records if r["threads"] == 1)) > 1:
        draw_curve(records, out / "bench-curve.svg")
