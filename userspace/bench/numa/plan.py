# SPDX-License-Identifier: GPL-2.0
"""What is done in a guest: probes, whose counts are known, and runs."""

import dataclasses

# How a tree is replicated; see table.LEGEND.
REPLICATIONS = ("none", "inner", "full", "local-only")
LOCKINGS = ("plain", "cohort")
MIXES = (100, 95, 75, 0)
QUICK_MIXES = (95,)
WRITES_MIX = 50
LOCKS = ("plain", "cohort", "textbook")
ROUNDS = 20000

PROBE_LOADS = 1000
PROBE_STORES = 100


@dataclasses.dataclass(frozen=True)
class Probe:
    """A CPU that reads and writes a page of a NUMA node."""

    cpu: int
    node: int
    local: bool

    def order(self):
        """What to tell the laboratory."""
        return (
            f"probe cpu={self.cpu} node={self.node}"
            f" loads={PROBE_LOADS} stores={PROBE_STORES}"
        )

    def complaint(self, dump):
        """How the counts differ from the truth; nothing if they do not."""
        wanted = {
            "loads": [PROBE_LOADS, 0] if self.local else [0, PROBE_LOADS],
            "stores": [PROBE_STORES, 0] if self.local else [0, PROBE_STORES],
        }
        rows = [row for row in dump if row.get("kind") == "probe"]
        found = [{key: row[key] for key in wanted} for row in rows]
        if found == [wanted]:
            return ""
        return (
            f"CPU {self.cpu} and a page of node {self.node}:"
            f" {found or 'nothing'} was counted, {wanted} is right"
        )


@dataclasses.dataclass(frozen=True)
class Run:
    """A tree and a mix: lookups of a hundred operations, the rest updates."""

    replication: str
    locking: str
    lookups: int
    limited: bool = False
    drain: bool = False

    def order(self, keys, ops):
        """What to tell the laboratory."""
        return (
            f"run replication={self.replication} locking={self.locking}"
            f" lookups={self.lookups} keys={keys} ops={ops} seed=1 limit={2 * keys * self.limited}"
            f" drain={int(self.drain)}"
        )

    def mix(self):
        """As people write it."""
        if self.drain:
            return "drain"
        return f"{self.lookups}/{100 - self.lookups}"

    def __str__(self):
        limit = ", max_entries" if self.limited else ""
        return f"{self.replication}, {self.locking}, {self.mix()}{limit}"


@dataclasses.dataclass(frozen=True)
class LockBench:
    """A lock that one CPU takes again and again, or all of them at once."""

    lock: str
    alone: bool

    def order(self):
        """What to tell the laboratory."""
        return f"lock_bench lock={self.lock} alone={int(self.alone)} rounds={ROUNDS}"

    def __str__(self):
        return f"lock, {self.lock}, {'alone' if self.alone else 'wanted by all'}"


def probes(nodes, cpus):
    """One for each CPU and NUMA node."""
    return [
        Probe(cpu, node, cpu // (cpus // nodes) == node)
        for cpu in range(cpus)
        for node in range(nodes)
    ]


def complaint(probes, found):
    """The self-check: how a count differs from the truth; nothing if none does."""
    for probe, (outcome, dump) in zip(probes, found):
        if outcome.error:
            return f"{probe.order()}: {outcome.error}"
        wrong = probe.complaint(dump)
        if wrong:
            return f"the self-check failed: {wrong}"
    return ""


def runs(quick):
    """One for each mix and kind of tree."""
    return [
        Run(replication, locking, lookups)
        for lookups in (QUICK_MIXES if quick else MIXES)
        for replication in REPLICATIONS
        for locking in LOCKINGS
    ]


def writes():
    """Two for each kind of tree that CPUs share, without max_entries and with it.

    A mix, and erasing all, which merges every leaf.
    """
    return [
        Run(replication, "plain", WRITES_MIX, limited, drain)
        for replication in REPLICATIONS
        if replication != "local-only"
        for limited in (False, True)
        for drain in (False, True)
    ]


def lock_benches():
    """Each kind of lock, with and without others who want it."""
    return [LockBench(lock, alone) for alone in (True, False) for lock in LOCKS]
