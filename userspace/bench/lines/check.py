# SPDX-License-Identifier: GPL-2.0
"""The counter itself: programs of which every count is known. Results are TAP."""

from driver import program
from numa import emulator

from . import plan, qemu

OPS = 10
# How many instructions a loop of the probe has for a line, and at most with a fault.
LOOP = 4
FAULT = 20
# For each probe: lines, prefetched ones, unused ones, of each of its lines; and how
# many of its loops are counted exactly.
PROBES = {
    "nothing": (0, 0, 0, 0),
    "load": (1, 0, 0, 1),
    "store": (1, 0, 0, 1),
    "load-load": (1, 0, 0, 2),
    "load-store": (1, 0, 0, 2),
    "ask": (1, 1, 1, None),
    "ask-r8": (1, 1, 1, None),
    "ask-load": (1, 1, 0, None),
    "load-ask": (1, 0, 0, None),
    "ask-null": (0, 0, 0, None),
    "other": (0, 0, 0, 1),
}
LINES = (1, 37, 60)


def probe(folder, name):
    """Why the counts of a probe are wrong, or nothing."""
    *shares, loops = PROBES[name]
    found = {lines: qemu.count(folder, ["lines_probe", name, str(lines)]) for lines in LINES}
    for lines, sums in found.items():
        right = [OPS] + [OPS * lines * share for share in shares]
        counted = [sums[key] for key in ("calls", "lines", "prefetched", "unused")]
        if counted != right:
            return f"{lines} lines: {counted}, not {right}"
    grown = found[LINES[-1]]["insns"] - found[LINES[0]]["insns"]
    if loops is None:
        most = OPS * FAULT * (LINES[-1] - LINES[0])
        return "" if grown <= most else f"{grown} instructions more, above {most}"
    right = OPS * LOOP * loops * (LINES[-1] - LINES[0])
    return "" if grown == right else f"{grown} instructions more, not {right}"


def tree(folder):
    """Why counts of the tree are not to be trusted, or nothing."""
    for workload, batch in (("50/50", 1), ("50/50", 32), ("insert", 32)):
        setting = plan.Setting(plan.OURS, workload, 10000, batch)
        one, again, other = (
            qemu.count(folder, ["blink_lines", *setting.arguments(1000, seed)])
            for seed in (1, 1, 2)
        )
        if one != again:
            return f"the same operations: {one}, then {again}"
        if one == other:
            return "another seed changes nothing"
        if not one["prefetched"]:
            return "no prefetch is seen"
        if one["lines"] != one["leaf"] + one["level1"] + one["above"]:
            return f"lines of no level: {one}"
    return ""


def run():
    """Check all, as TAP; returns the exit status."""
    try:
        folder = qemu.build()
    except emulator.NoPlugins as error:
        print(f"1..0 # SKIP {error}")
        return 0
    results = {f"a loop: {name}": probe(folder, name) for name in PROBES}
    results["the same seed, the same counts"] = tree(folder)
    return program.tap(results)
