# SPDX-License-Identifier: GPL-2.0
"""Variants of the tree: measured in turns, and compared with the first one."""

import dataclasses

from driver import program, rounds
from driver.table import of_records
from harness import paths

LEGEND = """\
Mop/s: million operations a second, the median of the rounds; ran: the share of the time
for which the threads had a CPU; ratio: to the first line of the workload, the median of
the ratios of the rounds, ~ if it is too noisy; waits: operations of a thousand that
waited for a lock; splits: leaves split for that."""

HEADS = "workload|tree|Mop/s|least|most|ran|ratio|least|most|waits|splits"
CELLS = (
    "{workload}|{mode}|{median:.2f}|{min:.2f}|{max:.2f}|{percent:.0f} %|{mark}{ratio:.3f}"
    "|{ratio_min:.3f}|{ratio_max:.3f}|{waits:.2f}|{splits:.4f}"
)


@dataclasses.dataclass(frozen=True)
class Variant:
    """A mode of the tree, and macros to build it with."""

    name: str
    mode: str = "none"
    macros: str = ""

    def build(self):
        """Make the program; returns its path."""
        if not self.macros:
            return program.build("bench/native") / "blink_bench"
        folder = paths.BUILD / "native" / self.name
        return program.build("bench/native", out=folder, flags=self.macros) / "blink_bench"


@dataclasses.dataclass(frozen=True)
class Setting:
    """A variant with so many keys and threads."""

    variant: Variant
    keys: int
    threads: int

    def __str__(self):
        return f"{self.keys} keys, {self.threads} threads, {self.variant.name}"


def parse(parser, argv, name, quick=None, **defaults):
    """The options: those that all benchmarks of variants have, too."""
    add = parser.add_argument
    many, most = program.numbers, program.number
    for option, type_, text in (
        ("keys", many(60, 1 << 30), "sizes of the tree"),
        ("threads", many(1, 32), "numbers of pinned threads"),
        ("ops", most(1, 1 << 40), "operations of each thread and workload but insert, erase,"
                                  " load and range"),
        ("rounds", most(1, 99), "rounds"),
    ):  # fmt: skip
        letter = "n" if option == "ops" else option[0]
        value = defaults[option]
        shown = ",".join(map(str, value)) if isinstance(value, list) else value
        metavar = "N" if isinstance(value, int) else "N,..."
        add(f"-{letter}", f"--{option}", metavar=metavar, type=type_,
            help=f"{text} ({shown})")  # fmt: skip
    program.add_json(parser, name)
    args = parser.parse_args(argv)
    program.fill(args, quick if quick and args.quick else {}, defaults)
    return args


def record(workload, setting, samples, first):
    """The rounds of a workload in a setting, and of the first variant."""
    mops = [one[workload]["mops"] for one in samples]
    ratio = rounds.ratio(mops, [one[workload]["mops"] for one in first])
    speed = rounds.summarise(mops)

    def median(name):
        return rounds.summarise([one[workload][name] for one in samples]).median

    return {
        "workload": workload, "keys": setting.keys, "threads": setting.threads,
        "mode": setting.variant.name, "median": speed.median, "min": speed.least,
        "max": speed.greatest, "ran": median("ran"), "ratio": ratio.median,
        "ratio_min": ratio.least, "ratio_max": ratio.greatest, "noisy": ratio.noisy,
        "waits": median("waits"), "splits": median("splits"), "rounds": mops,
    }  # fmt: skip


def measure(args, variants, workloads):
    """Measure the variants; workloads chooses names from what the program knows."""
    programs = {variant: variant.build() for variant in dict.fromkeys(variants)}
    facts = rounds.facts(programs[variants[0]])
    names = workloads(facts)
    settings = [
        Setting(variant, keys, threads)
        for keys in args.keys
        for threads in args.threads
        for variant in variants
    ]

    def run(setting):
        variant = setting.variant
        words = (variant.mode, setting.keys, setting.threads, args.ops, *names)
        return rounds.sample((programs[variant], *words))

    samples = rounds.measure(settings, args.rounds, run)
    found = list(zip(settings, samples))
    groups = [found[at : at + len(variants)] for at in range(0, len(found), len(variants))]
    return {
        "unit": "million operations per second",
        **facts,
        "bytes_per_key": [
            {"keys": setting.keys, "threads": setting.threads, "mode": setting.variant.name,
             "bytes": some[0]["insert"]["bytes_per_key"], "height": some[0]["insert"]["height"]}
            for setting, some in found if "insert" in names
        ],
        "results": [
            record(name, setting, some, group[0][1])
            for group in groups
            for name in names
            for setting, some in group
        ],
    }  # fmt: skip


def show(results, args):
    """Print the facts, and a table for each number of keys and threads."""
    nodes = results["nodes"]
    print(rounds.describe(results["machine"]))
    print(
        f"leaf {nodes['leaf_bytes']} bytes, {nodes['leaf_slots']} slots;"
        f" inner node {nodes['inner_bytes']} bytes, {nodes['inner_slots']} slots"
    )
    print(f"{LEGEND}\n")
    texts = {**results["workloads"], **results["meeting"]}
    for name in dict.fromkeys(one["workload"] for one in results["results"]):
        print(f"{name:13}  {texts[name]}")
    for keys, threads in dict.fromkeys((r["keys"], r["threads"]) for r in results["results"]):
        chosen = [r for r in results["results"] if (r["keys"], r["threads"]) == (keys, threads)]
        print(f"\n{keys} keys, {threads} thread{'s' if threads > 1 else ''}")
        for one in results["bytes_per_key"]:
            if (one["keys"], one["threads"]) == (keys, threads):
                print(f"{one['mode']}: {one['bytes']:.2f} bytes per key, height {one['height']}")
        rows = [
            {**one, "percent": 100 * one["ran"], "mark": "~" if one["noisy"] else ""}
            for one in chosen
        ]
        print(of_records(HEADS, CELLS, rows, 2))
    print(f"The same, and all rounds: {args.json}")
