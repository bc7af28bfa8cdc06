# SPDX-License-Identifier: GPL-2.0
"""The judge of claims: whether measured rounds agree with a paper.

The rounds of two cells are compared seed by seed. The interval of their ratio is that of the
medians of rounds that are drawn again and again, with replacement, from those measured: 99 % of
the medians are in it (a bootstrap). From as few rounds as these, it contains the true median
with 95 %. A claim *agrees* if the whole interval is where the claim
says, and *disagrees* if the whole interval is elsewhere. Otherwise the rounds are *too noisy to
say*; they also are if there are too few of them, or too few operations in each. What the machine
cannot do is *not measured*.
"""

import dataclasses
import math
import random
import statistics

from . import figures
from .claims import CLAIMS, MODEL

AGREES, DISAGREES = "agrees", "disagrees"
NOISY, UNMEASURED = "too noisy to say", "not measured"
# Of several tests, the first of these answers that one of them has counts.
PRECEDENCE = (DISAGREES, UNMEASURED, NOISY, AGREES)

# The true median is between the least and the greatest of so many with 97 %.
ROUNDS_MIN = 6
# A mean of fewer operations says little.
OPS_MIN = 1000
DRAWS, LEVEL = 2000, 0.99
# What a paper calls similar, or gives as a number, can differ by this factor.
WITHIN = 1.2

PLACE = ("figure", "scheme", "mix", "threads", "batch", "node_bytes", "op")


@dataclasses.dataclass(frozen=True)
class Interval:
    """The median of rounds, and the bounds between which it is."""

    low: float
    middle: float
    high: float
    rounds: int


def bootstrap(values, other=None):
    """The interval of the median of values; with others, of the ratio of two medians."""
    chance = random.Random(1)

    def draw(some):
        return statistics.median(chance.choices(some, k=len(some)))

    def of(first, second):
        return first / second if second else math.inf

    if other is None:
        middle, drawn = statistics.median(values), [draw(values) for _ in range(DRAWS)]
    else:
        middle = of(statistics.median(values), statistics.median(other))
        drawn = [of(draw(values), draw(other)) for _ in range(DRAWS)]
    drawn.sort()
    cut = int(DRAWS * (1 - LEVEL) / 2)
    return Interval(drawn[cut], middle, drawn[-1 - cut], len(values))


def region_of(relation, number):
    """The values for which a relation is true."""
    return {
        "greater": (number, math.inf),
        "less": (-math.inf, number),
        "about": (number / WITHIN, number * WITHIN),
    }[relation]


def decide(interval, region):
    """The answer for an interval."""
    low, high = region
    if interval.rounds < ROUNDS_MIN:
        return NOISY
    if low < interval.low and interval.high < high:
        return AGREES
    if interval.high <= low or interval.low >= high:
        return DISAGREES
    return NOISY


def together(answers):
    """The answer for several tests that must all be true."""
    return next((answer for answer in PRECEDENCE if answer in answers), UNMEASURED)


