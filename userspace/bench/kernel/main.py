# SPDX-License-Identifier: GPL-2.0
"""Count the instructions of indexes in the kernel, and of ioctls.

A guest runs in QEMU without KVM, with a plugin that counts. First the module
blink_tree_lab does the benchmark that `blinktree bench` is for: this tree and the
kernel's maple tree, xarray, rbtree and rhashtable, all workloads, by one thread
and by one on each CPU; it checks every answer. Then a program does operations
by ioctls, one by one and in batches.

These are counts of instructions, and no measure of throughput. Status 1: an
answer was wrong, something failed or could not be counted.
"""

import dataclasses

from driver import program
from driver.program import say
from driver.table import aligned, of_records
from harness import paths
from numa import counts, lab

NAME = "kernel"
NODES = 2
INDEXES = ("blink_tree", "maple_tree", "xarray", "rbtree", "rhashtable")
WORKLOADS = (
    "insert", "lookup", "lookup-zipf", "scan", "floor", "95/5", "insert-erase", "50/50"
)  # fmt: skip
BATCH = 32

LEGEND = """\
Instructions per operation: from the call of the index until it is back, on its
CPU; what interrupts it, as RCU that frees memory, included. A scan is of 48 entries.
CPUs take turns, so that hardly anyone waits for a lock. The figures tell how much
there is to do, and nothing of how long memory takes: they are no measure of
throughput.
"""

IOCTL_LEGEND = """\
Instructions per operation (of scan: per entry) from the program's call of ioctl()
or syscall() until it is back.
"""

IOCTL_HEADS = "call|operations|insns per call|insns per operation"
IOCTL_CELLS = "{call}|{size}|{insn_per_call:.0f}|{insn_per_op:.0f}"


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--keys", type=int, metavar="N", default=100000, help="in an index (100000)")
    add("--ops", type=int, metavar="N", default=10000,
        help="operations of each thread in a workload (10000)")
    program.add_json(parser, "bench-kernel.json")
    return parser.parse_args(argv)


@dataclasses.dataclass(frozen=True)
class Round:
    """A workload of an index, by so many threads, with so many operations in a call."""

    index: str
    threads: int
    batch: int
    workload: str

    def order(self, keys, ops):
        """What to tell the laboratory: insertions begin with hardly any keys."""
        if self.workload == "insert":
            keys, ops = 2 * self.threads, keys // self.threads
        elif self.workload == "scan":
            ops //= 8
        return (
            f"point scheme={self.index} mix={self.workload} threads={self.threads}"
            f" batch={self.batch} keys={keys} ops={ops}"
        )

    def __str__(self):
        batch = f" × {self.batch}" if self.batch > 1 else ""
        return f"{self.index}{batch}"


def plan(cpus):
    """All rounds: by one thread, and by one on each CPU."""
    return [
        Round(index, threads, batch, workload)
        for threads in (1, cpus)
        for index in INDEXES
        for batch in ((1, BATCH) if index == "blink_tree" else (1,))
        for workload in WORKLOADS
    ]


def index_records(rounds, outcomes, dumps, keys):
    """What was counted of each index and workload, but for those that an index lacks."""
    for one, outcome in zip(rounds, outcomes):
        if outcome.error == lab.UNSUPPORTED:
            continue
        if outcome.error:
            raise lab.Failure(f"{one}, {one.workload}: {outcome.error}")
        answer = outcome.values
        ops, size = int(answer["ops"]), answer["bytes"]
        calls, insns = counts.calls(dumps.get(int(answer["number"]), []))
        if calls != ops if one.batch == 1 else calls < ops / one.batch:
            raise lab.Failure(f"{one}, {one.workload}: {answer}, but {calls} calls were seen")
        yield {
            "index": one.index,
            "name": str(one),
            "workload": one.workload,
            "threads": one.threads,
            "batch": one.batch,
            "keys": keys,
            "ops": ops,
            "insn_per_op": insns / ops,
            "bytes_per_key": None if size == "-" else int(size) / int(answer["entries"]),
        }


def ioctl_records(rows, dumps, first):
    """What was counted of the interface: dumps from the first on."""
    for number, row in enumerate(rows, first):
        calls, insns = counts.calls(dumps.get(number, []))
        if calls != int(row["calls"]):
            raise lab.Failure(f"{row}, but {calls} calls were seen")
        yield {
            "call": row["call"],
            "size": int(row["size"]),
            "insn_per_call": insns / calls,
            "insn_per_op": insns / calls / int(row["size"]),
        }


def measure(args):
    """All records: of indexes, and of ioctls."""
    rounds, ioctls = plan(NODES * lab.CPUS_OF_A_NODE), []
    plugin, calls = lab.build(), program.build("bench/kernel") / "ioctl_cost"

    def progress(number, outcome):
        one = rounds[number]
        say(f"{number + 1}/{len(rounds)} {one}, {one.workload},"
            f" {one.threads} threads {outcome.error}")  # fmt: skip

    def other(line):
        if line.startswith("call="):
            ioctls.append(lab.words_of(line))

    say("booting")
    outcomes, dumps = lab.run_all(
        plugin, NAME, NODES, [one.order(args.keys, args.ops) for one in rounds], progress,
        f"&& {calls.relative_to(paths.TOP)}", other, what="instructions",
    )  # fmt: skip
    indexes = list(index_records(rounds, outcomes, dumps, args.keys))
    last = max(int(one.values["number"]) for one in outcomes if not one.error)
    return {"indexes": indexes, "ioctls": list(ioctl_records(ioctls, dumps, last + 1))}


def text(records, threads):
    """The indexes, as so many threads use them."""
    cells = {
        (record["name"], record["workload"]): f"{record['insn_per_op']:.0f}"
        for record in records
        if record["threads"] == threads
    }
    rows = [("index", *WORKLOADS)]
    for name in dict.fromkeys(name for name, _ in cells):
        rows.append((name, *(cells.get((name, work), "-") for work in WORKLOADS)))
    return aligned(rows, 1)


def show(results, args):
    """Print the tables."""
    indexes = results["indexes"]
    for threads in dict.fromkeys(record["threads"] for record in indexes):
        keys = indexes[0]["keys"]
        print(f"\n{threads} {'thread' if threads == 1 else 'threads'}, {keys} keys")
        print(text(indexes, threads))
    ioctls = of_records(IOCTL_HEADS, IOCTL_CELLS, results["ioctls"], 1)
    print(f"\n{LEGEND}\n{ioctls}\n\n{IOCTL_LEGEND}")
    done = sum(record["ops"] for record in indexes)
    print(f"{done} operations, every answer checked: none was wrong.")
    print(f"The same, and more: {args.json}", flush=True)
