# SPDX-License-Identifier: GPL-2.0
"""Where things are, and the answers of the shell scripts beside this package."""

import os
import pathlib

from . import process

VM = pathlib.Path(__file__).resolve().parent.parent
TOP = VM.parent.parent
BUILD = TOP / "build"


def cache():
    """The directory for what outlives the project's folder; see common.sh."""
    if "BLINK_CACHE" in os.environ:
        return pathlib.Path(os.environ["BLINK_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(base) / "blink_tree"


def ask(script, *args):
    """The lines that a script of this directory prints; its stderr is ours."""
    status, output = process.capture([VM / script, *args], stderr=None)
    if status:
        raise SystemExit(status)
    return output.splitlines()


def python_program(requirements, name, group):
    """A program that ./deps put into an environment, maybe beside others."""
    lines = requirements.read_text().splitlines()
    releases = "+".join(line.replace("==", "-") for line in lines if "==" in line)
    program = cache() / releases / "bin" / name
    if not program.exists():
        raise SystemExit(f"{releases} is missing; run userspace/vm/deps {group}")
    return program


def virtme_run():
    """The program that boots guests."""
    return python_program(VM / "requirements.txt", "virtme-run", "vm")
