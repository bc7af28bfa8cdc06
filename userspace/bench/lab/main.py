# SPDX-License-Identifier: GPL-2.0
"""Measure the schemes of five papers: their figures, or any other combination.

Points are measured in processes of their own, or with --kernel by the module blink_tree_lab,
as root. Results go to a file: all rounds, the facts about the machine, and verdicts about the
claims of the papers. `show` prints such a file, and `compare` prints two beside each other. A
signal ends a command after the tables of the complete rounds.
"""

import dataclasses
import datetime
import difflib
import json
import pathlib
import shlex
import sys

from driver import machine, program
from driver.program import Failure
from driver.table import aligned
from harness import paths, process

from . import claims, compare, events, figures, judge, simulated, table, worlds
from .study import Rounds, Study, check_threads, count_cpus

ROUNDS, ROUNDS_MAX = 7, 99
ORDERS = ("random", "ascending", "descending", "clustered", "file")
POPULARITIES = ("uniform", "zipfian", "latest")
VERSION = paths.TOP / "module/version.h"


def check_name(name, known, noun):
    """A name that does not exist is wrong usage."""
    if name not in known:
        near = difflib.get_close_matches(name, known, 3, 0.5)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise Failure(f"there is no {noun} {name}{hint}", 2)


def check_mix(text, world):
    """The name of a mix, or its shares: read=90,insert=10,zipfian."""
    if "=" not in text:
        return check_name(text, world.mixes, "mix")
    kinds = {kind for mix in world.mixes.values() for kind in mix["shares"]} | {"entries"}
    for word in text.split(","):
        kind, _, share = word.partition("=")
        if kind not in POPULARITIES:
            check_name(kind, kinds, "kind of operation")
            if not share.isdecimal():
                raise Failure(f"--mix {text}: {word} has no number", 2)
    if {"latest", "erase"} <= {word.partition("=")[0] for word in text.split(",")}:
        raise Failure(f"--mix {text}: the latest keys cannot be read if some are erased", 2)
    return None


def changed(old, words):
    """Names of an option: instead of the old ones, or with a + in front behind them."""
    if not words:
        return old
    names = [name for word in words for name in ([word] if "=" in word else word.split(","))]
    added = [name.removeprefix("+") for name in names]
    return (*(old if names[0].startswith("+") else ()), *added)


def adapt(figure, args, world):
    """A figure with the schemes, mixes, batches and nodes that are asked for."""
    figure = dataclasses.replace(
        figure,
        schemes=changed(figure.schemes, args.scheme),
        mixes=changed(figure.mixes, args.mix),
        batches=tuple(args.batch or figure.batches),
        node_bytes=tuple(args.node_bytes or figure.node_bytes),
        unit=figures.TIMES if args.timed else figure.unit,
        shared=args.shared or figure.shared,
        writers=args.writers or figure.writers,
    )
    for name in figure.schemes:
        # A kernel without the option of a scheme lacks it; a new one may be anywhere.
        if figure.name == "run" or args.scheme:
            check_name(name, world.schemes, "scheme")
    for name in figure.mixes:
        check_mix(name, world)
    return figure


def wanted(args):
    """The figures that a command line names."""
    if args.names is None:
        for option in ("scheme", "mix"):
            if not getattr(args, option):
                raise Failure(f"--{option} is missing", 2)
        return [dataclasses.replace(figures.ASKED, threads=(args.cpus,))]
    for name in args.names:
        check_name(name, [*figures.FIGURES, "all"], "figure")
    every = "all" in args.names
    return [figure for figure in figures.FIGURES.values() if every or figure.name in args.names]


def open_world(args):
    """The world where points are measured, with the keys of a file."""
    if args.key_file and args.order not in (None, "file"):
        raise Failure("--key-file and --order exclude each other", 2)
    if args.order == "file" and not args.key_file:
        raise Failure("--order file needs --key-file", 2)
    args.order = "file" if args.key_file else args.order or "random"
    packed = worlds.read_keys(args.key_file) if args.key_file else None
    if args.simulate is not None:
        world = simulated.Simulated(args.simulate)
    elif args.events is not None:
        world = events.Counted(args.events)
    else:
        world = worlds.Kernel(args.kernel) if args.kernel else worlds.Native()
    if packed:
        world.set_keys(packed)
    return world


