# SPDX-License-Identifier: GPL-2.0
"""The lines of the sources, and which functions they are of."""

import functools
import re

# In the kernel's style only what is outside of functions begins at the margin.
HEAD = re.compile(r"(?:[a-zA-Z_][\w *]*?[ *])?(\w+)\(")


@functools.cache
def lines(path):
    """All lines of a file, the first at 1."""
    return ["", *path.read_text().split("\n")]


def text(path, number):
    """A line, without what is around it."""
    return lines(path)[number].strip()


def function(path, number):
    """The name of the function that a line is of."""
    for line in reversed(lines(path)[: number + 1]):
        head = HEAD.match(line)
        if head:
            return head[1]
    return ""


def has(path, name, wanted):
    """Whether there is such a line in such a function."""
    return any(
        line.strip() == wanted and function(path, number) == name
        for number, line in enumerate(lines(path))
    )
