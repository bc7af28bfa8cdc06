# SPDX-License-Identifier: GPL-2.0
"""The figures of the papers: the schemes, mixes, threads, batches and nodes that they compare.

A figure shows throughput, unless it has another unit. Its *baseline* is its first scheme, with
the same mix and threads, without batches, and with nodes of the first size. The figures whose
names begin with "ours" compare the papers' schemes with this tree.
"""

import dataclasses

SPEED, RETRIES, TIMES = (
    "million operations per second", "retries per read", "mean nanoseconds",
)  # fmt: skip

MCKENZIE, OLFIT, SPIDERMAN = "McKenzie 2015", "Cha et al. 2001", "Vu 2023"
RCU, MXKERNEL, OURS = "Patil, Dodeja, Jain 2023", "Mühlig 2018", "this project"


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure: its name, paper, place there, and subject; and what it compares.

    Without keys, the paper does not say how many. Node bytes of 0 are those of a scheme. The
    kinds of operations, if there are some, have a value of their own each. The operations are
    those of each thread, or shared: of all threads together. Writers are threads that change the
    index while the others read.
    """

    name: str
    paper: str
    place: str
    title: str
    schemes: tuple
    mixes: tuple
    threads: tuple
    keys: int = 1000000
    batches: tuple = (1,)
    node_bytes: tuple = (0,)
    unit: str = SPEED
    kinds: tuple = ()
    ops: int = 200000
    shared: bool = False
    writers: int = 0


# Schemes without concurrency control. They execute changes with one thread alone.
ALONE = ("olfit:no", "olfit:csb-no")

FOURS, TO_8, TO_16 = (4, 8, 12, 16, 20, 24, 28, 32), (1, 2, 4, 6, 8), tuple(range(1, 17))
# The size that figure 4.2 chooses: "used for the remaining experiments".
PAGE = 131072
# In OLFIT's paper a node of 128 bytes has 14 entries, which is the default of its schemes here,
# where keys and values have 8 bytes each instead of 4. As many entries make trees of the same
# height and leaves that are split as often, and with as many bytes a node would have 4. So
# figure 6 has nodes with the entries of 128, 256, 384 and 512 bytes there.
OLFIT_NODES = tuple(56 + 16 * entries for entries in (14, 30, 46, 62))
NUMA_MIXES = tuple(f"numa-{100 - share}-{share}" for share in range(0, 26, 5))
OLFIT_MIXES = ("olfit-search", *(f"olfit-{n}" for n in (20, 40, 60, 80)), "olfit-update")


def prefixed(prefix, names):
    """Names of schemes of a paper."""
    return tuple(prefix + name for name in names.split())


def mckenzie(number, title, schemes, mixes=("numa-100-0",), **more):
    """A figure of McKenzie's thesis."""
    more = {"threads": FOURS, "node_bytes": (PAGE,), **more}
    return Figure(f"numa-{number}", MCKENZIE, f"figure {number}", title,
                  prefixed("mckenzie:", schemes), mixes, **more)  # fmt: skip


def olfit(number, part, title, schemes, mixes, threads):
    """A figure of OLFIT's paper: (a) for a B+-tree, and (b) for a full CSB+-tree."""
    for end, place, prefix in (("", part, "olfit:"), ("-csb", " (b)", "olfit:csb-")):
        yield Figure(f"olfit-{number}{end}", OLFIT, f"figure {number}{place}",
                     title + (", full CSB+-tree" if end else ""), prefixed(prefix, schemes),
                     mixes, threads, keys=10000000)  # fmt: skip


# The paper has fifty million. With ten the tree is as high, and no cache holds it either.
SPIDERMAN_KEYS = 10000000


def spiderman(number, workload):
    """A figure of Spiderman's with options 1, 2 and 3; and option 1, which section 5.2 leaves."""
    return Figure(f"spiderman-{number}", SPIDERMAN, f"figure {number}",
                  f"two phases, workload {workload}", prefixed("spiderman:", "none 1 123"),
                  (f"spiderman-{workload.lower()}",), (1, 4, 16), keys=SPIDERMAN_KEYS,
                  batches=(1, 8, 16))  # fmt: skip


def ours(name, title, schemes, mixes, **more):
    """Schemes of a paper beside this tree."""
    more = {"threads": (1, 2, 4, 8, 16), **more}
    return Figure(f"ours-{name}", OURS, "lab", title, tuple(schemes.split()), mixes, **more)


REPLICATED = "replicated-local lock-free+local numa-rw+local granular+local"
LATCHED = "tl lc vn vt ol"

