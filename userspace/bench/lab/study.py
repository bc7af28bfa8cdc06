# SPDX-License-Identifier: GPL-2.0
"""Studies: the cells of figures, measured in rounds.

A *cell* is a point of figures, which share those that are equal. In each *round* all cells are
measured once, in an order of its own and with a seed of its own, so that a slow period of the
machine affects all of them, no cell is always behind the same one, and chance is part of what
differs between rounds. A *record* is what the file says about a cell of a figure, or about one
kind of operation of it.
"""

import dataclasses
import itertools
import os
import random
import re
import statistics

from driver import program
from driver.program import Failure
from harness import process

from . import events, figures
from .worlds import Times, Unmeasured

# Memory for a key: as much as the largest schemes need, with some copies.
BYTES_PER_KEY = 128
PLACE = ("scheme", "mix", "threads", "batch", "node_bytes")


@dataclasses.dataclass(frozen=True)
class Point:
    """The words of an order, but for the seed."""

    scheme: str
    mix: str
    order: str
    threads: int
    keys: int
    ops: int
    warm_up: int
    batch: int
    node_bytes: int
    shared: int
    writers: int
    timed: int

    def text(self, seed):
        """The order."""
        return " ".join(f"{name}={value}" for name, value in self.words(seed).items())

    def words(self, seed):
        """The words of the order."""
        return {**dataclasses.asdict(self), "seed": seed}

    def place(self):
        """Where in the figure it is."""
        return tuple(getattr(self, name) for name in PLACE)

    def __str__(self):
        text = f"{self.scheme}, {self.mix}, {self.threads} thread{'s' * (self.threads > 1)}"
        text += f", batches of {self.batch}" if self.batch > 1 else ""
        return text + (f", nodes of {self.node_bytes} bytes" if self.node_bytes else "")


@dataclasses.dataclass
class Cell:
    """A point, its answers by seed, and why it was not measured."""

    point: Point
    answers: dict = dataclasses.field(default_factory=dict)
    failure: str = ""
    refused: bool = False


def available_memory():
    """In bytes."""
    with open("/proc/meminfo", encoding="ascii") as file:
        return int(re.search(r"MemAvailable: *(\d+)", file.read())[1]) << 10


def threads_of(figure, cpus):
    """The numbers of threads of a figure for which there are CPUs.

    A figure that goes beyond that ends with the number of CPUs.
    """
    found = [number for number in figure.threads if number <= cpus] or [1]
    if figure.threads[-1] > cpus and found[-1] != cpus:
        found.append(cpus)
    return found


def keys_of(figure, args):
    """How many keys: as asked for, or as in the paper, or as many as there is memory for."""
    if args.keys:
        return args.keys
    wanted = min(figure.keys, 200000) if args.quick else figure.keys
    most = available_memory() // 2 // BYTES_PER_KEY
    if wanted > most:
        program.say(f"{figure.name}: {most} keys instead of {wanted}, as memory is short")
    return min(wanted, most)


def plan(figure, args):
    """The points of a figure; args has the options, and the machine's CPUs."""
    first = figure.schemes[0]
    common = {
        "order": args.order, "keys": keys_of(figure, args), "warm_up": args.warm_up,
        "ops": args.ops or (min(figure.ops, 100000) if args.quick else figure.ops),
        "shared": int(figure.shared), "writers": figure.writers,
        "timed": int(figure.unit == figures.TIMES),
    }  # fmt: skip
    return [
        Point(scheme=scheme, mix=mix, threads=threads, batch=batch, node_bytes=size, **common)
        for mix in figure.mixes
        for threads in args.threads or threads_of(figure, args.cpus)
        for scheme in figure.schemes
        for size in figure.node_bytes
        # The baseline of batches is there though the figure has batches alone.
        for batch in ((1,) if scheme == first and figure.batches[0] != 1 else ()) + figure.batches
    ]


def baseline(figure, place):
    """The place of the baseline of a cell."""
    _, mix, threads, *_ = place
    return (figure.schemes[0], mix, threads, 1, figure.node_bytes[0])


class Rounds:
    """The cells of all figures, and the seeds of the complete rounds."""

    def __init__(self):
        self.cells = {}
        self.seeds = []

    def cell(self, point):
        """The cell of a point."""
        return self.cells.setdefault(point, Cell(point))

    def measure(self, world, rounds, seed):
        """Measure all cells. A signal ends it; the complete rounds remain."""
        try:
            for number in range(seed, seed + rounds):
                self.measure_round(world, number, f"round {number - seed + 1} of {rounds}")
                self.seeds.append(number)
        except process.Ended:
            pass

    def measure_round(self, world, seed, title):
        """Measure all cells once. A second try of one that failed would tell the same."""
        order = random.Random(seed).sample(list(self.cells.values()), len(self.cells))
        number = itertools.count(1)

        def measure(cell):
            program.say(f"{title}, {next(number)} of {len(order)}: {cell.point}")
            try:
                if not cell.failure:
                    cell.answers[seed] = world.measure(cell.point.text(seed))
            except Unmeasured as error:
                cell.failure, cell.refused = str(error), error.refused

        world.each(measure, order)


