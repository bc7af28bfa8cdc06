# SPDX-License-Identifier: GPL-2.0
"""What is done in the guest: rounds of the laboratory's benchmark."""

import dataclasses

INDEXES = ("blink_tree", "maple_tree", "xarray", "rbtree", "rhashtable")
WORKLOADS = (
    "insert", "lookup", "lookup-zipf", "scan", "floor", "95/5", "insert-erase", "50/50"
)  # fmt: skip
BATCH = 32


@dataclasses.dataclass(frozen=True)
class Round:
    """An index, by so many threads, with so many operations in a call."""

    index: str
    threads: int
    batch: int

    def order(self, keys, ops):
        """What to tell the laboratory."""
        return (
            f"index={self.index} threads={self.threads} batch={self.batch}"
            f" keys={keys} ops={ops}"
        )

    def __str__(self):
        batch = f" × {self.batch}" if self.batch > 1 else ""
        return f"{self.index}{batch}"


def rounds(cpus):
    """All of them: by one thread, and by one on each CPU."""
    return [
        Round(index, threads, batch)
        for threads in (1, cpus)
        for index in INDEXES
        for batch in ((1, BATCH) if index == "blink_tree" else (1,))
    ]
