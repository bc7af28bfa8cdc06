# SPDX-License-Identifier: GPL-2.0
"""One guest: it is told what to do, all at once, and says what came of it."""

import dataclasses

from driver import program
from driver.program import Failure
from harness import guest, klog, paths
from lab.worlds import words_of

from . import counts, plan

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


@dataclasses.dataclass
class Outcome:
    """What came of one line of orders: values, or why it failed."""

    values: dict
    error: str = ""


def build():
    """Make the plugin; returns its path."""
    return program.build("bench/numa/count") / "numa_count.so"


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


def by_line(take):
    """A sink for what a guest prints, that gives each line to a function."""
    rest = bytearray()

    def sink(chunk):
        rest.extend(chunk)
        *lines, rest[:] = rest.split(b"\n")
        for line in lines:
            take(line.decode(errors="replace"))

    return sink


def boot(plugin, name, nodes, command, take, concurrent=False, **more):
    """Run a command in a guest that counts; returns all dumps.

    Each line that the command prints goes to take(); more are options of the plugin.
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
    outcome = guest.run(wish, by_line(take), errors.extend)
    failure = outcome.failure or (outcome.status and f"exit status {outcome.status}")
    if failure:
        raise Failure(f"{failure}\n{errors.decode(errors='replace')}")
    for place in klog.reports(outcome.log)[:1]:
        raise Failure(klog.show(outcome.log, place))
    return counts.read(out)


def run_all(plugin, name, nodes, orders, progress, then="", other=lambda line: None, **options):
    """Execute orders, and then a command; returns their outcomes, in order, and all dumps.

    Progress is told of each: its number, from 0 on, and its outcome. Lines of the command go
    to other(); options are those of boot().
    """
    todo = paths.BUILD / "bench" / f"{name}.orders"
    todo.write_text("".join(order + "\n" for order in orders))
    outcomes = {}

    def take(line):
        """A line begins with the number of the order that it is about."""
        number, _, text = line.partition(" ")
        if not number.isdigit():
            return other(line)
        number = int(number) - 1
        if number in outcomes:
            return None
        word, _, reason = text.partition(" ")
        failed = word == "failed"
        values, error = ({}, reason or "for no reason") if failed else (words_of(text), "")
        outcomes[number] = Outcome(values, error)
        return progress(number, outcomes[number])

    command = f"userspace/bench/numa/guest {todo.relative_to(paths.TOP)} {then}"
    dumps = boot(plugin, name, nodes, command, take, **options)
    for number, _ in enumerate(orders):
        if number not in outcomes:
            raise Failure(f"no word of line {number + 1} of {todo}")
    return [outcomes[number] for number, _ in enumerate(orders)], dumps


def run(plugin, nodes, works, orders, concurrent=False):
    """Execute the orders of works, after probes: memory is referred to so often as known.

    Returns the outcome and the dump of each work. Wrong counts of the probes are a failure.
    """
    probes = plan.probes(nodes, nodes * CPUS_OF_A_NODE)

    def progress(number, outcome):
        done = number + 1 - len(probes)
        if done > 0:
            program.say(
                f"{nodes} NUMA nodes: {done}/{len(works)} {works[done - 1]} {outcome.error}"
            )

    program.say(f"{nodes} NUMA nodes: booting, for {len(works)} measurements")
    orders = [probe.order() for probe in probes] + orders
    outcomes, dumps = run_all(
        plugin, f"numa-{nodes}", nodes, orders, progress, concurrent=concurrent
    )
    found = [
        (outcome, dumps.get(int(outcome.values.get("number", 0)), [])) for outcome in outcomes
    ]
    complaint = plan.complaint(probes, found)
    if complaint:
        raise Failure(complaint)
    program.say(f"self-check: {len(probes)} known counts are exact")
    return found[len(probes) :]
