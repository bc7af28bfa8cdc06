# SPDX-License-Identifier: GPL-2.0
"""Which of Debian's kernels to test, and what became of each.

A *series* is a kernel version of one Debian and one flavour, as 6.12 of +deb12 for
PREEMPT_RT; of each the newest release is tested that can be had. A *record* is a
row of the table and of build/matrix.json.
"""

import collections
import datetime
import re

from . import stages, tap

SERIES = re.compile(r"(\d+\.\d+)\.\d+[-+](?:([a-z]+\d*)[\d.]*|\d+)-((?:rt-)?\w+)")

# The stress test has a part of its own, as both print TAP.
LATENCY = f"""{stages.JOB_AND_TESTS}
echo "stress:"
insmod $BLINK_MODDIR/module/blink_tree.ko
SECONDS=1 userspace/vm/latency userspace/tests/ioctl/run stress >$TMPDIR/latency
echo "latency:"
cat $TMPDIR/latency
"""
LARGEST = re.compile(r"# (\w+): (\d+) samples, the largest (\d+) us")


def numbers(text):
    """What versions are compared by."""
    return tuple(int(word) for word in re.findall(r"\d+", text))


def age(release):
    """What releases of one series are compared by: not the digits of amd64."""
    return numbers(release.rpartition("-")[0])


def choose(releases):
    """The suite of each series and its candidates, newest first; releases are of each suite."""
    chosen = {}
    for suite, names in releases.items():
        for match in filter(None, map(SERIES.fullmatch, names)):
            version, debian, flavour = match.groups()
            series = numbers(version), suite, debian or "", flavour
            chosen.setdefault(series, []).append(match[0])
    return [
        (series[1], sorted(chosen[series], key=age, reverse=True)) for series in sorted(chosen)
    ]


def is_rt(release):
    """Whether it is a kernel for PREEMPT_RT."""
    return "-rt-" in release


def judge(release, output, failure):
    """The results of what a guest printed."""
    rest, _, latency = output.partition("\nlatency:\n")
    job, *tests = stages.job_and_tests(rest.partition("\nstress:\n")[0], failure)
    tracers = tap.renamed(tap.parse(latency), "latency") if is_rt(release) else []
    return [job, *tap.renamed(tests, "selftests"), *tracers]


def record(suite, release, results=(), output=""):
    """What there is to keep of a kernel: results are those of its stage."""
    states = {result.name: result.state for result in results}
    tests = collections.Counter(
        result.state for result in results if result.name.startswith("selftests/")
    )
    return {
        "kernel": release,
        "suite": suite,
        "arch": release.rpartition("-")[2],
        "flavour": "rt" if is_rt(release) else "default",
        "date": datetime.date.today().isoformat(),
        "built": states.get(stages.BUILDS_WELL) == tap.PASS,
        "booted": "main job:\n" in output,
        "main_job": states.get("the main job succeeds") == tap.PASS,
        "selftests_passed": tests[tap.PASS],
        "selftests_failed": tests[tap.FAIL],
        "selftests_skipped": tests[tap.SKIPPED],
        "latency": {
            tracer: {"samples": int(count), "largest_us": int(largest)}
            for tracer, count, largest in LARGEST.findall(output)
        },
        "failures": [result.name for result in results if result.state == tap.FAIL],
    }


def row(one):
    """The cells of a record."""
    steps = [name for name in ("built", "booted", "main_job") if one[name]]
    tests = [f"{one[f'selftests_{word}']} {word}" for word in ("passed", "failed", "skipped")]
    wrong = "not ok: " + "; ".join(one["failures"]) if one["failures"] else ""
    return one["kernel"], one["suite"], one["date"], ", ".join(steps), ", ".join(tests), wrong


def table(records):
    """Lines for people: the rows, then the latencies of the rt kernels."""
    rows = [("kernel", "suite", "date", "steps", "selftests", ""), *map(row, records)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for cells in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
    for one in records:
        for tracer, found in one["latency"].items():
            yield (
                f"{one['kernel']} {tracer}: {found['samples']} samples, "
                f"the largest {found['largest_us']} us (emulated)"
            )
