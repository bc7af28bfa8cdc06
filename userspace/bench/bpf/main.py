# SPDX-License-Identifier: GPL-2.0
"""Count the cost of finding an address among prefixes in a BPF program.

A guest runs in QEMU without KVM, with a plugin that counts instructions and the cache
lines that they refer to. A program looks for addresses in a tree, and in the kernel's own
trie of prefixes (BPF_MAP_TYPE_LPM_TRIE); both must find the same. The cost of the loop
without a lookup is subtracted. Bytes are those that the tree and the map say they use.

A line is rare if at most one lookup in 16 refers to it. The others, as those of the stack
and of the root, are in the cache of a CPU that does nothing else.

These are counts, and no measure of throughput. Status 1: something
failed or could not be counted.
"""

from driver import program
from driver.table import of_records
from harness import paths
from numa import counts, lab

NAME = "bpf"
SIZES = (1000, 10000, 100000, 1000000)


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--prefixes", type=int, nargs="+", metavar="N", default=SIZES,
        help="random prefixes of each family (1000 10000 100000 1000000)")
    program.add_json(parser, "bench-bpf.json")
    return parser.parse_args(argv)


def costs(row, runs, single):
    """Instructions, lines and rare lines of a turn of the loop, from the dumps of a row."""
    addresses = int(row["addresses"])
    seen, insns = counts.calls(runs)
    if (seen, counts.calls(single)[0]) != (int(row["runs"]), addresses):
        raise lab.Failure(f"{row}, but {seen} runs and {counts.calls(single)[0]} were seen")
    memory = [each for each in single if each["class"] == "call" and "kind" in each]
    lines = (counts.total(memory, key) / addresses for key in ("fetched", "rare"))
    return insns / seen / addresses, *lines


def records(rows, dumps):
    """What was counted: a record for each structure, family and number of prefixes."""
    loop = {}
    for number, row in enumerate(rows):
        cost = costs(row, *(dumps.get(2 * number + i, []) for i in (1, 2)))
        case = (row["prefixes"], row["family"])
        if row["kind"] == "no":
            loop[case] = cost
            continue
        insns, lines, rare = (some - none for some, none in zip(cost, loop[case]))
        yield {
            "family": row["family"],
            "prefixes": int(row["prefixes"]),
            "kind": row["kind"],
            "insn_per_lookup": insns,
            "lines_per_lookup": lines,
            "rare_lines_per_lookup": rare,
            "bytes_per_prefix": int(row["bytes"]) / int(row["prefixes"]),
            "found": int(row["found"]),
        }


HEADS = "family|prefixes|structure|insns|lines|rare|bytes per prefix"
CELLS = (
    "{family}|{prefixes}|{kind}|{insn_per_lookup:.0f}|{lines_per_lookup:.1f}"
    "|{rare_lines_per_lookup:.1f}|{bytes_per_prefix:.1f}"
)


def measure(args):
    """Count in a guest; returns the records."""
    plugin, search = lab.build(), program.build("bench/bpf") / "prefix_cost"
    rows = []

    def take(line):
        if line.startswith("prefixes="):
            rows.append(lab.words_of(line))
            program.say(line)

    command = " ".join(map(str, (search.relative_to(paths.TOP), *args.prefixes)))
    dumps = lab.boot(plugin, NAME, 1, command, take)
    return list(records(rows, dumps))


def show(results, _args):
    """Print the table."""
    print(of_records(HEADS, CELLS, results, 3))
