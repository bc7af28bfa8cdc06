# SPDX-License-Identifier: GPL-2.0
"""A machine that is simulated: its CPUs execute again what was recorded.

The program of the native world runs in QEMU, where a plugin records what its operations refer
to, one operation at a time (numa/count/trace.h). blink_replay executes the trace with as many
CPUs as the point has threads (replay/replay.h, which has the model). All points that differ in
their threads have the same trace.
"""

import concurrent.futures
import dataclasses
import errno
import os
import pathlib
import tempfile
import threading

from driver import program
from driver.program import Failure
from harness import process
from numa import emulator

from .worlds import LIMIT, Native, Unmeasured, read_answer, words_of

# Threads that are recorded, in turn on each NUMA node; and how many operations of each: fewer
# where an insertion moves the entries of a node that is larger than so many bytes.
RECORDED, OPS, LARGE = 16, 4096, 16384
CPUS_MAX = 256
NODES = (1, 2, 4, 8)

# Of the machine: times in picoseconds, and lines.
MACHINE = {
    "nodes": 1, "insn": 150, "shared": 20000, "near": 60000, "far": 130000, "memory": 90000,
    "far_memory": 140000, "misses": 12, "ahead": 8, "stores": 56, "own_lines": 32768,
    "node_lines": 524288,
}  # fmt: skip

# They wait for grace periods within an operation, which are none of it.
REFUSED = ("rcu:replace", "rcu:replace-after")


def machine_of(text):
    """The machine that an option describes: NAME=NUMBER,..."""
    machine = dict(MACHINE)
    for word in text.split(",") if text else ():
        name, _, number = word.partition("=")
        if name not in machine or not number.isdecimal():
            raise Failure(f"--simulate {word}: not one of {', '.join(MACHINE)}, and a number", 2)
        machine[name] = int(number)
    if machine["nodes"] not in NODES:
        raise Failure(f"--simulate nodes={machine['nodes']}: not one of {NODES}", 2)
    return machine


class Simulated(Native):
    """Points of up to 256 threads, each on a CPU of its own."""

    name = "simulated"

    def __init__(self, text):
        self.machine = machine_of(text)
        emulator.check()
        program.build("bench/numa/count")
        super().__init__()
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory(prefix="blink_lab.")
        # Of each thread that measures, the trace that it recorded last.
        self.last = threading.local()

    def build(self):
        """The program that is recorded."""
        return program.build("bench/lab", "TRACED=1") / "blink_lab_traced"

    def facts(self):
        """Of the machine."""
        return {"cpu": "simulated", "cpus": CPUS_MAX, **self.machine, **self.built}

    def each(self, measure, cells):
        """Call a function for each cell, in several threads; cells with one trace in turn."""
        alike = {}
        for cell in cells:
            alike.setdefault(dataclasses.replace(cell.point, threads=0), []).append(cell)

        def group(some):
            for cell in some:
                measure(cell)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                futures = [pool.submit(group, some) for some in alike.values()]
                for future in process.completed(futures):
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                process.end_all()
                raise

    def measure(self, order):
        """The answer to an order."""
        words = words_of(order)
        if words["scheme"] in REFUSED or words["timed"] != "0" or words["writers"] != "0":
            raise Unmeasured(errno.EOPNOTSUPP)
        cpus = int(words["threads"])
        if cpus > CPUS_MAX:
            raise Unmeasured(errno.ERANGE)
        if cpus < self.machine["nodes"]:
            raise Unmeasured(errno.EOPNOTSUPP, "fewer CPUs than NUMA nodes")
        call = int(words["batch"])
        machine = {**self.machine, "cpus": cpus}
        answer = read_answer(self.execute(
            [self.program.with_name("blink_replay"), self.trace(words, call), call,
             *(f"{name}={value}" for name, value in machine.items())]
        ))  # fmt: skip
        # The model serves CPUs in turn, and so says nothing about what each of them gets.
        return dataclasses.replace(answer, each=[])

    def trace(self, words, call):
        """The file with the trace of a point, which has the one of the point before it, too."""
        if words["shared"] == "1":
            ops = OPS * RECORDED
        else:
            ops = OPS * (1 + call // 8) * LARGE // max(LARGE, int(words["node_bytes"]))
        changed = {"threads": RECORDED, "ops": ops, "warm_up": 0, "turns": 1}
        order = " ".join(f"{name}={value}" for name, value in {**words, **changed}.items())
        path = pathlib.Path(self.folder.name, str(threading.get_ident()))
        if getattr(self.last, "order", None) != order:
            self.last.order = None
            self.record(order, path)
            self.last.order = order
        return path

    def record(self, order, path):
        """Record the operations of a point."""
        plugin = self.program.with_name("numa_count.so")
        self.execute(
            [emulator.QEMU, *emulator.CPU, "-plugin",
             f"{plugin},nodes=1,cpus=1,megabytes=1,what=trace,out={path}",
             self.program, order, *self.keys],
            env={"BLINK_LAB_MACHINE": f"{RECORDED},{self.machine['nodes']}"},
        )  # fmt: skip