class Judge:
    """The records of a file, by their places."""

    def __init__(self, results):
        self.records = {tuple(one[name] for name in PLACE): one for one in results["records"]}
        self.nodes = results["machine"]["nodes"] if results["world"] != "native" else 1

    def series(self, place, of="value"):
        """What the rounds of a cell say, by seed; nothing if it was not measured."""
        found = self.records.get(place, {}).get("rounds", [])
        return {one["seed"]: one[of] for one in found if one[of] is not None}

    def enough(self, *places):
        """Whether each round of cells has enough operations."""
        return all(
            one["ops"] >= OPS_MIN
            for place in places
            for one in self.records.get(place, {}).get("rounds", [])
        )

    def places(self, test):
        """The cells of a test, and whether they have as many threads as the paper."""
        figure = figures.FIGURES[test.figure]
        found = [
            place for place in self.records
            if place[:2] == (test.figure, test.scheme)
            and place[2] in (test.mixes or figure.mixes)
            and place[4] in (test.batches or figure.batches)
            and place[5] in ((test.node_bytes,) if test.node_bytes else figure.node_bytes)
            and (not test.kind or place[6] == test.kind)
        ]  # fmt: skip
        wanted = (test.threads,) if test.threads else figure.threads
        same = [place for place in found if place[3] in wanted]
        if same or test.strict:
            return same, True
        most = max((place[3] for place in found), default=0)
        # One thread decides nothing about several.
        return [place for place in found if place[3] == most > 1], False

    def compare(self, test, place, other, relation, number):
        """Two cells, by the ratios of their rounds."""
        ours, theirs = self.series(place), self.series(other)
        ratios = [ours[seed] / theirs[seed] for seed in ours if theirs.get(seed)]
        return self.answer(test, place, ratios, relation, number, other)

    def answer(self, test, place, values, relation, number, *others):
        """The outcome of one comparison."""
        words = [*place[1:4], *([f"batch {place[4]}"] if place[4] > 1 else ())]
        words += [f"{place[5]} bytes"] if place[5] else []
        found = {
            "cell": ", ".join(map(str, [*words, *([place[6]] if place[6] else ())])),
            "tested": f"{test.relation}: " * (relation != test.relation)
            + f"{relation} {'than ' * (relation != 'about')}{number:.3g}",
        }
        if not values:
            return {**found, "answer": UNMEASURED}
        interval = bootstrap(values)
        verdict = decide(interval, region_of(relation, number))
        if place[6] and not self.enough(place, *others):
            verdict = NOISY
        return {**found, **dataclasses.asdict(interval), "answer": verdict}

    def related(self, test, place, exact):
        """The ratio of a cell to the baseline, to another scheme, or to one in another figure."""
        relation, number = test.relation, test.number
        if relation == "exactly":
            # With another number of threads, it has the direction of the paper's number.
            relation = "about" if exact else "greater" if number > 1 else "less"
            number = number if exact else 1
        if figures.FIGURES[test.figure].unit == figures.RETRIES:
            return self.answer(test, place, list(self.series(place).values()), relation, number)
        if test.to:
            other = (place[0], test.to, *place[2:])
            return self.compare(test, place, other, relation, number)
        ratios = self.series(place, "ratio")
        if not test.beside:
            return self.answer(test, place, list(ratios.values()), relation, number)
        figure, scheme = test.beside
        mixes = figures.FIGURES[figure].mixes
        mix = place[2] if place[2] in mixes else mixes[0]
        theirs = self.series((figure, scheme, mix, *place[3:]), "ratio")
        values = [ratios[seed] / theirs[seed] for seed in ratios if theirs.get(seed)]
        return self.answer(test, place, values, relation, number)

    def extreme(self, test, place):
        """A cell and each one that differs only in what the test names."""
        at = PLACE.index(test.along)
        figure = figures.FIGURES[test.figure]
        # A scheme that was added to the figure is none of the paper's.
        rivals = [
            other for other in self.records
            if other != place and other[:at] + other[at + 1:] == place[:at] + place[at + 1:]
            and other[1] in figure.schemes
        ]  # fmt: skip
        slow = figure.unit != figures.SPEED
        relation = "greater" if (test.relation == "best") != slow else "less"
        found = [self.compare(test, place, other, relation, 1) for other in rivals]
        for one, other in zip(found, rivals):
            one["cell"] += f" / {other[at]}"
        return found or [{"cell": str(place), "tested": test.relation, "answer": UNMEASURED}]

    def trend(self, test, places):
        """The last cell along threads or mixes beside the first one, of all that are alike."""
        at = PLACE.index(test.along)
        figure = figures.FIGURES[test.figure]
        order = list(figure.mixes) if test.along == "mix" else sorted({p[at] for p in places})
        lines = {}
        for place in places:
            lines.setdefault(place[:at] + place[at + 1:], []).append(place)
        for line in lines.values():
            line.sort(key=lambda place: order.index(place[at]))
            first, last = line[0], line[-1]
            relation = "greater" if test.relation == "grows" else "less"
            # Retries begin at 0.
            retries = figure.unit == figures.RETRIES
            begin, end = self.series(first, test.of), self.series(last, test.of)
            values = [
                end[seed] - begin[seed] if retries else end[seed] / begin[seed]
                for seed in end if retries and seed in begin or begin.get(seed)
            ]  # fmt: skip
            several = values if len(line) > 1 else []
            yield self.answer(test, last, several, relation, 0 if retries else 1)

    def test(self, test):
        """All comparisons of a test."""
        places, exact = self.places(test)
        if test.relation in ("grows", "falls"):
            found = list(self.trend(test, self.everywhere(test, places)))
        elif test.relation in ("best", "worst"):
            found = [one for place in places for one in self.extreme(test, place)]
        else:
            found = [self.related(test, place, exact) for place in places]
        return found or [self.nothing(test)]

    def everywhere(self, test, places):
        """The cells of a trend: along threads, those with at least as many as it names."""
        if test.along != "threads":
            return places
        return [
            place for place in self.records
            if place[:2] == (test.figure, test.scheme) and place[3] >= test.threads
            and place[4] in (test.batches or figures.FIGURES[test.figure].batches)
        ]  # fmt: skip

    def nothing(self, test):
        """The outcome of a test that no cell was measured for."""
        return {"cell": test.scheme, "tested": test.relation, "answer": UNMEASURED}

    def claim(self, claim):
        """The verdict about a claim."""
        found = []
        if self.nodes >= claim.nodes:
            found = [
                {"figure": test.figure, "said": test.said, **one}
                for test in claim.tests
                for one in self.test(test)
            ]
        return {"claim": claim.name, "answer": together([one["answer"] for one in found]),
                "tests": found}  # fmt: skip


