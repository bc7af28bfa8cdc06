# SPDX-License-Identifier: GPL-2.0
"""The two worlds that measure points: processes, and the module blink_tree_lab.

An *order* is a line of words that says what to measure, and an *answer* is text too; both are
the same in the two worlds (module/lab/point/text.c).
"""

import collections
import dataclasses
import errno
import json
import math
import os
import pathlib
import signal
import struct
import tempfile

from driver import machine, program
from driver.program import Failure
from harness import process

DEBUGFS = pathlib.Path("/sys/kernel/debug/blink_tree_lab")
KEY_MAX = 2**63 - 1
# Seconds that a point can take.
LIMIT = 900

# Of a scheme that is not made for a point: no failure of the machine.
REFUSALS = {
    errno.EOPNOTSUPP: "not for these operations, batches or threads",
    errno.EFBIG: "not for so many keys",
    errno.EINVAL: "no nodes of this size",
}
FAILURES = {
    errno.ERANGE: "too few keys for so many threads",
    errno.ENOMEM: "no memory",
    errno.EIO: "wrong answers",
    errno.EPROTO: "an incomplete answer",
}


class Unmeasured(Exception):
    """Why a point was not measured; whether the scheme refused it."""

    def __init__(self, number, text=""):
        known = REFUSALS.get(number) or FAILURES.get(number)
        super().__init__(known or text or os.strerror(number))
        self.refused = number in REFUSALS


class Times:
    """A histogram of times: the least time of each bucket, and how many there are."""

    def __init__(self):
        self.count = self.sum = self.most = 0
        self.least = math.inf
        self.buckets = collections.Counter()

    def add(self, words):
        """A line of an answer."""
        self.count += int(words["count"])
        self.sum += int(words["sum"])
        self.least = min(self.least, int(words["least"]))
        self.most = max(self.most, int(words["most"]))
        for pair in words["times"].split(","):
            low, number = pair.split(":")
            self.buckets[int(low)] += int(number)

    def merge(self, other):
        """Those of another round, if it has some."""
        if other:
            self.count, self.sum = self.count + other.count, self.sum + other.sum
            self.least, self.most = min(self.least, other.least), max(self.most, other.most)
            self.buckets += other.buckets

    def mean(self):
        """The mean."""
        return self.sum / self.count

    def deviation(self):
        """The standard deviation, by the least time of each bucket."""
        mean = sum(low * n for low, n in self.buckets.items()) / self.count
        return math.sqrt(sum((low - mean) ** 2 * n for low, n in self.buckets.items()) / self.count)

    def percentile(self, percent):
        """The time that this share of the operations does not exceed, by the buckets."""
        rank, seen = math.ceil(percent / 100 * self.count), 0
        for low in sorted(self.buckets):
            seen += self.buckets[low]
            if seen >= rank:
                return max(low, self.least)
        return self.most

    def summary(self):
        """For a record."""
        return {
            "count": self.count, "least_ns": self.least, "mean_ns": self.mean(),
            "most_ns": self.most, "deviation_ns": self.deviation(),
            **{f"p{str(p).replace('.', '')}_ns": self.percentile(p) for p in (50, 99, 99.9)},
        }  # fmt: skip


@dataclasses.dataclass
class Answer:
    """The outcome of a point; None is what the scheme does not tell.

    Each thread has a pair: its operations and its nanoseconds. The events are those that were
    asked for (events.py).
    """

    threads: int
    ops: int
    ns: int
    retries: int | None
    bytes: int | None
    entries: int | None
    each: list
    times: dict
    events: dict = dataclasses.field(default_factory=dict)


def words_of(line):
    """NAME=VALUE NAME=VALUE... as a dictionary."""
    return dict(word.split("=", 1) for word in line.split())


def read_answer(text):
    """An answer; an incomplete one is an error."""
    try:
        first, *others = map(words_of, text.splitlines())
        if int(first["wrong"]) or not int(first["ns"]):
            raise ValueError
        known = {
            name: None if first[name] == "-" else int(first[name])
            for name in ("threads", "ops", "ns", "retries", "bytes", "entries")
        }
        each = [tuple(map(int, pair.split("/"))) for pair in first["each"].split(",")]
        if len(each) != known["threads"] or sum(ops for ops, _ in each) != known["ops"]:
            raise ValueError
        times = {}
        for words in others:
            times.setdefault(words["op"], Times()).add(words)
        return Answer(**known, each=each, times=times)
    except (KeyError, ValueError):
        raise Unmeasured(errno.EPROTO) from None


