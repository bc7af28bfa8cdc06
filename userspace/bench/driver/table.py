# SPDX-License-Identifier: GPL-2.0
"""Tables as text."""


def unique(values):
    """Each value once, in the order in which they appear."""
    return list(dict.fromkeys(values))


def aligned(rows, left):
    """Rows in columns, the first ones of them to the left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    )


def of_records(heads, cells, records, left):
    """Records as a table: the heads, and the formats of the cells, are between bars."""
    rows = [heads, *(cells.format(**record) for record in records)]
    return aligned([row.split("|") for row in rows], left)