class Study:
    """A figure, and its cells of the rounds."""

    def __init__(self, figure, args, rounds):
        self.figure, self.rounds = figure, rounds
        self.cells = [rounds.cell(point) for point in plan(figure, args)]

    def value(self, cell, seed, kind, shares):
        """In the unit of the figure; None if the scheme does not tell."""
        answer = cell.answers.get(seed)
        if answer is None:
            return None
        if kind:
            return answer.times[kind].mean() if kind in answer.times else None
        if self.figure.unit == figures.RETRIES:
            reads = answer.ops * shares.get("read", 0) / sum(shares.values())
            return None if answer.retries is None or not reads else answer.retries / reads
        return 1e3 * answer.ops / answer.ns

    def kinds(self, cell):
        """The kinds of operations of which a cell has records of their own; None: of all."""
        if self.figure.unit != figures.TIMES or cell.failure:
            return [None]
        seen = [kind for answer in cell.answers.values() for kind in answer.times]
        return [kind for kind in dict.fromkeys(seen) if kind in (self.figure.kinds or seen)]

    def record(self, cell, kind, world):
        """What the file says about a cell."""
        figure, shares = self.figure, shares_of(cell.point.mix, world)
        by_place = {one.point.place(): one for one in self.cells}
        base = by_place.get(baseline(figure, cell.point.place()))
        rounds = []
        for seed in self.rounds.seeds if not cell.failure else ():
            answer, value = cell.answers[seed], self.value(cell, seed, kind, shares)
            other = self.value(base, seed, kind, shares) if base else None
            ratio = value / other if figure.unit != figures.RETRIES and value and other else None
            ops = answer.times[kind].count if kind in answer.times else answer.ops
            rounds.append({"seed": seed, "ops": ops, "ns": answer.ns, "value": rounded(value),
                           "ratio": rounded(ratio), "each": speeds(answer)})  # fmt: skip
            if answer.events:
                rounds[-1]["events"] = {
                    name: rounded(number) for name, number in events.per_operation(answer).items()
                }
        found = {
            "figure": figure.name, **cell.point.words(None), "op": kind, "unit": figure.unit,
            **summary("value", [one["value"] for one in rounds]),
            **summary("ratio", [one["ratio"] for one in rounds]), **unfairness(rounds),
            "failure": cell.failure or None, "rounds": rounds,
        }  # fmt: skip
        del found["seed"], found["timed"]
        if any("events" in one for one in rounds):
            found["events"] = events.summary([cell.answers[one["seed"]] for one in rounds])
        if kind and rounds:
            times = Times()
            for answer in cell.answers.values():
                times.merge(answer.times.get(kind))
            found |= times.summary()
        return found

    def records(self, world):
        """All of them, in the order of the figure."""
        return [
            self.record(cell, kind, world) for cell in self.cells for kind in self.kinds(cell)
        ]


def shares_of(mix, world):
    """How frequent each kind of operation is."""
    if mix in world.mixes:
        return world.mixes[mix]["shares"]
    pairs = (word.split("=") for word in mix.split(",") if "=" in word)
    return {kind: int(share) for kind, share in pairs if kind != "entries"}


def rounded(number):
    """To six digits, which are more than a measurement has."""
    return None if number is None else float(f"{number:.6g}")


def speeds(answer):
    """Of each thread, in million operations per second."""
    return [rounded(1e3 * ops / ns) if ns else 0 for ops, ns in answer.each]


def unfairness(rounds):
    """The slowest thread and the fastest one beside the mean of all: medians of the rounds."""
    found = {}
    for name, which in (("slowest", min), ("fastest", max)):
        ratios = [
            which(one["each"]) / statistics.fmean(one["each"]) for one in rounds if one["each"]
        ]
        found[name] = statistics.median(ratios) if ratios else None
    return found


def summary(name, values):
    """The median, the least and the greatest of rounds; None if one is unknown."""
    if not values or None in values:
        values = [None]
    middle = None if None in values else statistics.median(values)
    least, most = (None, None) if middle is None else (min(values), max(values))
    return {f"{name}_median": middle, f"{name}_min": least, f"{name}_max": most}


def check_threads(threads, cpus):
    """More threads than CPUs measure how they take turns."""
    for number in threads or ():
        if number > cpus:
            raise Failure(f"--threads {number}: there are {cpus} CPUs", 2)


def count_cpus():
    """Those that this process may use."""
    return len(os.sched_getaffinity(0))
