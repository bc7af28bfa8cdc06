# SPDX-License-Identifier: GPL-2.0
"""Running a program in QEMU with the plugin that counts."""

import pathlib
import shutil
import subprocess
import tempfile

from driver import program
from driver.program import Failure
from harness import paths, process
from numa import counts, emulator


def build():
    """Make the plugin and the programs; returns their folder."""
    emulator.check()
    program.build("bench/numa/count")
    return program.build("bench/lines")


def sources():
    """The commit that is counted; nothing where there is no history."""
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=paths.TOP,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip()


def version(folder):
    """Of the compiler, the kernel's indexes and QEMU."""
    compiler = subprocess.run(
        [folder / "blink_lines", "--version"], check=True, capture_output=True, text=True
    )
    qemu = subprocess.run(
        [emulator.QEMU, "--version"], check=True, capture_output=True, text=True
    )
    return f"{compiler.stdout.strip()}, {qemu.stdout.splitlines()[0]}"


def level(row):
    """Of a node's lines the column; None for other memory."""
    kinds = {"level 0": "leaf", "level 1": "level1"}
    if not row["kind"].startswith("level"):
        return None
    return kinds.get(row["kind"], "above")


def sums(dump):
    """What a dump says of all operations together."""
    calls, insns = counts.calls(dump)
    rows = [row for row in dump if row["class"] == "call" and "kind" in row and level(row)]
    result = {"calls": calls, "insns": insns, "lines": counts.total(rows, "fetched")}
    for name in ("leaf", "level1", "above"):
        result[name] = counts.total([row for row in rows if level(row) == name], "fetched")
    result["prefetched"] = counts.total(rows, "asked")
    result["unused"] = result["lines"] - counts.total(rows, "used")
    return result


def count(folder, words):
    """Run a program of the folder; returns what was counted."""
    with tempfile.TemporaryDirectory(prefix="lines-") as scratch:
        out = pathlib.Path(scratch) / "counts"
        plugin = f"{folder}/numa_count.so,nodes=1,cpus=1,megabytes=1,out={out}"
        # The environment and the program's path are on its stack, and move the rest of it.
        status, output = process.capture(
            [shutil.which(emulator.QEMU), *emulator.CPU, "-plugin", plugin, f"./{words[0]}",
             *words[1:]],
            cwd=folder, env={},
        )  # fmt: skip
        if status:
            raise Failure(f"{' '.join(words)}: {output or status}")
        dumps = counts.read(out)
    if list(dumps) != [1]:
        raise Failure(f"{' '.join(words)}: nothing was counted")
    return sums(dumps[1])
