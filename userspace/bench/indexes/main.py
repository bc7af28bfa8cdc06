# SPDX-License-Identifier: GPL-2.0
"""Measure blink_tree beside other ordered indexes, natively.

The results are a table, pictures, and two files: FILE, and FILE-machine.json with the
facts about the machine. Status 1: an answer was wrong, or the system failed.
"""

import dataclasses
import json

from driver import machine, program, rounds

from . import table
from .table import OURS

# Not an index: the memory itself, which is measured before the indexes.
MEMORY = "memory"
BYTES_PER_KEY = 24
KEYS = 10000

DEFAULTS = {
    "keys": [1000000, 10000000], "threads": [1, 2], "batch": [1, 8, 16, 32, 64],
    "rounds": 5, "ops": 1000000,
}  # fmt: skip
QUICK = {"keys": [1000000], "batch": [1, 32], "rounds": 3, "ops": 100000}
# Trees, and the trie that is best with many threads.
SCALE = {
    "keys": [1000000], "batch": [1, 32], "rounds": 3, "ops": 200000,
    "indexes": [OURS, "maple_tree", "absl::btree_map", "congee"],
    "workloads": ["insert", "lookup", "dependent", "scan", "95/5", "50/50"],
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Setting:
    """An index with so many keys and threads, and so many operations in a call."""

    index: str
    keys: int
    threads: int
    batch: int

    def __str__(self):
        batch = f" x {self.batch}" if self.batch > 1 else ""
        return f"{self.keys} keys, {self.threads} threads, {self.index}{batch}"


def parse(parser, argv):
    """The options."""
    add, many, one = parser.add_argument, program.numbers, program.number
    add("-i", "--indexes", metavar="NAME,...", type=program.names,
        help="which ones (all); --list has their names")
    add("-w", "--workloads", metavar="NAME,...", type=program.names, help="which ones (all)")
    add("-k", "--keys", metavar="N,...", type=many(KEYS, 1 << 30),
        help="keys in the index (1000000,10000000)")
    add("-t", "--threads", metavar="N,...", type=many(1, 256),
        help="numbers of pinned threads (1,2)")
    add("-b", "--batch", metavar="N,...", type=many(1, 64),
        help="operations in a call, where an index has such a call (1,8,16,32,64)")
    add("-r", "--rounds", metavar="N", type=one(1, 99), help="rounds (5)")
    add("-n", "--ops", metavar="N", type=one(10000, 1 << 30),
        help="operations of each thread in each workload but insert; scans are an eighth"
        " of it (1000000)")
    add("-q", "--quick", action="store_true",
        help="1,000,000 keys, batches of 1 and 32, 3 rounds, 100,000 operations, and no"
        " xarray, to which random keys are a burden: 3 minutes at most")
    add("-s", "--scale", action="store_true",
        help="1, 2, 4 and more threads, up to one for each CPU; 1,000,000 keys, batches of 1 and"
        " 32, 3 rounds, 200,000 operations, and few indexes and workloads: 8 minutes at most")
    add("-l", "--list", action="store_true", help="print the names of indexes and workloads")
    program.add_json(parser, "bench.json")
    args = parser.parse_args(argv)
    scale = {**SCALE, "threads": powers(machine.cpus())} if args.scale else {}
    program.fill(args, scale, QUICK if args.quick else {}, DEFAULTS)
    return args


def powers(most):
    """1, 2, 4 and so on, and the greatest number."""
    return [*(1 << bit for bit in range((most - 1).bit_length())), most]


def settings(args, indexes):
    """All settings: those of the same keys and threads together, the memory first."""
    for keys in args.keys:
        for threads in args.threads:
            yield Setting(MEMORY, keys, threads, 1)
            for name in args.indexes:
                index = indexes[name]
                if index["most_keys"] and keys > index["most_keys"]:
                    continue
                if threads > 1 and not index["concurrent"]:
                    continue
                for batch in args.batch:
                    if index["batches" if batch > 1 else "single"] or index["commits"]:
                        yield Setting(name, keys, threads, batch)


def is_told(index, setting, workload):
    """Whether a workload had so many operations in a call: some are filled one by one."""
    return setting.batch == 1 or index["batches"] or workload != "insert"


def record(found, setting, workload, version):
    """The rounds of a workload in a setting."""
    lines = [sample[workload] for sample in found[setting]]
    mops = [line["mops"] for line in lines]
    speed = rounds.summarise(mops)
    ours = found.get(dataclasses.replace(setting, index=OURS, batch=1), [])
    ours = [sample[workload]["mops"] for sample in ours if workload in sample]
    durations = [name for name in lines[0] if name.endswith("_ns")]
    return {
        "index": setting.index, "version": version, "workload": workload,
        "threads": setting.threads, "keys": setting.keys, "batch": setting.batch,
        "mops_median": speed.median, "mops_min": speed.least, "mops_max": speed.greatest,
        "spread": speed.spread, "noisy": speed.noisy,
        **{name: rounds.summarise([line[name] for line in lines]).median for name in durations},
        "bytes_per_key": rounds.summarise(
            [sample["insert"]["bytes_per_key"] for sample in found[setting]]).median,
        "ours_to_this": rounds.ratio(ours, mops).median,
        "rounds": mops, "ran": [line["ran"] for line in lines],
    }  # fmt: skip


def chase(found, setting):
    """The time of a line of memory, by the number of chains."""
    for chains in found[setting][0]:
        time = rounds.summarise([sample[chains]["ns_per_line"] for sample in found[setting]])
        yield {
            "keys": setting.keys, "threads": setting.threads,
            "bytes": setting.keys * BYTES_PER_KEY, "chains": int(chains),
            "ns_per_line_median": time.median, "ns_per_line_min": time.least,
            "ns_per_line_max": time.greatest,
        }  # fmt: skip


def results_of(found, args, facts):
    """The records, and what is known of the machine."""
    records = [
        record(found, setting, workload, facts["indexes"][setting.index]["version"])
        for setting in found if setting.index != MEMORY
        for workload in facts["workloads"]
        if workload in args.workloads and workload in found[setting][0]
        and is_told(facts["indexes"][setting.index], setting, workload)
    ]  # fmt: skip
    memory = [
        one for setting in found if setting.index == MEMORY for one in chase(found, setting)
    ]
    known = facts.pop("machine")
    facts["workloads"] = {name: facts["workloads"][name] for name in args.workloads}
    facts["indexes"] = {name: facts["indexes"][name] for name in args.indexes}
    return records, {
        **known, **facts, "rounds": args.rounds, "ops": args.ops, "memory": memory
    }  # fmt: skip


def machine_file(args):
    """The file that is about the machine."""
    return args.json.with_name(f"{args.json.name.removesuffix('.json')}-machine.json")


def measure(args):
    """Measure all settings, round by round; returns the records."""
    compare = program.build("bench/indexes", "all") / "blink_compare"
    facts = rounds.facts(compare)
    if args.list:
        print(table.names(facts))
        raise SystemExit(0)
    program.check_names(args.indexes, facts["indexes"], "index")
    program.check_names(args.workloads, facts["workloads"], "workload")
    args.workloads = args.workloads or list(facts["workloads"])
    args.indexes = args.indexes or [
        name for name, index in facts["indexes"].items()
        if index["compared"] and not (args.quick and name == "xarray")
    ]  # fmt: skip

    def run(one):
        words = (one.index, one.keys, one.threads, one.batch, args.ops, *args.workloads)
        return rounds.sample((compare, *words), MALLOC_CONF="thp:always")

    wanted = list(dict.fromkeys(settings(args, facts["indexes"])))
    samples = rounds.measure(wanted, args.rounds, run, lambda one: one.keys + args.ops)
    records, known = results_of(dict(zip(wanted, samples)), args, facts)
    program.write(machine_file(args), known)
    return records


def show(records, args):
    """Print the tables, and draw the pictures: matplotlib is for these alone."""
    print(table.text(records, json.loads(machine_file(args).read_text())))
    try:
        from . import plot  # pylint: disable=import-outside-toplevel
    except ModuleNotFoundError as missing:
        return program.say(f"no pictures: {missing}")
    return plot.draw(records, args.json.parent)
