# SPDX-License-Identifier: GPL-2.0
"""Figures as a picture: references above, transfers below, for each guest."""

from driver.picture import pyplot, save
from driver.table import unique

# From the bottom of a bar: what is near first.
PARTS = (
    ("inner_local_per_op", "inner, local", "#2b6ca3"),
    ("leaf_local_per_op", "leaf, local", "#7fb2d9"),
    ("lock_local_per_op", "lock, local", "#c6dbef"),
    ("lock_remote_per_op", "lock, remote", "#fdd0a2"),
    ("leaf_remote_per_op", "leaf, remote", "#f08a3c"),
    ("inner_remote_per_op", "inner, remote", "#b03a2e"),
)


def references(axes, records):
    """Stacked bars: what an operation refers to."""
    bottom = [0.0] * len(records)
    for column, label, colour in PARTS:
        heights = [record[column] for record in records]
        axes.bar(range(len(records)), heights, bottom=bottom, label=label, color=colour)
        bottom = [low + height for low, height in zip(bottom, heights)]


def transfers(axes, records):
    """Plain bars: lines that come from other NUMA nodes."""
    heights = [record["transfers_per_op"] for record in records]
    axes.bar(range(len(records)), heights, color="#555555")
    names = [f"{record['replication']}, {record['locking']}" for record in records]
    axes.set_xticks(range(len(records)), names, rotation=60, ha="right", fontsize=7)


def draw(records, path):
    """Make the picture; the name of the file says of which kind."""
    guests = unique(record["nodes"] for record in records)
    mixes = unique(record["mix"] for record in records)
    figure, grid = pyplot.subplots(
        2 * len(guests),
        len(mixes),
        figsize=(2.5 + 3 * len(mixes), 1 + 5 * len(guests)),
        sharey="row",
        squeeze=False,
        layout="constrained",
    )
    for row, nodes in enumerate(guests):
        for column, mix in enumerate(mixes):
            some = [r for r in records if (r["nodes"], r["mix"]) == (nodes, mix)]
            upper, lower = grid[2 * row][column], grid[2 * row + 1][column]
            references(upper, some)
            transfers(lower, some)
            upper.set_xticks([])
            upper.set_title(f"{nodes} NUMA nodes, {mix}", fontsize=9)
        grid[2 * row][0].set_ylabel("references per operation")
        grid[2 * row + 1][0].set_ylabel("transfers per operation")
    # The layout makes room for what sticks out of a part of the picture.
    grid[0][0].legend(
        loc="lower left", bbox_to_anchor=(0, 1.15), ncols=3, fontsize=7
    )
    save(figure, path)
