# SPDX-License-Identifier: GPL-2.0
"""The facts about the machine that results depend on."""

import os
import pathlib
import platform
import re

CPU = pathlib.Path("/sys/devices/system/cpu/cpu0")
UNITS = {"K": 10, "M": 20, "G": 30}


def read(path, pattern=r"(.*)"):
    """What a pattern finds in a file; "unknown" if there is nothing."""
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(errors="replace"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else "unknown"


def caches():
    """The bytes of the caches for data, the nearest first."""
    sizes = []
    for index in sorted(CPU.glob("cache/index*")):
        size = read(index / "size")
        if read(index / "type") != "Instruction" and size[-1] in UNITS:
            sizes.append(int(size[:-1]) << UNITS[size[-1]])
    return sizes


def cpus():
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def native():
    """Whether the sources of the kernel part are compiled for this processor, too."""
    return os.environ.get("NATIVE") == "1"


def facts(built):
    """By name, with those of a program, such as its compiler."""
    return {
        "cpu": read("/proc/cpuinfo", r"^model name\s*: (.*)"),
        "cpus": cpus(),
        "nodes": len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*"))) or 1,
        "cache_bytes": caches(),
        "governor": read(CPU / "cpufreq/scaling_governor"),
        "kernel": f"{platform.system()} {platform.release()}",
        "huge_pages": read("/sys/kernel/mm/transparent_hugepage/enabled", r"\[(.*)\]"),
        "compiled": "for this processor" if native() else "as the kernel",
        "load_average": os.getloadavg()[0],
        **built,
    }
