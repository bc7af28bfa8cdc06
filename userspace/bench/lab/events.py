# SPDX-License-Identifier: GPL-2.0
"""Events of points, as `perf stat` counts them while the measured operations run.

perf starts blink_lab with its counters disabled. Through two pipes blink_lab tells it to enable
them, waits for the acknowledgement, and starts the threads that execute the operations; after
these it has the counters disabled again (lab_count_events() in module/lab/threads.h).
"""

import contextlib
import dataclasses
import errno
import json
import os
import re
import shutil
import statistics
import sys
import tempfile

from driver.program import Failure
from harness import process

from .worlds import Native, Unmeasured, read_answer

# The exit status of perf for words that it does not understand.
USAGE = 129
# perf announces each order that it follows.
ANNOUNCED = re.compile(r"^Events (?:dis|en)abled\n", re.MULTILINE)
# A decimal point in all languages.
LANGUAGE = {"LC_ALL": "C"}


@dataclasses.dataclass
class Count:
    """How often an event occurred, or why perf did not count it.

    Without enough counters, perf counts an event for a percentage of the time, and scales it.
    """

    number: float | None
    missing: str
    unit: str
    percent: float


def check(names):
    """Events that perf does not know are wrong usage; perf says which ones."""
    if not shutil.which("perf"):
        raise Failure("perf is missing; run userspace/vm/deps lab")
    status, output = process.capture(
        ["perf", "stat", "-e", names, "true"], env={**os.environ, **LANGUAGE}
    )
    if status:
        message = output.partition("\n Usage:")[0].strip()
        raise Failure(f"--events {names}: {message}", 2 if status == USAGE else 1)


def read_counts(text):
    """The events of a point, by name, of perf's lines of JSON."""
    counts = {}
    for line in text.splitlines():
        words = json.loads(line) if line.startswith("{") else {}
        # A line can have a metric alone.
        if words.get("event") and "counter-value" in words:
            value = words["counter-value"]
            missing = value.strip("<>") if value.startswith("<") else ""
            number = None if missing else float(value)
            unit, percent = words.get("unit", ""), words["pcnt-running"]
            counts[words["event"]] = Count(number, missing, unit, percent)
    return counts


def per_operation(answer):
    """The events of an operation of a point, by name."""
    return {
        name: None if one.number is None else one.number / answer.ops
        for name, one in answer.events.items()
    }


def summary(answers):
    """By event: the median of rounds, and what they have in common; no median if one is unknown."""
    found = {}
    for name in dict.fromkeys(name for answer in answers for name in answer.events):
        counts = [answer.events[name] for answer in answers]
        values = [per_operation(answer)[name] for answer in answers]
        found[name] = {
            "unit": counts[0].unit,
            "median": None if None in values else statistics.median(values),
            "percent": min(one.percent for one in counts),
            "missing": next((one.missing for one in counts if one.missing), None),
        }
    return found


class Counted(Native):
    """Processes of which perf counts events."""

    def __init__(self, names):
        check(names)
        self.names = names
        super().__init__()

    def measure(self, order):
        """The answer to an order, with its events."""
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(tempfile.NamedTemporaryFile(mode="r", prefix="blink_lab."))
            pipes = [*os.pipe(), *os.pipe()]
            for pipe in pipes:
                stack.callback(os.close, pipe)
            ordered, control, ack, acknowledge = pipes
            answer = read_answer(self.listen(
                ["perf", "stat", "-j", "-o", file.name, "-e", self.names, "--delay=-1",
                 f"--control=fd:{ordered},{acknowledge}", "--", self.program, order, *self.keys],
                env={**LANGUAGE, "BLINK_LAB_CONTROL": f"{control},{ack}"}, pass_fds=pipes,
            ))  # fmt: skip
            try:
                answer.events = read_counts(file.read())
            except (KeyError, ValueError):
                raise Unmeasured(errno.EPROTO) from None
        return answer

    def listen(self, command, **options):
        """What a program prints; its messages without perf's announcements."""
        said = bytearray()
        try:
            return self.execute(command, error_sink=said.extend, **options)
        finally:
            sys.stderr.write(ANNOUNCED.sub("", said.decode(errors="replace")))
