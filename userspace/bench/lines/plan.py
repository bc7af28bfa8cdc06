# SPDX-License-Identifier: GPL-2.0
"""What is counted: settings, each a workload of an index."""

import dataclasses

OURS = "blink_tree"
PEERS = ("maple_tree", "rbtree", "xarray")
WORKLOADS = ("lookup", "insert", "50/50", "scan", "scan-desc")
BATCHES = (1, 8, 32, 64)
KEYS = (10000, 1000000)
# More random keys than this need too much memory in an xarray.
XARRAY_MOST = 100000
# A scan refers to about as many lines as so many lookups.
SCAN_SHARE = 10


@dataclasses.dataclass(frozen=True)
class Setting:
    """A workload of an index with so many keys, and so many operations in a call."""

    index: str
    workload: str
    keys: int
    batch: int

    def operations(self, ops):
        """How many, in whole batches: insertions add a tenth of the keys at most."""
        if self.workload.startswith("scan"):
            ops //= SCAN_SHARE
        elif self.workload != "lookup":
            ops = min(ops, self.keys // 10)
        return -(-ops // max(BATCHES)) * max(BATCHES)

    def arguments(self, ops, seed):
        """Those of blink_lines."""
        words = (self.index, self.workload, self.keys, self.batch, self.operations(ops), seed)
        return [str(word) for word in words]

    def __str__(self):
        batch = f" × {self.batch}" if self.batch > 1 else ""
        return f"{self.index}{batch}"


def has(index, workload, batch):
    """Whether the index has a call for it."""
    if batch > 1:
        return index == OURS and not workload.startswith("scan")
    return index == OURS or workload != "scan-desc"


def settings(keys):
    """All of them, workload by workload."""
    return [
        Setting(index, workload, number, batch)
        for number in keys
        for workload in WORKLOADS
        for index in (OURS, *PEERS)
        for batch in BATCHES
        if has(index, workload, batch)
        and not (index == "xarray" and number > XARRAY_MOST)
    ]
