# SPDX-License-Identifier: GPL-2.0
"""Rounds: all settings in turn, each in a process of its own, and their summaries.

A slow minute of the machine affects all settings of a round alike, and each process begins
with untouched memory.
"""

import dataclasses
import json
import os
import statistics
import time

from harness import process

from . import machine
from .program import Failure, say

# A figure whose rounds differ by a greater share of the median is noisy.
NOISY = 0.15
# The median of so many rounds hardly depends on the slowest and the fastest one.
TRIM = 5


@dataclasses.dataclass(frozen=True)
class Summary:
    """Several rounds together.

    The spread is how much they differ, as a share of the median: the greatest less the
    least, without one round at each end if there are as many as TRIM or more.
    """

    median: float
    least: float
    greatest: float
    spread: float

    @property
    def noisy(self):
        """Whether the rounds differ too much."""
        return self.spread > NOISY


def summarise(values):
    """The summary of values, one for each round."""
    values = sorted(values)
    middle = statistics.median(values)
    trim = len(values) >= TRIM
    gap = values[-1 - trim] - values[trim]
    return Summary(middle, values[0], values[-1], gap / middle if middle else 0)


def ratio(ours, theirs):
    """The summary of the ratios of rounds; 0 if a round has nothing to divide by."""
    ours, theirs = list(ours), list(theirs)
    known = ours and len(ours) == len(theirs) and all(theirs)
    return summarise([a / b for a, b in zip(ours, theirs)] if known else [0])


def ask(words, **variables):
    """The lines that a program prints, each a JSON object."""
    status, output = process.capture(words, stderr=None, env={**os.environ, **variables})
    if status:
        raise Failure(f"{' '.join(map(str, words))}: exit status {status}")
    return [json.loads(line) for line in output.splitlines()]


def sample(words, **variables):
    """What a program measured, by workload."""
    return {line["workload"]: line for line in ask(words, **variables)}


def seconds_left(took, number, sizes, rounds):
    """Of all rounds: in the first one by the sizes of settings, later by their times."""
    done = sum(sizes[: len(took)])
    if not done:
        return 0
    if len(took) >= number:
        one = sum(took[:number])
        return sum(took[len(took) % number : number]) + one * (rounds - 1 - len(took) // number)
    whole = sum(took) / done * sum(sizes)
    return whole * rounds - sum(took)


def measure(settings, rounds, run, size=lambda setting: 1):
    """Run all settings, round by round; returns the samples of each setting.

    A setting runs as long as its size says, compared with others.
    """
    samples = [[] for _ in settings]
    sizes = [size(setting) for setting in settings]
    took = []
    for number in range(rounds):
        for at, setting in enumerate(settings):
            left = int(seconds_left(took, len(settings), sizes, rounds))
            text = f"; {left // 60}:{left % 60:02} minutes left" if left else ""
            say(f"round {number + 1} of {rounds}, {at + 1} of {len(settings)}: {setting}{text}")
            begin = time.monotonic()
            samples[at].append(run(setting))
            took.append(time.monotonic() - begin)
    return samples


def facts(program):
    """What a program says of itself, with the facts about the machine."""
    (found,) = ask([program])
    found["machine"] = machine.facts(found["machine"])
    return found


def describe(known):
    """The facts about a machine as text."""
    caches = ", ".join(f"{size >> 10} KiB" for size in known["cache_bytes"])
    return (
        f"{known['cpu']}, {known['cpus']} CPUs, caches {caches}\n"
        f"{known['kernel']}, huge pages: {known['huge_pages']}; compiler"
        f" {known['compiler']}, {known['compiled']}; load average {known['load_average']:.2f}"
    )