def begin(args, world):
    """Results without records."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "version": machine.read(VERSION, r'BLINK_VERSION "(.*)"'), "world": world.name,
        "command": shlex.join(sys.argv), "seed": args.seed,
        "machine": world.facts(), "records": [],
    }  # fmt: skip


def measure(args):
    """figure and run: returns the exit status."""
    if not args.plan:
        check_threads(args.threads, args.cpus)
    found = wanted(args)
    world = open_world(args)
    rounds = Rounds()
    studies = [Study(adapt(figure, args, world), args, rounds) for figure in found]
    if args.plan:
        print(*(cell.point.text(args.seed) for cell in rounds.cells.values()), sep="\n")
        return 0
    results, out = begin(args, world), sys.stderr if str(args.json) == "-" else sys.stdout
    rounds.measure(world, args.rounds, args.seed)
    for study in studies:
        results["records"] += study.records(world)
        print(table.figure(study.records(world)), end="\n\n", file=out, flush=True)
    finish(results, args, out)
    broken = any(cell.failure and not cell.refused for cell in rounds.cells.values())
    return process.status or int(broken)


def finish(results, args, out):
    """Judge, and write all files."""
    results["verdicts"] = judge.verdicts(results)
    print(table.verdicts(results["verdicts"]), file=out)
    if str(args.json) == "-":
        print(json.dumps(results))
    else:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        program.write(args.json, results)
    if args.csv:
        table.write_csv(args.csv, results["records"])
    draw(results, args)


def draw(results, args):
    """Pictures, if they are asked for."""
    if args.plots:
        # The kernel's guests and most users need no matplotlib.
        from . import plot  # pylint: disable=import-outside-toplevel

        plot.save_all(results, args.plots)


def load(path):
    """The results of a file."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {getattr(error, 'strerror', error)}", 2) from None


def show(args):
    """show: the tables of a file; it judges again."""
    results = load(args.file)
    for name in table.unique(one["figure"] for one in results["records"]):
        some = [one for one in results["records"] if one["figure"] == name]
        print(table.figure(some), end="\n\n")
    print(table.verdicts(judge.verdicts(results)))
    if args.csv:
        table.write_csv(args.csv, results["records"])
    draw(results, args)


def show_comparison(args):
    """compare: two files beside each other."""
    rows = compare.rows(*(load(path)["records"] for path in args.files))
    if not rows:
        raise Failure("the files have no cell in common")
    print(aligned([compare.HEADS, *rows], 2))


def show_list(args):
    """list and mixes: what this world has."""
    world = worlds.Kernel(args.kernel) if args.kernel else worlds.Native()
    if args.json:
        return print(json.dumps(list(getattr(world, args.what).values()), indent=1))
    if args.what == "schemes":
        rows = [
            [one["scheme"], one["author"], one["paper"], one["section"], ",".join(one["promises"])]
            for one in world.schemes.values()
        ]
    else:
        rows = [
            [one["mix"], one["source"],
             ", ".join(f"{kind} {share}" for kind, share in one["shares"].items())
             + "".join(f"; scans of {least} to {most}" for least, most in [one["entries"]] if most)
             + f"; {one['popularity']}"]
            for one in world.mixes.values()
        ]  # fmt: skip
    return print(aligned(rows, len(rows[0])))


def show_figures(_args):
    """figures: their names, papers, places and subjects."""
    rows = [[one.name, one.paper, one.place, one.title] for one in figures.FIGURES.values()]
    print(aligned(rows, 4))


def show_claims(_args):
    """claims: each with the figures that it needs."""
    print(aligned([
        [one.name, one.text, one.place,
         ", ".join(table.unique(test.figure for test in one.tests)) or "make lab-numa"]
        for one in claims.CLAIMS
    ], 4))  # fmt: skip


def add_kernel(parser):
    """The option that chooses the world."""
    parser.add_argument("--kernel", nargs="?", const=worlds.DEBUGFS, metavar="DIR",
        type=pathlib.Path, help=f"measure in the kernel, by the files of DIR ({worlds.DEBUGFS})")


def add_files(parser):
    """The options of tables and pictures."""
    parser.add_argument("--csv", metavar="FILE", type=pathlib.Path,
        help="write a line for each round of each cell")
    parser.add_argument("--plots", metavar="DIR", type=pathlib.Path, help="draw pictures")


