# SPDX-License-Identifier: GPL-2.0
"""Tables and lists of what ran and what did not."""

import dataclasses
import pathlib

from . import reasons, source

LEAST_LINES, LEAST_BRANCHES = 95, 90


@dataclasses.dataclass
class Sum:
    """How many lines and branches there are, and how many of them ran."""

    lines: int = 0
    run: int = 0
    branches: int = 0
    taken: int = 0

    def __add__(self, other):
        return Sum(
            self.lines + other.lines,
            self.run + other.run,
            self.branches + other.branches,
            self.taken + other.taken,
        )


def percent(part, whole):
    """Never more than there is: rounded down, to a tenth."""
    return part * 1000 // whole / 10 if whole else 100.0


def sum_of(lines):
    """That of the lines of a file."""
    return Sum(
        len(lines),
        sum(line.count > 0 for line in lines.values()),
        sum(len(line.branches()) for line in lines.values()),
        sum(sum(map(bool, line.branches())) for line in lines.values()),
    )


def gaps(merged, known, top):
    """Each line that did not run, or not to all sides, with its reason."""
    found = []
    for file, lines in merged.items():
        for number, line in lines.items():
            branches = line.branches()
            if line.count and all(branches):
                continue
            function = source.function(top / file, number)
            text = source.text(top / file, number)
            found.append(
                {
                    "file": file,
                    "line": number,
                    "function": function,
                    "text": text,
                    "ran": line.count > 0,
                    "branches": len(branches),
                    "taken": sum(map(bool, branches)),
                    "reason": reasons.lookup(known, file, function, text),
                }
            )
    return found


def summary(merged, known, top):
    """Everything, for programs."""
    files = {file: sum_of(lines) for file, lines in merged.items()}
    folders = {}
    for file, one in files.items():
        folder = str(pathlib.PurePath(file).parent)
        folders[folder] = folders.get(folder, Sum()) + one
    return {
        "total": vars(sum(files.values(), Sum())),
        "directories": {name: vars(one) for name, one in folders.items()},
        "files": {name: vars(one) for name, one in files.items()},
        "gaps": gaps(merged, known, top),
        "stale": reasons.stale(known, top),
    }


def complaints(result):
    """Why it is not enough; nothing if it is."""
    total = result["total"]
    ran = percent(total["run"], total["lines"])
    taken = percent(total["taken"], total["branches"])
    found = []
    if ran < LEAST_LINES:
        found.append(f"{ran} % of the lines ran, {LEAST_LINES} % at least should")
    if taken < LEAST_BRANCHES:
        found.append(f"{taken} % of the branches were taken, {LEAST_BRANCHES} % at least should")
    found += [
        f"{gap['file']}:{gap['line']}: did not run, and has no reason: {gap['text']}"
        for gap in result["gaps"]
        if not gap["ran"] and not gap["reason"]
    ]
    found += [f"a reason for a line that is not there: {line}" for line in result["stale"]]
    return found


def row(name, one):
    """A line of the table."""
    ran, taken = percent(one["run"], one["lines"]), percent(one["taken"], one["branches"])
    return (
        f"{name:28} {one['run']:6} of {one['lines']:5} {ran:6.1f} %"
        f" {one['taken']:7} of {one['branches']:5} {taken:6.1f} %"
    )


def table(result):
    """The lines of a table, without those of single files."""
    yield f"{'':28} {'lines':>24} {'branches':>25}"
    for name, one in result["directories"].items():
        yield row(name, one)
    yield row("all", result["total"])


def gap_text(gap):
    """What there is to say of a line."""
    what = "did not run" if not gap["ran"] else f"{gap['taken']} of {gap['branches']} branches"
    yield f"{gap['file']}:{gap['line']}: {gap['function']}: {what}"
    yield f"        {gap['text']}"
    if gap["reason"]:
        yield f"    {gap['reason']}"


def text(result):
    """Everything, for people."""
    yield from table(result)
    yield ""
    for name, one in result["files"].items():
        yield row(name, one)
    for gap in result["gaps"]:
        yield ""
        yield from gap_text(gap)
