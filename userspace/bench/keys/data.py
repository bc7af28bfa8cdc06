# SPDX-License-Identifier: GPL-2.0
"""Files of real strings, one a line, as keys.

symbols: the names of the running kernel's symbols; paths: of all files that Debian's
packages have installed; words: of a dictionary; uuids: random ones of version 4, as
text. Without its source a file is left out.
"""

import pathlib
import random
import uuid

from driver.program import say

WORDS = pathlib.Path("/usr/share/dict/words")
LISTS = pathlib.Path("/var/lib/dpkg/info")
KALLSYMS = pathlib.Path("/proc/kallsyms")
UUIDS = 1000000


def symbols():
    """The third word of each line."""
    return [line.split()[2] for line in KALLSYMS.open(encoding="utf-8")]


def paths():
    """A file for each package lists where its files are."""
    return [
        line
        for name in LISTS.glob("*.list")
        for line in name.read_text(errors="surrogateescape").splitlines()
    ]


def words():
    """Of the package wamerican."""
    return WORDS.read_text(encoding="utf-8").splitlines()


def uuids():
    """The same in each run."""
    source = random.Random(1)
    return [str(uuid.UUID(int=source.getrandbits(128), version=4)) for _ in range(UUIDS)]


def write(function, directory):
    """Write the lines that a function returns; returns the path, or None."""
    path = directory / function.__name__
    try:
        lines = sorted(set(function()))
    except OSError as error:
        say(f"no {path.name}: {error}")
        return None
    if not lines:
        say(f"no {path.name}: the source is empty")
        return None
    path.write_text("\n".join(lines) + "\n", errors="surrogateescape")
    return path


def write_all(directory):
    """Write all files; returns the paths of those that there are."""
    directory.mkdir(parents=True, exist_ok=True)
    written = [write(function, directory) for function in (symbols, paths, words, uuids)]
    return [path for path in written if path]