def add_measuring(parser):
    """The options of figure and run."""
    number, numbers = program.number, program.numbers
    add = parser.add_argument
    world = parser.add_mutually_exclusive_group()
    add_kernel(world)
    world.add_argument("--simulate", nargs="?", const="", metavar="NAME=N,...",
        help="execute what is recorded on a machine that is simulated, of up to 256 CPUs; these"
        f" are its numbers: {', '.join(f'{name}={n}' for name, n in simulated.MACHINE.items())};"
        " times in picoseconds")
    world.add_argument("--events", metavar="LIST",
        help="count these events of each operation by perf, natively: instructions,cycles,..."
        " (perf list)")
    add_files(parser)
    add("-q", "--quick", action="store_true", help="fewer keys, operations and rounds")
    add("--scheme", metavar="NAME,...", action="append",
        help="these schemes, the baseline first; +NAME: those of the figure, and these")
    add("--mix", metavar="NAME,...", action="append",
        help="these mixes; read=90,insert=10[,zipfian]: one by its shares")
    add("-t", "--threads", metavar="N,...", type=numbers(1, 2**32 - 1), help="these numbers")
    add("-b", "--batch", metavar="N,...", type=numbers(1, 64), help="operations in a call")
    add("--node-bytes", metavar="N,...", type=numbers(0, 2**20), help="sizes of nodes")
    add("-k", "--keys", metavar="N", type=number(1, 2**30), help="keys at the beginning")
    add("-n", "--ops", metavar="N", type=number(1, 2**30), help="operations of each thread")
    add("--shared", action="store_true", help="operations of all threads together")
    add("--writers", metavar="N", type=number(1, 2**32 - 1),
        help="so many threads change the index while the others read")
    add("-w", "--warm-up", metavar="N", type=number(0, 2**30), default=0, help="those before")
    add("-r", "--rounds", metavar="N", type=number(1, ROUNDS_MAX), help=f"({ROUNDS})")
    add("-s", "--seed", metavar="N", type=number(0, 2**31), default=1,
        help="that of the first round (1)")
    add("--order", choices=ORDERS, help="order of the keys (random)")
    add("--key-file", metavar="FILE", type=pathlib.Path, help="keys, one on each line")
    add("--timed", action="store_true", help="measure the time of each operation")
    add("--plan", action="store_true", help="print the orders, and measure nothing")
    add("--cpus", metavar="N", type=number(1, 2**31),
        help="plan for so many CPUs (those that there are)")
    add("--json", "-j", metavar="FILE", type=pathlib.Path, default=paths.BUILD / "lab.json",
        help="the file with the results (build/lab.json); -: standard output")
    parser.set_defaults(action=measure)


def parse(parser, argv):
    """The options."""
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    figure = commands.add_parser("figure", help="measure figures of the papers")
    figure.add_argument("names", nargs="+", metavar="NAME", help="of figures, or all")
    add_measuring(figure)
    run = commands.add_parser("run", help="measure other schemes and mixes")
    add_measuring(run)
    run.set_defaults(names=None)
    for word, what, text in (
        ("list", "schemes", "list the schemes"), ("mixes", "mixes", "list the mixes"),
    ):  # fmt: skip
        command = commands.add_parser(word, help=text)
        add_kernel(command)
        command.add_argument("--json", "-j", action="store_true", help="print JSON")
        command.set_defaults(action=show_list, what=what)
    commands.add_parser("figures", help="list the figures").set_defaults(action=show_figures)
    commands.add_parser("claims", help="list the claims").set_defaults(action=show_claims)
    again = commands.add_parser("show", help="print the tables of a file, and judge again")
    again.add_argument("file", type=pathlib.Path)
    add_files(again)
    again.set_defaults(action=show)
    both = commands.add_parser("compare", help="compare the cells of two files")
    both.add_argument("files", nargs=2, type=pathlib.Path, metavar="FILE")
    both.set_defaults(action=show_comparison)
    args = parser.parse_args(argv)
    if getattr(args, "action", None) is measure:
        args.rounds = args.rounds or (judge.ROUNDS_MIN if args.quick else ROUNDS)
        simulates = args.simulate is not None
        args.cpus = args.cpus or (simulated.CPUS_MAX if simulates else count_cpus())
    return args