def read_keys(path):
    """The keys of a file, a number on each line, decimal, or hexadecimal after 0x."""
    keys = {}
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        digits, base = (line[2:], 16) if line.startswith("0x") else (line, 10)
        good = digits.isascii() and digits.isalnum() and not digits.startswith("0x")
        try:
            key = int(digits, base) if good else -1
        except ValueError:
            key = -1
        if not 0 <= key <= KEY_MAX:
            raise Failure(f"{path}: line {number}: not a key of 63 bits", 2)
        if key in keys:
            raise Failure(f"{path}: line {number}: the key is there twice", 2)
        keys[key] = number
    return struct.pack(f"={len(keys)}Q", *keys)


class World:
    """What both have: the schemes and mixes, by name."""

    def __init__(self):
        lines = [json.loads(line) for line in self.list().splitlines()]
        self.schemes = {line["scheme"]: line for line in lines if "scheme" in line}
        self.mixes = {line["mix"]: line for line in lines if "mix" in line}
        self.built = next((line for line in lines if "compiler" in line), {})

    def facts(self):
        """Of the machine."""
        return machine.facts(self.built)

    def each(self, measure, cells):
        """Call a function for each cell, one after the other."""
        for cell in cells:
            measure(cell)


class Native(World):
    """Each point is a process of its own.

    All begin with the same memory, and a scheme that crashes or hangs ends only its own point.
    """

    name = "native"

    def __init__(self):
        self.program = self.build()
        self.keys = []
        super().__init__()

    def build(self):
        """The program."""
        return program.build("bench/lab") / "blink_lab"

    def execute(self, command, env=None, **options):
        """What a program prints."""
        status, output = process.capture(
            command, stderr=None, limit=LIMIT, env={**os.environ, **(env or {})}, **options
        )
        if status is None:
            raise Unmeasured(errno.ETIMEDOUT, f"it ran longer than {LIMIT} s")
        if status < 0:
            name = signal.strsignal(-status)
            raise Unmeasured(errno.ECHILD, f"signal {-status} ended it: {name}")
        if status:
            raise Unmeasured(status)
        return output

    def list(self):
        """The lists as text."""
        return self.execute([self.program, "list", *self.keys])

    def set_keys(self, packed):
        """Those of order=file, for as long as the file is open."""
        # pylint: disable=consider-using-with
        self.file = tempfile.NamedTemporaryFile(prefix="blink_lab.")
        self.file.write(packed)
        self.file.flush()
        self.keys = [self.file.name]

    def measure(self, order):
        """The answer to an order."""
        return read_answer(self.execute([self.program, order, *self.keys]))


class Kernel(World):
    """The files of the module blink_tree_lab."""

    name = "kernel"

    def __init__(self, folder=DEBUGFS):
        self.folder = folder
        super().__init__()
        compiler = machine.read("/proc/version", r"\((.*)\)")
        self.built = {"compiler": compiler, "flags": "the kernel's"}

    def open(self, name, flags):
        """A file of the module."""
        try:
            return os.open(self.folder / name, flags | os.O_CLOEXEC)
        except OSError as error:
            hint = {
                errno.ENOENT: "load the module, as root: modprobe blink_tree_lab; if"
                " /sys/kernel/debug is empty, mount -t debugfs none /sys/kernel/debug",
                errno.EACCES: "only root can measure in the kernel",
            }.get(error.errno, "")
            raise Failure(f"{self.folder / name}: {error.strerror}\n{hint}".rstrip()) from None

    def list(self):
        """The lists as text."""
        with os.fdopen(self.open("list", os.O_RDONLY)) as file:
            return file.read()

    def set_keys(self, packed):
        """Those of order=file: all in one write."""
        with os.fdopen(self.open("keys", os.O_WRONLY), "wb", buffering=0) as file:
            file.write(packed)

    def measure(self, order):
        """The answer to an order."""
        with os.fdopen(self.open("point", os.O_RDWR), "r+b", buffering=0) as file:
            try:
                file.write(order.encode())
                file.seek(0)
                return read_answer(file.read().decode())
            except OSError as error:
                raise Unmeasured(error.errno) from None
