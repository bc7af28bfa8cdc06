# SPDX-License-Identifier: GPL-2.0
"""Which of Debian's kernels to test, and what became of each.

A *series* is a kernel version of one Debian and one flavour, as 6.12 of +deb12 for
PREEMPT_RT; of each the newest release is tested that can be had. A *record* is a
row of the table and of build/matrix.json.
"""

import dataclasses
import re

from . import klog, tap

RELEASE = re.compile(
    r"(?P<version>\d+\.\d+)\.\d+[-+](?:(?P<debian>[a-z]+\d*)[\d.]*|\d+)-"
    r"(?P<rt>rt-)?(?P<arch>\w+)"
)

# What a guest prints between its parts.
MARK = "matrix: "


@dataclasses.dataclass(frozen=True)
class Series:
    """What a release is the newest of."""

    suite: str
    version: str
    debian: str
    flavour: str
    arch: str

    def order(self):
        """A key that sorts as people would."""
        return (numbers(self.version), self.suite, self.debian, self.flavour, self.arch)


def numbers(text):
    """What versions are compared by."""
    return tuple(int(word) for word in re.findall(r"\d+", text))


def age(release):
    """What releases of one series are compared by: not the digits of amd64."""
    return numbers(release.rpartition("-")[0])


def series_of(release, suite):
    """The series of a release, or nothing if its name is of another kind."""
    match = RELEASE.fullmatch(release)
    if not match:
        return None
    flavour = "rt" if match["rt"] else "default"
    return Series(suite, match["version"], match["debian"] or "", flavour, match["arch"])


def choose(releases):
    """The candidates of each series, newest first; releases are of each suite."""
    chosen = {}
    for suite, names in releases.items():
        for name in names:
            series = series_of(name, suite)
            if series:
                chosen.setdefault(series, []).append(name)
    return [
        (series, sorted(chosen[series], key=age, reverse=True))
        for series in sorted(chosen, key=Series.order)
    ]


def questions(suite, arch):
    """What to ask ../release for the releases to choose from.

    Without an architecture that is all for amd64, and one for arm64.
    """
    if arch == "arm64":
        return [("list", f"{suite}:arm64")]
    if not arch and suite == "bookworm":
        return [("list", suite), ("newest", f"{suite}:arm64")]
    return [("list", suite)]


@dataclasses.dataclass
class Record:
    """A row. Unless all of a step is well, those after it are not reached."""

    kernel: str
    suite: str
    arch: str = ""
    flavour: str = ""
    date: str = ""
    built: bool = False
    booted: bool = False
    main_job: bool = False
    selftests_passed: int = 0
    selftests_failed: int = 0
    selftests_skipped: int = 0
    reports: int = 0
    latency: dict = dataclasses.field(default_factory=dict)
    failures: list = dataclasses.field(default_factory=list)

    def good(self):
        """Whether all is well."""
        return (
            self.built
            and self.booted
            and self.main_job
            and self.selftests_passed > 0
            and not self.selftests_failed
            and not self.reports
            and not self.failures
        )


def parts_of(output):
    """What a guest printed in each of its parts."""
    parts, name = {}, ""
    for line in output.splitlines():
        if line.startswith(MARK):
            name = line[len(MARK) :]
        parts.setdefault(name, []).append(line)
    return {name: "\n".join(lines) for name, lines in parts.items()}


LATENCY = re.compile(r"# (\w+): (\d+) samples, the largest (\d+) us")


def judge(record, output, outcome):
    """Fill in what a run of the guest tells; outcome is that of harness.guest."""
    parts = parts_of(output)
    record.booted = "main job" in parts
    record.main_job = "\nmain job: ok" in parts.get("main job", "")
    if "selftests" in parts:
        results = tap.parse(parts["selftests"])
        states = [result.state for result in results]
        record.selftests_passed = states.count(tap.PASS)
        record.selftests_failed = states.count(tap.FAIL)
        record.selftests_skipped = states.count(tap.SKIPPED)
        record.failures += [r.name for r in results if r.state == tap.FAIL]
    if record.flavour == "rt":
        judge_latency(record, parts.get("latency", ""))
    reports = klog.reports(outcome.log)
    record.reports = len(reports)
    lines = outcome.log.splitlines()
    record.failures += [klog.plain(lines[number]) for number in reports[:3]]
    if outcome.failure:
        record.failures.append(outcome.failure)


def judge_latency(record, text):
    """Each tracer that the kernel has must have recorded something."""
    for tracer, count, largest in LATENCY.findall(text):
        record.latency[tracer] = {"samples": int(count), "largest_us": int(largest)}
    for result in tap.parse(text):
        if result.state == tap.FAIL:
            record.failures.append(f"latency: {result.name} {result.detail}".strip())
    if not record.latency:
        record.failures.append("latency: no tracer ran")


HEADINGS = (
    "kernel", "suite", "date", "built", "booted", "main job", "selftests", "reports", ""
)  # fmt: skip


def row(record):
    """The cells of a record."""
    tests = f"{record.selftests_passed} passed, {record.selftests_failed} failed"
    if record.selftests_skipped:
        tests += f", {record.selftests_skipped} skipped"

    def word(good):
        return "yes" if good else "no"

    return (
        record.kernel,
        record.suite,
        record.date,
        word(record.built),
        word(record.booted),
        "ok" if record.main_job else "failed",
        tests,
        str(record.reports),
        "" if record.good() else "not ok: " + ("; ".join(record.failures) or "see its log"),
    )


def table(records):
    """Lines for people: the rows, then the latencies of the rt kernels."""
    rows = [HEADINGS, *map(row, records)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for cells in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
    for record in records:
        for tracer, found in record.latency.items():
            yield (
                f"{record.kernel} {tracer}: {found['samples']} samples, "
                f"the largest {found['largest_us']} us (emulated)"
            )
