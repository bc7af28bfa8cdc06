# SPDX-License-Identifier: GPL-2.0
"""The coherence misses that the paper of OLFIT expects of an operation (section 3.2).

Cha, Hwang, Kim, Kwon: "Cache-Conscious Concurrency Control of Main-Memory Indexes on
Shared-Memory Multiprocessor Systems". The model: a thread latches each node once, and a
latch is a write to the node; caches have no limit and hold all nodes; each processor
accesses a node with the same probability. A miss is an access to a node that another
processor has written since this one accessed it last.

The plugin gives each NUMA node one cache (count/count.h). So the processors of the model
are the NUMA nodes of the guest, and its misses are what the plugin calls transfers.
Levels are those of the paper: the root has level 1, a leaf has the tree's height.
"""

import math

# Entries of a node in a tree that was built by insertions, of those that it has room for.
FULL = 0.69

SCHEMES = ("olfit:lc", "olfit:tl", "olfit:ol", "olfit:no")


def height(keys, fanout):
    """The levels of a tree, as for figure 2."""
    return math.ceil(math.log(keys) / math.log(FULL * fanout))


def update(level, levels, fanout):
    """Equation (2): the probability that an insertion writes a node of this level."""
    return (1 / (FULL * fanout)) ** (levels - level)


def miss(processors, writes=1):
    """The probability of a miss in a node, of whose accesses this share writes.

    If all do, this is equation (1): (p - 1) / p. The paper has no equation for fewer.
    Looking back from an access, each one before it is by this processor (no miss), by
    another one that writes (a miss), or leaves the question to the one before it.
    """
    others = (processors - 1) * writes
    return others / (1 + others)


def written(scheme, levels, fanout, insertions):
    """The share of accesses that write, for the tree's latch and the nodes of a path."""
    inner = [insertions * update(level, levels, fanout) for level in range(1, levels + 1)]
    if scheme == "olfit:lc":
        return [1] + levels * [1]
    return [1 if scheme == "olfit:tl" else 0] + inner


def misses(scheme, processors, levels, fanout, insertions=0):
    """The expected misses of an operation: the rest are searches."""
    shares = written(scheme, levels, fanout, insertions)
    return sum(miss(processors, share) for share in shares)
