# SPDX-License-Identifier: GPL-2.0
"""The files of the project, by what they are."""

import functools

from . import paths

# Whatever these contain was made, not written.
NOT_OURS = {
    ".git", "build", "__pycache__", "compile_commands.json", "tags", "Cargo.lock", "target",
}  # fmt: skip
MADE = (".mod.c", ".o", ".ko", ".mod", ".cmd", ".pyc", ".out")


def walk(folder):
    """All files that people wrote, in order; folder may be a file."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else [folder]:
        if path.name in NOT_OURS or path.is_symlink():
            continue
        if path.is_dir():
            yield from walk(path)
        elif not path.name.endswith(MADE):
            yield path


def first_line(path):
    """The first line of a text file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline()


@functools.cache
def files():
    """Every file of the project."""
    return list(walk(paths.TOP))


def c_code():
    """C sources and headers."""
    return [path for path in files() if path.suffix in (".c", ".h")]


def kernel_code():
    """C sources and headers of the kernel's side."""
    ours = ("module", "kunit", "include")
    return [path for path in c_code() if path.relative_to(paths.TOP).parts[0] in ours]


def shell_scripts():
    """Scripts for sh or bash, and what these include."""
    return [
        path
        for path in files()
        if path.suffix == ".sh"
        or first_line(path).startswith(("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash"))
    ]


def python():
    """Python sources, whatever they are called."""
    return [
        path
        for path in files()
        if path.suffix == ".py" or "python3" in first_line(path)
    ]


def go():
    """Go sources."""
    return [path for path in files() if path.suffix == ".go"]


def build_files():
    """What builds, installs and tests: Makefiles and the like."""
    names = ("Makefile", "Kbuild", "Kconfig", "dkms.conf", "run")
    suffixes = (".config", ".txt", ".in", ".mk")
    return [path for path in files() if path.name in names or path.suffix in suffixes]


def code():
    """Everything but prose and data."""
    return sorted({*c_code(), *shell_scripts(), *python(), *go(), *build_files()})
