# SPDX-License-Identifier: GPL-2.0
"""Puts together what gcovr says of several builds of the same sources.

A line has run if it ran in any build. Branches are another matter: of one line,
each build has those that its compiler made of it. Builds that do the same to a
line have the same branches there, and what was taken is added up; of those that
differ the one counts of which most was taken, and the others do not. What has no
branches where nothing is optimised has none: those of others are of the kernel's
macros.
"""

import collections
import dataclasses
import json
import re

# Conditions that no test is to see both ways: they hold, or the kernel complains.
ASSERTIONS = re.compile(
    r"\b(?:WARN_ON|WARN_ON_ONCE|BUILD_BUG_ON|static_assert|might_sleep|cond_resched"
    r"|lockdep_assert_\w+|blink_assert_locked)\("
)


# The way to build in which the branches are those of the source, and no others.
PLAIN = "userspace"


@dataclasses.dataclass
class Line:
    """How often it ran; how often its branches were taken, for each way to build."""

    count: int = 0
    ways: dict = dataclasses.field(default_factory=dict)

    def add(self, way, count, branches):
        """What a build has to say."""
        self.count += count
        if branches or way == PLAIN:
            key = (way, len(branches))
            before = self.ways.get(key, [0] * len(branches))
            self.ways[key] = [a + b for a, b in zip(before, branches)]

    def branches(self):
        """How often each was taken."""
        return max(self.ways.values(), key=worth, default=[])


def worth(branches):
    """Of several accounts of one line the greatest counts."""
    return sum(map(bool, branches)) / len(branches) if branches else 1, len(branches)


def read_build(path):
    """For each file and line, how often it ran, and its branches.

    What is expanded in several functions is one line with the branches of all.
    """
    lines = collections.defaultdict(lambda: [0, []])
    for file in json.loads(path.read_text())["files"]:
        for line in file["lines"]:
            if line.get("gcovr/noncode") or line.get("gcovr/excluded"):
                continue
            entry = lines[file["file"], line["line_number"]]
            entry[0] += line["count"]
            entry[1] += [branch["count"] for branch in line.get("branches", [])]
    return lines


def merge(builds, text_of):
    """{file: {number: Line}} of builds, pairs of a way and what read_build() says.

    text_of(file, number) is the source: assertions have no branches.
    """
    merged = collections.defaultdict(dict)
    for way, lines in builds:
        for (file, number), (count, branches) in lines.items():
            line = merged[file].setdefault(number, Line())
            if ASSERTIONS.search(text_of(file, number)):
                branches = []
            line.add(way, count, branches)
    return {file: dict(sorted(merged[file].items())) for file in sorted(merged)}


def for_gcovr(merged, version):
    """The same as a document that gcovr reads, to make pages of it."""
    return {
        "gcovr/format_version": version,
        "files": [
            {
                "file": file,
                "functions": [],
                "lines": [
                    {
                        "line_number": number,
                        "count": line.count,
                        "branches": [
                            {
                                "branchno": branch,
                                "count": count,
                                "fallthrough": False,
                                "throw": False,
                                "source_block_id": 0,
                            }
                            for branch, count in enumerate(line.branches())
                        ],
                    }
                    for number, line in lines.items()
                ],
            }
            for file, lines in merged.items()
        ],
    }
