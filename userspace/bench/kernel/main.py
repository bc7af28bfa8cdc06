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

from driver import program
from driver.program import say
from harness import paths
from numa import counts, lab

from . import plan, table

NAME = "kernel"
NODES = 2


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--keys", type=int, metavar="N", default=100000, help="in an index (100000)")
    add("--ops", type=int, metavar="N", default=10000,
        help="operations of each thread in a workload (10000)")
    program.add_json(parser, "bench-kernel.json")
    return parser.parse_args(argv)


class Lines:
    """The lines that the guest prints, by the first word of each."""

    def __init__(self, rounds):
        self.rounds = rounds
        self.lines = {}

    def take(self, line):
        """Keep a line."""
        about, _, text = line.partition(" ")
        if about not in self.lines:
            self.tell(about, text)
        self.lines.setdefault(about, []).append(text)

    def tell(self, about, text):
        """Where it is."""
        if about.isdigit() and text.startswith(("index=", "failed")):
            one = self.rounds[int(about) - 1]
            error = text if text.startswith("failed") else ""
            say(f"{about}/{len(self.rounds)} {one}, {one.threads} threads {error}")

    def rows(self, about):
        """What there is, as pairs; a failure ends all."""
        lines = self.lines.get(str(about), ["failed: nothing was said"])
        if lines[0].startswith("failed"):
            raise lab.Failure(f"{about}: {lines[0]}")
        return [lab.pairs(line) for line in lines]


def index_records(rounds, said, dumps):
    """What was counted of each index and workload."""
    for number, one in enumerate(rounds, 1):
        head, *scores = said.rows(number)
        for score in scores:
            ops, wrong = int(score["ops"]), int(score["wrong"])
            calls, insns = counts.calls(dumps.get(int(score["number"]), []))
            # A key that is popped is inserted again.
            single = 2 * ops if score["workload"] == "pop" else ops
            if wrong or (calls != single if one.batch == 1 else calls < ops / one.batch):
                raise lab.Failure(f"{one}: {score}, but {calls} calls were seen")
            yield {
                "index": one.index,
                "name": str(one),
                "workload": score["workload"],
                "threads": one.threads,
                "batch": one.batch,
                "keys": int(head["entries"]),
                "ops": ops,
                "errors": wrong,
                "insn_per_op": insns / ops,
                "bytes_per_key": int(head["bytes"]) / int(head["entries"]) or None,
            }


def ioctl_records(said, dumps, first):
    """What was counted of the interface: dumps from the first on."""
    for number, row in enumerate(said.rows("ioctl"), first):
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
    rounds = plan.rounds(NODES * lab.CPUS_OF_A_NODE)
    plugin, calls = lab.build(), program.build("bench/kernel") / "ioctl_cost"
    todo = lab.write_orders(NAME, [one.order(args.keys, args.ops) for one in rounds])
    said = Lines(rounds)
    command = f"userspace/bench/kernel/guest {todo} {calls.relative_to(paths.TOP)}"
    say("booting")
    dumps = lab.boot(plugin, NAME, NODES, command, lab.by_line(said.take), what="instructions")
    indexes = list(index_records(rounds, said, dumps))
    last = int(said.rows(len(rounds))[-1]["number"])
    return {"indexes": indexes, "ioctls": list(ioctl_records(said, dumps, last + 1))}


def show(results, args):
    """Print the tables."""
    indexes = results["indexes"]
    for threads in dict.fromkeys(record["threads"] for record in indexes):
        keys = indexes[0]["keys"]
        print(f"\n{threads} {'thread' if threads == 1 else 'threads'}, {keys} keys")
        print(table.text(indexes, threads))
    print(f"\n{table.LEGEND}\n{table.ioctl_text(results['ioctls'])}\n\n{table.IOCTL_LEGEND}")
    done = sum(record["ops"] for record in indexes)
    print(f"{done} operations, every answer checked: none was wrong.")
    print(f"The same, and more: {args.json}", flush=True)
