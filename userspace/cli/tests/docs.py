#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a document shows on a terminal is what happens, in TAP: its console blocks
are executed one after the other, as root with the module loaded, and must print
what stands there. "..." is for any lines; seconds, a tree's number, how many NUMA nodes
there are, and which of them have its memory may differ.

  docs.py BLINKTREE DOCUMENT
"""

import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

# The document shows a machine with two of them.
NODES = len(glob.glob("/sys/devices/system/node/node[0-9]*")) or 1
# They need a second module, or take a machine of their own.
ELSEWHERE = ("modprobe", "blinktree bench")


def blocks(lines):
    """The lines of each console block, without their indentation."""
    block = None
    for line in lines + ["end"]:
        if block is not None and line.strip() and not line.startswith("   "):
            yield block
            block = None
        if block is not None:
            block.append(line[3:])
        if line == ".. code-block:: console":
            block = []


def commands(block):
    """Each command with the lines that it is to print."""
    found = []
    for line in block:
        if line.startswith("# "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(text).strip("\n")) for command, text in found]


def pattern(expected):
    """A regular expression for what is expected, a newline behind each line."""
    parts = []
    for line in expected.split("\n") if expected else []:
        part = re.escape(line) + "\n"
        part = re.sub(r"^seconds:\\ .*", "seconds: [0-9.]+", part)
        # Name, number, owner, group, mode: a line of the list, below its head.
        part = re.sub(r"^name[\\ ]+id\b", "name +id", part)
        part = re.sub(r"^(\w+)[\\ ]+\d+(?=[\\ ]+0[\\ ]+0[\\ ]+0\d)", r"\1 +\\d+", part)
        part = re.sub(r'\bid="\d+"', r'id="\\d+"', part)
        # Level, NUMA node, and five numbers, of which totals() takes care: the kernel takes
        # memory of another node if there is none left on the right one.
        part = re.sub(r"^([\\ ]+\d+)(?:[\\ ]+[\d\\.]+){6}\n$", r"(?:\1 .*\n)+", part)
        part = re.sub(r"^indexes:\\ 2$", f"indexes: {NODES}", part, flags=re.M)
        part = re.sub(r"^misplaced:\\ \d+", r"misplaced: \\d+", part)
        parts.append(r"(?:.*\n)*" if line.strip() == "..." else part)
    return "".join(parts)


def totals(text):
    """What each level of a tree has, on all NUMA nodes together."""
    sums = collections.Counter()
    for line in text.split("\n"):
        numbers = re.fullmatch(r" +(\d+) +\d+ +(\d+) +(\d+) +(\d+) +(\d+) +[\d.]+", line)
        if numbers:
            level, *counts = numbers.groups()
            sums.update({(level, at): int(count) for at, count in enumerate(counts)})
    return sums


def run(command):
    """What it prints, on either stream."""
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout


def execute(block):
    """What printed something else than it was to, as lines of TAP."""
    wrong = []
    for command, expected in commands(block):
        if command.startswith(ELSEWHERE):
            continue
        if command.startswith("cat "):
            with open(command[4:], "w", encoding="utf-8") as file:
                file.write(expected + "\n")
            continue
        printed = run(command)
        # The document may leave the levels out.
        right = totals(expected) in ({}, totals(printed))
        if not right or not re.fullmatch(pattern(expected), printed):
            wrong.append(f"# {command} printed:")
            wrong += ["#   " + line for line in printed.splitlines()]
    return wrong


def main(blinktree, document):
    """Execute the document."""
    with open(document, encoding="utf-8") as file:
        found = list(blocks(file.read().split("\n")))
    os.environ["PATH"] = os.path.dirname(os.path.abspath(blinktree)) + ":" + os.environ["PATH"]
    print(f"TAP version 13\n1..{len(found)}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, block in enumerate(found, 1):
            wrong = execute(block)
            print("\n".join(wrong + [f"{'not ' if wrong else ''}ok {number} {commands(block)[0][0]}"]))
            sys.stdout.flush()
            failed += bool(wrong)
    for tree in run("blinktree list --names").split():
        run(f"blinktree rm {tree}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
