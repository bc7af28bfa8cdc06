# SPDX-License-Identifier: GPL-2.0
"""Count what operations on trees refer to, on each NUMA node of a guest.

Guests run in QEMU without KVM, with a plugin that counts: instructions, loads
and stores to memory of the own and of other NUMA nodes, and lines of memory
that go from one NUMA node to another. The module blink_tree_lab does the work:
for each mix of operations, with each kind of replication and of locking. First
it refers to memory so often as we say, and the counts must be exactly that. Then
it takes locks of several kinds, one CPU alone and all against each other.

The results are tables, a picture, FILE, and FILE-lock.json for those of locks.
These are counts of what the structure makes processors do, and never a measure
of throughput. Status 1: something was counted wrong, or could not be counted,
or a lookup went astray to a copy that is not its NUMA node's own, or an operation
wrote lines that all CPUs share where it should not.
"""

import json

from driver import program
from driver.program import say

from . import counts, lab, plan, plot, table


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--quick", action="store_true", help="one mix, in a guest of 2 NUMA nodes")
    add("--writes", action="store_true",
        help="only count the shared lines that operations write, in a guest of 2 NUMA nodes")
    add("--nodes", type=int, nargs="+", metavar="N", choices=range(2, 9),
        help="NUMA nodes of the guests (2 4)")
    add("--keys", type=int, metavar="N", default=100000, help="in a tree (100000)")
    add("--ops", type=int, metavar="N", default=4000,
        help="operations of each CPU, after as many to warm up (4000)")
    add("--concurrent", action="store_true",
        help="let CPUs run at the same time, not in turns after each operation: "
        "they meet within operations, and no two runs are the same")
    program.add_json(parser, "bench-numa.json")
    args = parser.parse_args(argv)
    args.nodes = args.nodes or ([2] if args.quick or args.writes else [2, 4])
    return args


def make_record(nodes, run, outcome, dump):
    """The figures of a run, or None if there is no such tree."""
    if outcome.error == lab.UNSUPPORTED:
        say(f"{run}: not supported by this module")
        return None
    if outcome.error:
        raise lab.Failure(f"{run}: {outcome.error}")
    seen, done = counts.operations(dump), int(outcome.values["ops"])
    if seen != done:
        raise lab.Failure(f"{run}: {seen} operations were seen of {done}")
    record = counts.record(nodes, run, dump)
    record["height"] = int(outcome.values["height"])
    record["of_writes"] = run in plan.writes()
    return record


def make_lock_record(nodes, lock_bench, outcome, dump):
    """The figures of a lock bench."""
    if outcome.error:
        raise lab.Failure(f"{lock_bench}: {outcome.error}")
    return counts.lock_record(nodes, lock_bench, outcome.values, dump)


def count(args, plugin, nodes):
    """The records of one guest: of trees, and of locks."""
    lock_benches = [] if args.writes else plan.lock_benches()
    runs = plan.writes() + ([] if args.writes else plan.runs(args.quick))
    orders = [lock_bench.order() for lock_bench in lock_benches]
    orders += [run.order(args.keys, args.ops) for run in runs]
    found = lab.run(plugin, nodes, lock_benches + runs, orders, args.concurrent)
    locks = [make_lock_record(nodes, *each) for each in zip(lock_benches, *zip(*found))]
    records = [make_record(nodes, *each) for each in zip(runs, *zip(*found[len(locks) :]))]
    more = {"concurrent": args.concurrent}
    return (
        [{**record, "keys": args.keys, **more} for record in records if record],
        [{**record, **more} for record in locks],
    )


# What lookups refer to at home, always, by how their tree is replicated.
AT_HOME = {
    "inner": "inner_remote_per_op",
    "full": "remote_per_op",
    "local-only": "remote_per_op",
}


def astray(records):
    """What lookups refer to elsewhere though they have it at home."""
    return [
        f"{record['nodes']} NUMA nodes, {record['replication']}, {record['locking']},"
        f" {record['mix']}: lookups refer to copies of other NUMA nodes"
        for record in records
        if record["replication"] in AT_HOME
        and record["classes"].get("lookup", {}).get(AT_HOME[record["replication"]])
    ]


# What an operation may write of the tree's own lines. Bytes in limbo, and room under
# the limit, are counted in batches.
OWN = {"insert": 0, "erase": 0.01}
OWN_LIMITED = 0.05
# Ticks of the clock come in the middle of operations, too.
TICKS = 0.02
# Splits take memory, whose lists other CPUs use as well.
ALLOCATOR = 0.1


def most_written(record, name):
    """Bounds on what an operation of this class writes, by column."""
    if name == "lookup":
        columns = ("leaf", "inner", "tree")
        return {
            **{f"{column}_written_per_op": 0 for column in columns},
            "rest_written_per_op": TICKS,
            "tree_transfers_per_op": TICKS,
        }
    most = OWN_LIMITED if record["limited"] else OWN[name]
    return {"tree_written_per_op": most, "rest_written_per_op": ALLOCATOR}


def overwritten(records):
    """Which operations write lines that all CPUs share, though they should not."""
    return [
        f"{record['nodes']} NUMA nodes, {record['replication']}"
        f"{', max_entries' if record['limited'] else ''}, {record['mix']}: {name}:"
        f" {column} {row[column]:.4f}, not {bound} at most"
        for record in records
        for name, row in record["classes"].items()
        for column, bound in most_written(record, name).items()
        if row[column] > bound
    ]


def lock_file(args):
    """The file that is about locks."""
    return args.json.with_name(f"{args.json.stem}-lock.json")


def measure(args):
    """The records of all guests; those of locks go to a file of their own."""
    plugin = lab.build()
    records, locks = [], []
    for nodes in args.nodes:
        some, others = count(args, plugin, nodes)
        records += some
        locks += others
    if locks:
        program.write(lock_file(args), locks)
    return records


def show(records, args):
    """Print the tables, and draw the picture; returns 1 if references are where none may be."""
    written = [record for record in records if record["of_writes"]]
    print(f"\n{table.writes_text(written)}\n\n{table.WRITES_LEGEND}")
    others = [record for record in records if not record["of_writes"]]
    if others:
        locks = json.loads(lock_file(args).read_text())
        print(f"\n{table.text(others)}\n\n{table.LEGEND}")
        print(f"\n{table.lock_text(locks)}\n\n{table.LOCK_LEGEND}")
        plot.draw(others, args.json.with_suffix(".svg"))
    print(f"The same, and more: {args.json}", flush=True)
    wrong = astray(records) + overwritten(written)
    for line in wrong:
        say(f"numa: {line}")
    return 1 if wrong else 0
