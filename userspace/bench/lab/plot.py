# SPDX-License-Identifier: GPL-2.0
"""Draw what the laboratory measured: a picture for each figure of the papers.

`make lab` measures, and writes the file. The parameter that varies, threads, mixes,
batches, sizes of nodes or kinds of operations, is the horizontal axis; each scheme is a
line, with a bar from the least to the greatest round. If more than one parameter varies,
each value of the others has a line of its own.
"""

import pathlib

from driver import picture, program
from driver.picture import pyplot

# The first one that varies is the axis.
AXES = ("op", "mix", "node_bytes", "batch", "threads")
WORDS = {"node_bytes": "bytes of a node", "op": "operation"}


def varying(records):
    """The parameters that have more than one value."""
    return [axis for axis in AXES if len({r[axis] for r in records}) > 1]


def label(record, others):
    """The scheme, and the parameters that the axis does not show."""
    words = [f"{WORDS.get(axis, axis)} {record[axis]}" for axis in others]
    return ", ".join([record["scheme"], *words])


def line(axes, records, axis, places, name):
    """One scheme: the medians, and the spread of the rounds."""
    middle = [r["value_median"] for r in records]
    spread = [
        [r["value_median"] - r["value_min"] for r in records],
        [r["value_max"] - r["value_median"] for r in records],
    ]
    axes.errorbar([places.index(r[axis]) for r in records], middle, yerr=spread,
                  label=name, marker="o", markersize=3, capsize=2, linewidth=1)


def panel(figure, axes, records):
    """A figure of a paper."""
    ways = varying(records)
    axis, others = (ways[0], ways[1:]) if ways else ("threads", [])
    places = picture.unique(r[axis] for r in records)
    for name in picture.unique(label(r, others) for r in records):
        chosen = [r for r in records if label(r, others) == name]
        line(axes, chosen, axis, places, name)
    first = records[0]
    axes.set_xticks(range(len(places)), [str(place) for place in places])
    axes.set(title=f"{figure}: {first['title']} ({first['paper']}, {first['place']})",
             xlabel=WORDS.get(axis, axis), ylabel=first["unit"])
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)


def parse(parser, argv):
    """The options."""
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path,
        help="where pictures go (a directory with the name of FILE)")
    program.add_json(parser, "lab.json")
    parser.set_defaults(show=True)
    return parser.parse_args(argv)


def show(results, args):
    """Draw all figures that have results."""
    out = args.out or args.json.with_suffix("")
    out.mkdir(parents=True, exist_ok=True)
    measured = [r for r in results["records"] if r["value_median"] is not None]
    for figure in picture.unique(r["figure"] for r in measured):
        drawn, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
        panel(figure, axes, [r for r in measured if r["figure"] == figure])
        picture.save(drawn, out / f"{figure}.svg")
