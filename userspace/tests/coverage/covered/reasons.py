# SPDX-License-Identifier: GPL-2.0
"""Why some lines do not run, and some branches are not taken: ../reasons.txt.

Paragraphs, each of a file and a function, the lines of it that are meant, one
below the other and indented, and the reason:

	module/core/create.c: blink_tree_create
		return NULL;
	What nobody does.

A line is known by its text, since its number changes with every other line.
"""

import dataclasses

from . import source


@dataclasses.dataclass
class Reason:
    """One paragraph."""

    file: str
    function: str
    lines: list
    why: str


def parse(text):
    """All paragraphs of such a text; '#' begins a comment."""
    kept = [line for line in text.split("\n") if not line.startswith("#")]
    found = []
    for paragraph in "\n".join(kept).split("\n\n"):
        rows = [row for row in paragraph.split("\n") if row.strip()]
        if not rows:
            continue
        file, _, function = rows[0].partition(": ")
        meant = [row.strip() for row in rows[1:] if row.startswith("\t")]
        why = " ".join(row.strip() for row in rows[1:] if not row.startswith("\t"))
        if not (function and meant and why):
            raise SystemExit(f"not a reason: {rows[0]}")
        found.append(Reason(file, function.strip(), meant, why))
    return found


def stale(reasons, top):
    """Those that are about lines that there are not."""
    return [
        f"{reason.file}: {reason.function}: {line}"
        for reason in reasons
        for line in reason.lines
        if not (top / reason.file).exists()
        or not source.has(top / reason.file, reason.function, line)
    ]


def lookup(reasons, file, function, text):
    """The reason for a line, or nothing."""
    for reason in reasons:
        if (reason.file, reason.function) == (file, function) and text in reason.lines:
            return reason.why
    return ""
