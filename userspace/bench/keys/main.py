# SPDX-License-Identifier: GPL-2.0
"""Measure blink_tree beside other ordered indexes, natively, by kinds of keys.

The kinds are random numbers of 64 and of 128 bits, random strings of 24 bytes, and the
lines of files, equal ones once: of each FILE, and of files with real strings.

Each figure is the median of the rounds, in millions of operations a second, and how many
times as fast blink_tree was in the same round. Status 1: an answer was wrong, or the
system failed.
"""

import dataclasses
import pathlib

from driver import program, rounds
from driver.table import aligned
from harness import paths

from . import data

OURS = "blink_tree"
TEXTS = {
    "u64": "random numbers of 64 bits",
    "u128": "random numbers of 128 bits",
    "bytes": "random strings of 24 bytes",
}
WORKLOADS = {"insert": "insert", "lookup": "lookup", "batch": "batch of 32", "scan": "scan of 48"}


@dataclasses.dataclass(frozen=True)
class Setting:
    """An index with keys of a kind, random ones or those of a file."""

    kind: str
    file: str
    index: str

    def __str__(self):
        return f"{self.file or TEXTS[self.kind]}, {self.index}"


def parse(parser, argv):
    """The options."""
    add, one = parser.add_argument, program.number
    add("-k", "--keys", metavar="N", type=one(0, 10**9), default=1000000,
        help="random keys of each kind (1000000); 0 for none")
    add("-p", "--probes", metavar="N", type=one(10000, 10**9), default=1000000,
        help="lookups of each round; scans are an eighth (1000000)")
    add("-t", "--threads", metavar="N", type=one(1, 32), default=1, help="pinned threads (1)")
    add("-r", "--rounds", metavar="N", type=one(1, 99), default=5, help="rounds (5)")
    add("--check", action="store_true",
        help="check the indexes at a tiny size, without crates, and print TAP")
    add("files", metavar="FILE", nargs="*", type=pathlib.Path, help="keys, one on each line")
    program.add_json(parser, "bench-keys.json")
    return parser.parse_args(argv)


def settings(args, indexes):
    """All settings: those of the same keys together, ours first."""
    sets = [(kind, "") for kind in TEXTS if args.keys]
    sets += [("bytes", str(file)) for file in args.files]
    return [Setting(*keys, name) for keys in sets for name in indexes[keys[0]]]


def compare_scans(setting, samples, ours):
    """In each round the scans of all indexes must find the same entries."""
    for sample, own in zip(samples, ours):
        if "scan" in sample and sample["scan"]["scanned"] != own["scan"]["scanned"]:
            raise program.Failure(f"scans of {setting} found other entries")


def record(setting, samples, ours):
    """The rounds of a setting; a workload that the index does not have is absent."""
    found = {"kind": setting.kind, "file": setting.file, "index": setting.index, "works": {}}
    for work in samples[0]:
        mops = [sample[work]["mops"] for sample in samples]
        ratio = rounds.ratio([sample[work]["mops"] for sample in ours], mops)
        found["works"][work] = {
            "mops_median": rounds.summarise(mops).median, "ours_to_this": ratio.median,
            "noisy": ratio.noisy, "rounds": mops,
        }  # fmt: skip
    if samples[0]:
        found["bytes_per_key"] = rounds.summarise(
            [sample["insert"]["bytes_per_key"] for sample in samples]
        ).median
    return found


def measure_all(args, keys):
    """Measure all settings with a program; returns the records."""
    facts = rounds.facts(keys)

    def run(one):
        words = (one.kind, one.index, args.keys, args.probes, args.threads)
        more = (one.file,) if one.file else ()
        return rounds.sample((keys, *words, *more), MALLOC_CONF="thp:always")

    wanted = settings(args, facts["indexes"])
    found = dict(zip(wanted, rounds.measure(wanted, args.rounds, run)))
    records = []
    for setting, samples in found.items():
        ours = found[dataclasses.replace(setting, index=OURS)]
        compare_scans(setting, samples, ours)
        records.append(record(setting, samples, ours))
    return {"machine": facts["machine"], "threads": args.threads, "records": records}


def check(args):
    """Whether all answers are right at a tiny size, as TAP; returns the exit status."""
    keys = program.build("bench/keys", "check-program") / "blink_keys_check"
    args.keys, args.probes, args.rounds = 20000, 10000, 1
    args.files = [pathlib.Path(__file__)]
    results, names = {}, []
    for args.threads in (1, 3):
        name = f"{args.threads} threads, keys of each kind"
        try:
            names += [one["index"] for one in measure_all(args, keys)["records"] if one["works"]]
            results[name] = ""
        except program.Failure as failure:
            results[name] = str(failure)
    results["ours is measured with each set of keys"] = "" if names.count(OURS) == 8 else names
    results["packages are measured"] = "" if "LMDB" in names else names
    return program.tap(results)


def measure(args):
    """Measure all indexes with keys of all kinds, and with the lines of files."""
    if args.check:
        raise SystemExit(check(args))
    keys = program.build("bench/keys", "all") / "blink_keys"
    args.files += data.write_all(paths.BUILD / "bench-keys")
    return measure_all(args, keys)


def row(record):
    """The cells of an index."""
    cells = [record["index"]]
    for name in WORKLOADS:
        work = record["works"].get(name)
        cells.append(
            f"{work['mops_median']:.2f} ({work['ours_to_this']:.2f}){'~' if work['noisy'] else ' '}"
            if work else "-  "
        )  # fmt: skip
    size = record.get("bytes_per_key")
    return [*cells, f"{size:.1f}" if size else "-"]


def show(results, _args):
    """Print a table for each set of keys."""
    print(rounds.describe(results["machine"]))
    records, threads = results["records"], results["threads"]
    for kind, file in dict.fromkeys((one["kind"], one["file"]) for one in records):
        rows = [("", *WORKLOADS.values(), "bytes/key")]
        rows += [row(one) for one in records if (one["kind"], one["file"]) == (kind, file)]
        print(f"\n{file or TEXTS[kind]}, {threads} thread{'s' if threads > 1 else ''}")
        print(aligned(rows, 1))