def verdicts(results):
    """The verdict about each claim of which a figure is in the results, or about all claims."""
    judge = Judge(results)
    names = {one["figure"] for one in results["records"]}
    return [
        judge.claim(claim) for claim in CLAIMS
        if names & {test.figure for test in claim.tests} or names >= set(figures.FIGURES)
    ]  # fmt: skip


def count(test, records):
    """The comparisons of a test with the records of `make lab-numa`, which have no noise."""
    some = [
        one for one in records
        if (one["figure"], one["batch"]) == (test.figure, 1)
        and one["mix"] == (test.mix or one["mix"])
    ]  # fmt: skip
    for one in (one for one in some if one["scheme"] == test.scheme):
        name = test.to if test.to != MODEL else test.scheme
        of = f"model_{test.of}" if test.to == MODEL else test.of
        others = [
            other[of] for other in some if (other["scheme"], other["nodes"]) == (name, one["nodes"])
        ]
        than = "than " * (test.relation != "about") + (test.to or f"{test.number:.3g}")
        found = {
            "cell": f"{one['scheme']}, {one['mix']}, {one['nodes']} NUMA nodes",
            "tested": f"{test.of.split('_')[0]} {test.relation} {than}",
        }
        if test.to and not others:
            yield {**found, "answer": UNMEASURED}
            continue
        base = others[0] if test.to else 1
        value = one[test.of] / base if base else math.inf if one[test.of] else 1
        interval = Interval(value, value, value, ROUNDS_MIN)
        answer = decide(interval, region_of(test.relation, test.number))
        yield {**found, **dataclasses.asdict(interval), "answer": answer}


def counted(records):
    """The verdict about each claim of which counts are in the records."""
    for claim in CLAIMS:
        found = [one for test in claim.counts for one in count(test, records)]
        if found:
            yield {"claim": claim.name, "answer": together([one["answer"] for one in found]),
                   "tests": found}  # fmt: skip
