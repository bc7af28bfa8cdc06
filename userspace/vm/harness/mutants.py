# SPDX-License-Identifier: GPL-2.0
"""The mutants: patches that break the sources on purpose, each in one place.

The folder of a patch is the level of tests that it belongs to. Its first line says
what is broken. The lines after it name each test that finds the mutant:

  Found by: VARIANT MODE TEST   tests/core; TEST is a part of a test's name
  Found by: steps               tests/steps: a writer at each step of a reader
  Found by: contract            tests/fuzz: the contract of the ioctls
  Found by: libfuzzer           tests/fuzz: programs made from nothing
  Found by: histories           tests/histories: the checker rejects a history
  Found by: explore             tests/memory-model

or why exploring finds nothing:

  Equal: REASON
"""

import dataclasses
import functools
import pathlib
import re
import subprocess

from . import paths

FOLDER = paths.TOP / "userspace/tests/mutants"


def modes():
    """The modes of trees, in the order of their table."""
    table = (paths.TOP / "kunit/modes.h").read_text()
    return re.findall(r'^\tMODE\(arg, \w+, "([\w-]+)"', table, re.MULTILINE)


# A line that names a test: the level that runs it, and the words after the first.
LEVELS = {
    "core": re.compile(
        r"((?:plain|asan|tsan|points)-(?:tiny|prod)) "
        rf"({'|'.join(modes())}) (\S.*)"
    ),
    "steps": re.compile(r"steps"),
    "fuzz": re.compile(r"(contract|libfuzzer)"),
    "histories": re.compile(r"histories"),
    "memory-model": re.compile(r"explore"),
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A patch, and the lines before its first change."""

    path: pathlib.Path
    header: tuple

    @property
    def name(self):
        """The name that people use."""
        return self.path.stem

    def lines(self, word):
        """The rest of each line of the header that begins with a word."""
        return [line[len(word) + 2 :] for line in self.header if line.startswith(f"{word}: ")]


@functools.cache
def mutants():
    """All of them, by level and name."""
    return [
        Mutant(path, tuple(re.split(r"^--- ", path.read_text(), 1, re.MULTILINE)[0].splitlines()))
        for path in sorted(FOLDER.glob("*/*.patch"))
    ]


def parse(test):
    """The level that has a test which a patch names, and its words; or nothing."""
    for level, pattern in LEVELS.items():
        words = pattern.fullmatch(test)
        if words:
            return level, words.groups()
    return None


def apply(mutant, folder, *options):
    """Break a copy of the sources; returns why the patch does not apply exactly."""
    done = subprocess.run(
        ["patch", "-s", "-f", "-F0", "-p0", "-d", folder, "-i", mutant.path, *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    return done.stdout.strip() or f"status {done.returncode}" if done.returncode else ""


@functools.cache
def core_sources():
    """The text of the tests of the core, with strings in one piece."""
    folders = (paths.TOP / part for part in ("userspace/tests/core", "userspace/tests/common"))
    files = [path.read_text() for folder in folders for path in folder.glob("*.[ch]")]
    return re.sub(r'"\s*"', "", "".join(files))


def is_test(name):
    """Whether the core has a test of this name; one of kunit/ is SUITE: CASE[: PARAMETER]."""
    suite, *parts = name.split(": ")
    source = paths.TOP / "kunit" / f"{suite}.c"
    shared = source.read_text() if source.exists() else ""
    return name in core_sources() or bool(shared and parts and all(part in shared for part in parts))


def header_faults(mutant):
    """Complaints about the lines before the changes."""
    if not mutant.header or not mutant.header[0].endswith("."):
        yield "its first line does not say what is broken"
    if not mutant.lines("Found by") and not mutant.lines("Equal"):
        yield "no test that finds it is named"
    for test in mutant.lines("Found by"):
        level, words = parse(test) or ("", ())
        if not level:
            yield f"'{test}' names no test"
        elif level == "core" and not is_test(words[2]):
            yield f"no test of the core is called '{words[2]}'"


def faults():
    """Patches that do not apply exactly, or do not name a test that finds them."""
    for mutant in mutants():
        name = mutant.path.relative_to(paths.TOP)
        failure = apply(mutant, paths.TOP, "--dry-run")
        if failure:
            yield f"{name}: {failure.splitlines()[0]}"
        for fault in header_faults(mutant):
            yield f"{name}: {fault}"