FIGURES = {figure.name: figure for figure in (
    mckenzie("4.2", "size of pages", "original", threads=(4,),
             node_bytes=tuple(2**n for n in range(12, 19))),
    mckenzie("4.3", "each technique, reads alone",
             "original lock-free numa-rw replicated-local granular"),
    mckenzie("4.4", "each technique, 25 % insertions",
             "original lock-free numa-rw lock-free+numa-rw granular", ("numa-75-25",)),
    mckenzie("4.5", "retries of a lock-free read", "lock-free", NUMA_MIXES, threads=(4,),
             unit=RETRIES),
    mckenzie("4.6", "replication with other techniques, reads alone", REPLICATED),
    mckenzie("4.7", "updates of one copy and of all copies",
             "replicated-all replicated-local original", ("numa-75-25",)),
    mckenzie("4.8", "replication with other techniques, 25 % insertions", REPLICATED,
             ("numa-75-25",)),
    Figure("olfit-6", OLFIT, "figure 6", "size of nodes, eight threads", ("olfit:ol",),
           ("olfit-search", "olfit-insert"), (8,), keys=10000000, node_bytes=OLFIT_NODES),
    *olfit(7, " (a)", "searches alone", f"no {LATCHED}", ("olfit-search",), TO_8),
    *olfit(8, " (a)", "insertions and deletions", LATCHED, ("olfit-update",), TO_8),
    *olfit(9, " (a)", "share of updates, one thread", f"no {LATCHED}", OLFIT_MIXES, (1,)),
    *olfit(10, " (a)", "share of updates, eight threads", LATCHED, OLFIT_MIXES, (8,)),
    *(spiderman(number, workload) for number, workload in zip((9, 10, 11, 12), "ABCD")),
    Figure("spiderman-13", SPIDERMAN, "figure 13", "prefetch options, workload A",
           prefixed("spiderman:", "none 1 12 13 23 123 4 24"), ("spiderman-a",), (4,),
           keys=SPIDERMAN_KEYS, batches=(16,)),
    Figure("rcu-ycsb", RCU, "section 5 a", "YCSB, 90 % reads, 5 % updates, 5 % insertions",
           prefixed("rcu:", "rwlock occ path replace replace-deferred"), ("rcu-ycsb",), TO_8,
           keys=100000),
    # Insertions are one in 1102 operations.
    Figure("rcu-project", RCU, "section 5 b", "time of each operation",
           prefixed("rcu:", "path replace replace-deferred rwlock spread occ"),
           ("rcu-project",), (8,), keys=500000, unit=TIMES,
           kinds=("read", "scan", "insert", "erase"), ops=1200000),
    # The paper has 10000 readers and 100 writers, and no more CPUs than the figure above.
    Figure("rcu-roles", RCU, "section 5 b", "the same, readers and a writer",
           prefixed("rcu:", "path replace replace-deferred rwlock spread occ"),
           ("rcu-project",), (8,), keys=500000, unit=TIMES,
           kinds=("read", "scan", "insert", "erase"), writers=1),
    # The paper begins with an empty tree; here are two keys for each thread.
    Figure("mxkernel-3", MXKERNEL, "figure 3", "insertions by tasks and by threads",
           prefixed("mxkernel:", "threads cores sync"), ("mxkernel",), TO_16, keys=32,
           batches=(1, 64), ops=5000000, shared=True),
    ours("reads", "lock-free reads against latches",
         "mckenzie:original mckenzie:numa-rw mckenzie:lock-free blink_tree",
         ("numa-100-0", "numa-75-25")),
    ours("replicas", "an index or a tree for each NUMA node",
         "blink_tree blink_tree:inner blink_tree:full mckenzie:replicated-all",
         ("numa-75-25",)),
    ours("batches", "two phases against one descent",
         "blink_tree two-phase:123 two-phase:4", ("spiderman-a", "spiderman-c"),
         batches=(1, 8, 16)),
    ours("olfit", "the loads of OLFIT",
         "olfit:ol olfit:csb-ol blink_tree", OLFIT_MIXES, threads=TO_8, keys=10000000),
    ours("copies", "copies of paths against changes in place",
         "rcu:path rcu:replace-after olfit:vn olfit:ol blink_tree",
         ("rcu-ycsb", "ycsb-a", "ycsb-c")),
    ours("tasks", "tasks against locks", "mxkernel:threads mxkernel:sync blink_tree",
         ("mxkernel", "50/50"), batches=(1, 64)),
)}  # fmt: skip

# What `lab run` measures, in the form of a figure.
ASKED = Figure("run", "no paper", "lab run", "as asked for", (), (), ())
