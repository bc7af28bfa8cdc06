# SPDX-License-Identifier: GPL-2.0
"""Draw figures: values at the left, and ratios to the baseline at the right.

Threads and sizes of nodes are true axes; mixes and kinds of operations stand side by side, and
so do the lines there. A bar is the interval of a median (judge.py), a hollow star is a number in
the text of the paper, and a cross at the bottom is a cell that was not measured. The paper's
threads can be more than the CPUs here: these are on grey ground.
"""

from driver import picture
from driver.picture import pyplot
from driver.table import unique

from . import figures
from .claims import CLAIMS
from .judge import bootstrap

# The first one that varies is the axis.
AXES = ("op", "mix", "node_bytes", "threads", "batch")
WORDS = {"node_bytes": "bytes of a node", "op": "operation"}
TRUE = ("threads", "node_bytes")
# With a greater ratio, a curve would hide the others.
LOG = 20
# With so many times as many threads in the paper, theirs double from tick to tick.
LOG_THREADS = 4
# So do those of a figure, if its last number is so many times the first one.
WIDE = 16
# More mixes than these are an axis; fewer have a row each, if threads vary too.
ROWS_MAX = 3


def axis_of(records):
    """The axis, the parameters in the names of lines, and whether mixes have rows."""
    varying = [name for name in AXES if len({one[name] for one in records}) > 1]
    rows = "threads" in varying and "mix" in varying
    rows = rows and len({one["mix"] for one in records}) <= ROWS_MAX
    varying = [name for name in varying if not (rows and name == "mix")]
    axis = varying[0] if varying else "threads"
    return axis, [name for name in varying if name != axis], rows


def name_of(record, others):
    """The scheme, and the parameters that the axis does not show."""
    return ", ".join([record["scheme"], *(f"{WORDS.get(n, n)} {record[n]}" for n in others)])


def line(axes, records, of, places, style):
    """A line with the intervals of its medians; gaps where there is no value."""
    found = [
        (places(one), bootstrap([r[of] for r in one["rounds"]]))
        for one in records if one[f"{of}_median"] is not None
    ]  # fmt: skip
    if found:
        middle = [i.middle for _, i in found]
        bars = [[i.middle - i.low for _, i in found], [i.high - i.middle for _, i in found]]
        axes.errorbar([x for x, _ in found], middle, yerr=bars, capsize=2, markersize=4,
                      elinewidth=0.8, **style)  # fmt: skip
    for one in records:
        if one["failure"]:
            axes.plot([places(one)], [0.02], marker="x", color=style["color"], clip_on=False,
                      transform=axes.get_xaxis_transform())  # fmt: skip
    return [i.middle for _, i in found]


def stars(axes, figure, records, axis, places, colours):
    """The numbers of the paper beside lines of the same colour."""
    drawn = []
    for test in (test for claim in CLAIMS for test in claim.tests):
        alike = [
            one for one in records
            if (figure.name, one["scheme"]) == (test.figure, test.scheme)
            and one["mix"] in (test.mixes or (one["mix"],))
            and one["batch"] in (test.batches or (one["batch"],))
            and test.kind in ("", one["op"])
        ]  # fmt: skip
        if test.relation != "exactly" or test.to or test.beside or not alike:
            continue
        place = {**alike[-1], "threads": test.threads or alike[-1]["threads"]}
        colour = [colours[name] for name in colours if name.startswith(test.scheme)][-1]
        axes.plot([places(place)], [test.number], marker="*", markersize=12, color=colour,
                  markerfacecolor="none", linestyle="none", clip_on=False)  # fmt: skip
        drawn.append((places(place) if axis == "threads" else 0, test.number))
    return drawn


