# SPDX-License-Identifier: GPL-2.0
"""Count what the figures of the papers make the processors of NUMA machines do.

Guests run in QEMU without KVM, with a plugin that counts: instructions, loads and stores
to memory of the own and of other NUMA nodes, and lines of memory that go from one NUMA
node to another. The module blink_tree_lab executes the points of each figure, and checks
each answer. The figure olfit-model compares
counted transfers with the model of OLFIT's paper.

These are counts, and never a measure of throughput. Status 1: something could not be
counted, an answer was wrong, or reads of a replica went to another NUMA node.
"""

from driver import program
from lab import judge, table
from lab.figures import FIGURES

from . import lab, points, points_table


def parse(parser, argv):
    """The options."""
    add = parser.add_argument
    add("--figures", nargs="+", metavar="NAME", help="figures to count (all)")
    add("--nodes", type=int, nargs="+", metavar="N", choices=range(2, 9), default=[2, 4],
        help="NUMA nodes of the guests (2 4)")
    add("--quick", action="store_true", help="2000 keys, 250 operations")
    add("--keys", type=int, metavar="N", help="before the first operation (10000)")
    add("--ops", type=int, metavar="N",
        help="operations of each thread, after as many to warm up (1000)")
    program.add_json(parser, "lab-numa.json")
    args = parser.parse_args(argv)
    args.keys = args.keys or (2000 if args.quick else 10000)
    args.ops = args.ops or (250 if args.quick else 1000)
    return args


def plan_points(args, names, cpus):
    """All points of a guest with so many CPUs."""
    found = []
    for name in names:
        if name == points.MODEL:
            found += points.of_model(cpus)
        else:
            found += points.of_figure(FIGURES[name], cpus, args.keys, args.ops)
    return found


def make_records(nodes, wanted, found):
    """The records of the points, and what is wrong with the others.

    A point whose scheme lacks an operation of the mix has no record.
    """
    records, wrong = [], []
    for point, (outcome, dump) in zip(wanted, found):
        if outcome.error == lab.UNSUPPORTED:
            continue
        if outcome.error:
            wrong.append(f"{nodes} NUMA nodes, {point}: {outcome.error}")
            continue
        records.append(points.record(nodes, point, outcome, dump))
    points.compare(records)
    return records, wrong + points.astray(records)


def count(args, plugin, names, nodes):
    """The records of one guest, and what is wrong there."""
    wanted = plan_points(args, names, nodes * lab.CPUS_OF_A_NODE)
    found = lab.run(plugin, nodes, wanted, [point.order() for point in wanted])
    return make_records(nodes, wanted, found)


def measure(args):
    """The records of all guests, and what is wrong there."""
    plugin, known = lab.build(), [*FIGURES, points.MODEL]
    program.check_names(args.figures, known, "figure")
    results = {"records": [], "wrong": []}
    for nodes in args.nodes:
        records, wrong = count(args, plugin, args.figures or known, nodes)
        results["records"] += records
        results["wrong"] += wrong
    return results


def show(results, args):
    """Print the tables; returns 1 if something is wrong."""
    model = [record for record in results["records"] if record["figure"] == points.MODEL]
    others = [record for record in results["records"] if record["figure"] != points.MODEL]
    if others:
        print(f"\n{points_table.text(others)}\n\n{points_table.LEGEND}")
    if model:
        print(f"\n{points_table.model_text(model)}\n\n{points_table.MODEL_LEGEND}")
    verdicts = list(judge.counted(results["records"]))
    print(f"\n{table.verdicts(verdicts)}\nThe same: {args.json}", flush=True)
    for line in results["wrong"]:
        program.say(f"lab-numa: {line}")
    return 1 if results["wrong"] else 0
