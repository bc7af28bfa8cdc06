# SPDX-License-Identifier: GPL-2.0
"""Count the cache lines and the instructions of operations of indexes.

A program that contains this tree and indexes of the kernel, compiled with the options
of a kernel, runs in QEMU with a plugin that counts. The counts do not depend on the
machine: the same sources, compiler and QEMU give the same counts. A round uses other
random keys than the one before. The program checks every answer.

Status 1: an answer was wrong, or something could not be counted.
"""

import concurrent.futures
import os
import statistics

from driver import program

from . import check, plan, qemu, table


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--keys", metavar="N,...", type=program.numbers(1000, 1 << 30),
        help="numbers of keys, 1000 at least (10000,1000000)")
    add("--ops", metavar="N", type=program.number(100, 1 << 30), default=10240,
        help="lookups in a round; a tenth of that are scans, and insertions add a tenth"
        " of the keys at most (10240)")
    add("--rounds", metavar="N", type=program.number(1, 99), help="(3)")
    add("--quick", action="store_true", help="10,000 keys, one round: half a minute")
    add("--indexes", metavar="NAME,...", type=program.names,
        help=f"which ones (all): {', '.join((plan.OURS, *plan.PEERS))}")
    add("--check", action="store_true", help="check the counter itself, and print TAP")
    program.add_json(parser, "bench-lines.json")
    args = parser.parse_args(argv)
    quick = {"keys": [10000], "rounds": 1} if args.quick else {}
    program.fill(args, quick, {"keys": plan.KEYS, "rounds": 3})
    return args


def record(setting, ops, rounds):
    """What the rounds of a setting say: medians of counts per operation."""
    done = setting.operations(ops)
    found = {
        "index": setting.index,
        "workload": setting.workload,
        "keys": setting.keys,
        "batch": setting.batch,
        "ops": done,
    }
    for name in ("insns", *table.LINES):
        found[f"{name}_per_op"] = statistics.median(one[name] / done for one in rounds)
    found["rounds"] = [{"seed": seed, **one} for seed, one in enumerate(rounds, 1)]
    return found


def measure(args):
    """All records: several processes count beside each other."""
    program.check_names(args.indexes, (plan.OURS, *plan.PEERS), "index")
    if args.check:
        raise SystemExit(check.run())
    folder = qemu.build()
    wanted = [
        setting
        for setting in plan.settings(args.keys)
        if not args.indexes or setting.index in args.indexes
    ]
    todo = [
        ["blink_lines", *setting.arguments(args.ops, seed)]
        for setting in wanted
        for seed in range(1, args.rounds + 1)
    ]
    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for sums in pool.map(lambda words: qemu.count(folder, words), todo):
            found.append(sums)
            program.say(f"{len(found)}/{len(todo)}: {' '.join(todo[len(found) - 1][1:5])}")
    records = [
        record(setting, args.ops, found[at * args.rounds : (at + 1) * args.rounds])
        for at, setting in enumerate(wanted)
    ]
    return {
        "sources": qemu.sources(),
        "program": qemu.version(folder),
        "ops": args.ops,
        "counts": records,
    }


def show(results, _args):
    """Print the tables."""
    print(table.text(results))