def panels(row, figure, records, colours, cpus, labelled):
    """The two panels of some records."""
    axis, others, _ = axis_of(records) if labelled is None else labelled
    steps = unique(one[axis] for one in records)
    # Names of mixes and operations have places in the order of the figure.
    places = (lambda one: one[axis]) if axis in TRUE else (lambda one: steps.index(one[axis]))
    for axes, of in zip(row, ("value", "ratio")):
        seen = []
        for number, (name, colour) in enumerate(colours.items()):
            some = [one for one in records if name_of(one, others) == name]
            # Nothing is between two kinds of operations.
            style = {"label": name, "color": colour, "marker": "o",
                     "linewidth": 0 if axis == "op" else 1.2}  # fmt: skip
            beside = 0 if axis in TRUE else 0.4 * ((number + 0.5) / len(colours) - 0.5)
            seen += line(axes, some, of, lambda one, by=beside: places(one) + by, style)
        if of == "ratio":
            axes.axhline(1, color="black", linewidth=0.8, linestyle=":")
            drawn = stars(axes, figure, records, axis, places, colours)
            seen += [number for _, number in drawn]
            most = max((x for x, _ in drawn), default=0)
            if axis == "threads" and most > cpus:
                if most > LOG_THREADS * cpus:
                    double(axes)
                axes.axvspan(cpus + 0.5, most * 1.05, color="0.93", zorder=0)
                axes.text(cpus + 0.7, 0.97, "more CPUs than here", fontsize=7, va="top",
                          transform=axes.get_xaxis_transform())  # fmt: skip
        decorate(axes, axis, steps, seen)
        axes.set_ylabel(records[0]["unit"] if of == "value" else "ratio to the baseline")


def double(axes):
    """Let numbers of threads double from tick to tick."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter("{x:.0f}")


def decorate(axes, axis, steps, seen):
    """Scales, ticks and a grid."""
    positive = [value for value in seen if value > 0]
    if positive and len(positive) == len(seen) and max(positive) > LOG * min(positive):
        axes.set_yscale("log")
    elif seen:
        axes.set_ylim(bottom=0)
    if axis == "node_bytes":
        axes.set_xscale("log", base=2)
    if axis == "threads" and steps[-1] > WIDE * steps[0]:
        double(axes)
    if axis == "node_bytes" or axis not in TRUE:
        at = steps if axis == "node_bytes" else range(len(steps))
        turned = {"rotation": 20, "ha": "right"} if axis == "mix" else {}
        axes.set_xticks(at, [str(step) for step in steps], fontsize=8, **turned)
        axes.minorticks_off()
    elif axes.get_xscale() == "linear":
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(WORDS.get(axis, axis))
    axes.grid(alpha=0.3)


def draw(records, cpus):
    """The picture of a figure."""
    name = records[0]["figure"]
    figure = figures.FIGURES.get(name, figures.ASKED)
    axis, others, rows = axis_of(records)
    mixes = unique(one["mix"] for one in records) if rows else [None]
    names = unique(name_of(one, others) for one in records)
    colours = dict(zip(names, pyplot.get_cmap("tab20" if len(names) > 10 else "tab10").colors))
    units = records[0]["unit"] != figures.RETRIES
    drawn, grid = pyplot.subplots(
        len(mixes), 1 + units, figsize=(6 + 5 * units, 0.8 + 3.6 * len(mixes)), squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for row, mix in zip(grid, mixes):
        some = [one for one in records if mix in (None, one["mix"])]
        panels(row, figure, some, colours, cpus, (axis, others, rows))
        if mix:
            row[0].set_title(mix, fontsize=9)
    drawn.suptitle(f"{name}: {figure.title} ({figure.paper}, {figure.place})", fontsize=11)
    handles, labels = grid[0][0].get_legend_handles_labels()
    star = pyplot.Line2D([], [], marker="*", color="black", markerfacecolor="none", linewidth=0)
    if any(t.relation == "exactly" and t.figure == name for c in CLAIMS for t in c.tests):
        handles, labels = [*handles, star], [*labels, "the paper's text"]
    grid[0][-1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.02, 1), fontsize=7)
    return drawn


def save_all(results, folder):
    """A picture for each figure that has results."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in unique(one["figure"] for one in results["records"]):
        some = [one for one in results["records"] if one["figure"] == name]
        if any(one["rounds"] for one in some):
            picture.save(draw(some, results["machine"]["cpus"]), folder / f"{name}.svg")
