# SPDX-License-Identifier: GPL-2.0
"""A benchmark as a program: its options, its file of results, its exit status.

A benchmark is a module. Its text is the help; parse(parser, argv) returns the options,
measure(args) the results, and show(results, args) prints them and returns a status. A program
of several commands has options with an action(args) instead.
"""

import argparse
import json
import os
import pathlib
import sys

from harness import paths, process

from . import machine


class Failure(Exception):
    """Why there are no results; the second argument is the status, if it is not 1."""


def say(text):
    """A line about the progress."""
    print(text, file=sys.stderr, flush=True)


def number(least, most):
    """The type of an option that is a number."""

    def parse(text):
        if not (text.isdecimal() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text} is not a number from {least} to {most}")
        return int(text)

    return parse


def numbers(least, most):
    """The type of an option that is several numbers between commas."""
    one = number(least, most)
    return lambda text: [one(word) for word in text.split(",")]


def names(text):
    """The type of an option that is several names between commas."""
    return text.split(",")


def check_names(given, known, noun):
    """A name that does not exist is wrong usage."""
    for name in given or ():
        if name not in known:
            raise Failure(f"there is no {noun} {name}, but {', '.join(known)}", 2)


def fill(args, *values):
    """Set the options that are not given: the first values that have one count."""
    for some in values:
        for name, value in some.items():
            if getattr(args, name) is None:
                setattr(args, name, value)


def add_json(parser, name):
    """The options of the file with the results, in the folder for all that is built."""
    parser.add_argument("--json", "-j", metavar="FILE", type=pathlib.Path,
        default=paths.BUILD / name, help=f"the file with the results (build/{name})")
    parser.add_argument("--show", action="store_true",
        help="measure nothing: show the results that FILE has")


def build(folder, *goals, out=paths.BUILD, flags=""):
    """Make the programs of a folder of the userspace; returns the folder of programs.

    With NATIVE=1 in the environment all is compiled for this processor. A bundle has the
    programs, and nothing to make them of.
    """
    if not (paths.TOP / "userspace" / folder / "Makefile").exists():
        return out / "bench"
    if machine.native():
        out = out / "native"
    status, output = process.capture(
        ["make", "--no-print-directory", "-s", f"-j{os.cpu_count()}", "-C",
         paths.TOP / "userspace" / folder, f"O={out}", *goals],
        stderr=None,
        env={**os.environ, "MAKEFLAGS": "", **({"CPPFLAGS": flags} if flags else {})},
    )  # fmt: skip
    if status:
        raise Failure(f"{output}userspace/{folder} was not built")
    return out / "bench"


def text_of(value, deep=0):
    """JSON with a line for each element of a list, and for each name at the top."""
    indent = "\n" + " " * (deep + 1)
    if isinstance(value, list) and value:
        return "[" + ",".join(indent + json.dumps(one) for one in value) + indent[:-1] + "]"
    if isinstance(value, dict) and not deep:
        lines = [f"{indent}{json.dumps(name)}: {text_of(one, 1)}" for name, one in value.items()]
        return "{" + ",".join(lines) + "\n}"
    return json.dumps(value)


def write(path, results):
    """Write a file of results."""
    path.write_text(text_of(results) + "\n")


def tap(results):
    """Print tests as TAP, by name the reason why each one failed; returns the exit status."""
    print("TAP version 13")
    for number, (name, failure) in enumerate(results.items(), 1):
        print(f"{'not ok' if failure else 'ok'} {number} - {name}")
        if failure:
            print(f"# {failure}")
    print(f"1..{len(results)}")
    return 1 if any(results.values()) else 0


def results_of(module, args):
    """The results of a benchmark: new ones, which it writes, or those of the file."""
    if not args.show:
        write(args.json, module.measure(args))
    if not args.json.exists():
        raise Failure(f"there is no {args.json}")
    return json.loads(args.json.read_text())


def main(name, module, argv):
    """Run a benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"run {name}", description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    args = module.parse(parser, argv)
    process.raise_on_term()
    try:
        if hasattr(args, "action"):
            return args.action(args) or 0
        return module.show(results_of(module, args), args) or 0
    except Failure as failure:
        say(f"{name}: {failure.args[0]}")
        return failure.args[1] if len(failure.args) > 1 else 1
