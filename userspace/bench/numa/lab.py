# SPDX-License-Identifier: GPL-2.0
"""One guest: it is told what to do, all at once, and says what came of it."""

import dataclasses
import subprocess

from harness import guest, klog, paths

from . import counts

NODE_MEGABYTES = 512
CPUS_OF_A_NODE = 2
SECONDS = 3600
UNSUPPORTED = "Operation not supported"

# One thread, and a clock that counts instructions: the guest's CPUs take turns,
# and interrupts come so many instructions, not so many seconds, apart.
IN_TURNS = (
    *("-accel", "tcg,thread=single"),
    *("-icount", "shift=0,sleep=off"),
    *("-rtc", "base=2024-01-01T00:00:00,clock=vm"),
)
CONCURRENT = ("-accel", "tcg,thread=multi")

# A kernel that knows that it is a guest has unfair locks instead of queued ones.
NO_GUEST = ("-cpu", "max,-hypervisor")


class Failure(Exception):
    """Nothing that was counted can be relied upon."""


@dataclasses.dataclass
class Outcome:
    """What came of one line of orders: values, or why it failed."""

    values: dict
    error: str = ""


def build():
    """Make the plugin; returns its path."""
    folder = paths.TOP / "userspace/bench/numa/count"
    subprocess.run(
        ["make", "--no-print-directory", "-s", "-C", folder, f"O={paths.BUILD}"],
        check=True,
    )
    return paths.BUILD / "bench" / "numa_count.so"


def plugin_options(plugin, nodes, out, more):
    """How QEMU is to load the plugin."""
    words = {
        "file": plugin,
        "nodes": nodes,
        "cpus": nodes * CPUS_OF_A_NODE,
        "megabytes": NODE_MEGABYTES,
        "out": out,
        **more,
    }
    texts = (f"{key}={value}".replace(",", ",,") for key, value in words.items())
    return ("-plugin", ",".join(texts))


class Reader:
    """A sink for what the guest prints: an outcome for each line."""

    def __init__(self, progress):
        self.progress = progress
        self.outcomes = {}
        self.rest = b""

    def __call__(self, chunk):
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            self.take(line.decode(errors="replace"))

    def take(self, line):
        """A line begins with the number of the order it is about."""
        number, _, text = line.partition(" ")
        if not number.isdigit():
            return
        word, _, reason = text.partition(" ")
        if word == "failed":
            outcome = Outcome({}, reason or "for no reason")
        else:
            outcome = Outcome(dict(pair.split("=", 1) for pair in text.split()))
        self.outcomes[int(number)] = outcome
        self.progress(int(number), outcome)


def boot(plugin, name, nodes, command, sink, concurrent=False, **more):
    """Run a command in a guest that counts; returns all dumps.

    What the command prints goes to sink; more are options of the plugin.
    """
    out = paths.BUILD / "bench" / f"{name}.counts"
    wish = guest.Guest(
        name=name,
        command=command,
        nodes=nodes,
        cpus=nodes * CPUS_OF_A_NODE,
        memory=nodes * NODE_MEGABYTES,
        patience=SECONDS,
        emulate=True,
        qemu=NO_GUEST
        + (CONCURRENT if concurrent else IN_TURNS)
        + plugin_options(plugin, nodes, out, more),
    )
    errors = bytearray()
    outcome = guest.run(wish, sink, errors.extend)
    failure = outcome.failure or (outcome.status and f"exit status {outcome.status}")
    if failure:
        raise Failure(f"{failure}\n{errors.decode(errors='replace')}")
    for place in klog.reports(outcome.log)[:1]:
        raise Failure(klog.show(outcome.log, place))
    return counts.read(out)


def write_orders(name, orders):
    """A file with orders, one a line; returns its path within the project."""
    todo = paths.BUILD / "bench" / f"{name}.orders"
    todo.write_text("".join(order + "\n" for order in orders))
    return todo.relative_to(paths.TOP)


def run(plugin, nodes, orders, concurrent, progress):
    """Carry out orders; returns their outcomes, in order, and all dumps.

    Progress is told of each: its number, from 1 on, and its outcome.
    """
    name = f"numa-{nodes}"
    todo = write_orders(name, orders)
    command = f"userspace/bench/numa/guest {todo}"
    reader = Reader(progress)
    dumps = boot(plugin, name, nodes, command, reader, concurrent)
    missing = [number for number, _ in enumerate(orders, 1) if number not in reader.outcomes]
    if missing:
        raise Failure(f"no word of line {missing[0]} of {todo}")
    return [reader.outcomes[number + 1] for number in range(len(orders))], dumps
