# SPDX-License-Identifier: GPL-2.0
"""Two files of results beside each other: the cells that both have."""

from . import judge
from .table import digits

# Alike: within a twentieth.
ALIKE = 1.05
HEADS = ["figure", "cell", "first", "second", "ratio", "from", "to", ""]


def verdict(interval):
    """How the second one compares with the first."""
    answers = {
        word: judge.decide(interval, region)
        for word, region in (
            ("alike", (1 / ALIKE, ALIKE)), ("greater", (1, float("inf"))), ("less", (0, 1)),
        )
    }  # fmt: skip
    return next((word for word, said in answers.items() if said == judge.AGREES), judge.NOISY)


def rows(first, second):
    """A row for each cell; the rounds of two files do not belong together."""
    def key(one):
        names = (*judge.PLACE, "order", "keys", "ops", "warm_up", "shared", "writers")
        return tuple(one.get(name, 0) for name in names)

    others, found = {key(one): one for one in second}, []
    for one in first:
        pair = [one, others.get(key(one))]
        if not all(pair) or any(each["value_median"] is None for each in pair):
            continue
        values = [[r["value"] for r in each["rounds"]] for each in pair]
        interval = judge.bootstrap(values[1], values[0])
        cell = ", ".join(str(one[name]) for name in judge.PLACE[1:] if one[name] is not None)
        found.append([
            one["figure"], cell, *(digits(each["value_median"]) for each in pair),
            *map(digits, (interval.middle, interval.low, interval.high)), verdict(interval),
        ])  # fmt: skip
    return found
