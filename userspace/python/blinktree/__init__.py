# SPDX-License-Identifier: GPL-2.0
"""Ordered maps in the kernel that processes share: blink_tree from Python."""

from ._abi import (
    CEILING,
    CMPERASE,
    CMPXCHG,
    ERASE,
    FLOOR,
    GET_OR_INSERT,
    INSERT,
    LOOKUP,
    POP_MAX,
    POP_MIN,
    REPLACE,
    STORE,
)
from ._commit import Commit, CommitError
from ._device import Listed, create, from_fd, info, open, trees, unlink
from ._ranges import PartsError, Range, Ranges
from ._stream import BatchError, LoadError
from ._tree import Pairs, Tree
from ._watch import Change, Overrun, Watch

__all__ = [
    "CEILING",
    "CMPERASE",
    "CMPXCHG",
    "ERASE",
    "FLOOR",
    "GET_OR_INSERT",
    "INSERT",
    "LOOKUP",
    "POP_MAX",
    "POP_MIN",
    "REPLACE",
    "STORE",
    "BatchError",
    "Change",
    "Commit",
    "CommitError",
    "Listed",
    "LoadError",
    "Overrun",
    "Pairs",
    "PartsError",
    "Range",
    "Ranges",
    "Tree",
    "Watch",
    "create",
    "from_fd",
    "info",
    "open",
    "trees",
    "unlink",
]
