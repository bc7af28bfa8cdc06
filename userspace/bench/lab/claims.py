# SPDX-License-Identifier: GPL-2.0
"""The claims of the papers, as tests that judge.py can decide.

A *test* is about cells of a figure and says what is true of them:

  greater, less, about, exactly  the ratio to the baseline is greater than the number, or less;
                                 within a fifth of it; or the paper gives the number as such
  best, worst                    it is the best, or the worst, of those that differ only in
                                 what the test names (the scheme)
  grows, falls                   the value (or the ratio) of the last cell along threads or
                                 mixes is greater than that of the first, or less

Ratios can be to another scheme of the figure (to), or to a ratio in another figure (beside).
Without threads, a test is about all numbers of threads that the figure has. If the machine has
too few CPUs for a test, the most threads here decide about the direction; not if a test is
strict, as are those about a number of threads at which the direction changes.

McKenzie gives no number of threads for the ratios of figure 4.4: here it is 32, as for figure
4.3. Patil, Dodeja and Jain give the times of two techniques on a machine with 72 cores:
NoLocks copies the path, RCU a node. Mühlig gives no number of cores for the higher throughput:
here it is 8, as threads are fastest with four cores, and tasks with eight or nine.
"""

import dataclasses

from .figures import OLFIT_MIXES, OLFIT_NODES, PAGE


@dataclasses.dataclass(frozen=True)
class Test:
    """A relation of cells; what is None or empty stands for all that the figure has."""

    relation: str
    figure: str
    scheme: str
    number: float = 1
    said: str = ""
    mixes: tuple = ()
    threads: int = 0
    batches: tuple = ()
    node_bytes: int = 0
    kind: str = ""
    to: str = ""
    beside: tuple = ()
    along: str = "scheme"
    of: str = "value"
    strict: bool = False


@dataclasses.dataclass(frozen=True)
class Count:
    """A relation of what `make lab-numa` counts, to another scheme or to the paper's model."""

    relation: str
    figure: str
    scheme: str
    to: str = ""
    number: float = 1
    mix: str = ""
    of: str = "transfers_per_op"


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim, in short; its place in the paper; and the tests that must all be true.

    It can need NUMA nodes. The same of counts is an answer of its own.
    """

    name: str
    text: str
    place: str
    tests: tuple
    nodes: int = 1
    counts: tuple = ()


UPDATE = ("olfit-update",)
# In place of a scheme: what the equations of OLFIT's paper predict.
MODEL = "model"
SEPARATE = (
    "23×, 9×, 8× for Lock-Free Reads, NUMA-aware Reader/Writer Locks and Replication with 32"
    " client threads respectively"
)
WITH_UPDATES = "3× for Lock-Free Reads and 5× for NUMA-aware Reader/Writer Locks"
LIKE_NO = (
    "The OLFIT (OL) and the physical versioning schemes (VN, VT) are similar to the no"
    " concurrency control (NO)"
)
ALONE = (
    "the OLFIT (OL) and the tree-level locking (TL) are similar to the no concurrency control (NO)"
)
SHARP = "their throughput drops sharply due to the high overhead of versioning"
HEAVIER = "the versioning overhead is even heavier for the CSB+-tree"
SCALABLE = "only OLFIT (OL) shows a scalable performance"
BETTER = "OL becomes significantly better than any other"
OF_ONE = "batching size 1 always perform worse than the original program"
LEAST = "The least throughput is of the RW Lock"
TASKS = "the MxKernel achieved a higher throughput on the B-link-tree"


def tests(relation, figure, schemes, *args, **more):
    """The same test of several schemes of a paper, with its prefix or without."""
    prefix = {"numa": "mckenzie:", "olfit": "olfit:", "rcu": "rcu:", "mxkernel": "mxkernel:",
              "spiderman": "spiderman:"}.get(figure.split("-")[0], "")  # fmt: skip
    more = {**more, **{
        name: prefix + more[name] for name in ("to",) if more.get(name)
    }}  # fmt: skip
    return tuple(Test(relation, figure, prefix + s, *args, **more) for s in schemes.split())


def gain(figure, percent):
    """A gain of two phases: with one thread, and with four."""
    def said(number, sizes):
        return f"a {number}% increase in throughput [...] with batch size {sizes}"

    one, four = percent
    found = tests("exactly", figure, "123", 1 + one / 100, said(one, "8 and 16"), threads=1,
                  batches=(8, 16))  # fmt: skip
    if four:
        found += tests("exactly", figure, "123", 1 + four / 100, said(four, "16"), threads=4,
                       batches=(16,), strict=True)  # fmt: skip
    return found


def rcu_time(kind, rcu, no_locks):
    """A mean time of RCU beside that of NoLocks."""
    return tests("exactly", "rcu-project", "replace", rcu / no_locks,
                 f"RCU: mean {rcu:.6f} ms; NoLocks: mean {no_locks:.6f} ms", kind=kind)


CLAIMS = (
    Claim("N1", "Pages of 128 kB are the fastest (reads).", "McKenzie 4.3, figure 4.2",
          tests("best", "numa-4.2", "original", 1, "A page size of 128 kB [...] gave the highest"
                " throughput results", node_bytes=PAGE, along="node_bytes")),
    Claim("N2", "Lock-free reads are the fastest, almost linear in threads.",
          "McKenzie 4.4, figure 4.3",
          tests("exactly", "numa-4.3", "lock-free", 23, SEPARATE, threads=32)
          + tests("best", "numa-4.3", "lock-free", threads=32)
          + tests("grows", "numa-4.3", "lock-free", along="threads")),
    Claim("N3", "NUMA-aware reader/writer locks help readers.", "McKenzie 4.4, figure 4.3",
          tests("exactly", "numa-4.3", "numa-rw", 9, SEPARATE, threads=32), nodes=2),
    Claim("N4", "A copy for each NUMA node helps readers.", "McKenzie 4.4, figure 4.3",
          tests("exactly", "numa-4.3", "replicated-local", 8, SEPARATE, threads=32), nodes=2,
          counts=(Count("less", "numa-4.3", "mckenzie:replicated-local", "mckenzie:original",
                        of="remote_per_op"),)),
    Claim("N5", "Granular locking performs very poorly.", "McKenzie 4.4, figure 4.3",
          tests("less", "numa-4.3", "granular", 1, "Granular Locking performs very poorly")
          + tests("worst", "numa-4.3", "granular")),
    Claim("N6", "With 25 % insertions, lock-free reads help less.", "McKenzie 4.4, figure 4.4",
          tests("exactly", "numa-4.4", "lock-free", 3, WITH_UPDATES, threads=32)
          + tests("less", "numa-4.4", "lock-free", threads=32,
                  beside=("numa-4.3", "mckenzie:lock-free"))),
    Claim("N7", "There, NUMA-aware locks help more than lock-free reads.",
          "McKenzie 4.4, figure 4.4",
          tests("exactly", "numa-4.4", "numa-rw", 5, WITH_UPDATES, threads=32)
          + tests("greater", "numa-4.4", "numa-rw", threads=32, to="lock-free"), nodes=2),
    Claim("N8", "Both together are the best.", "McKenzie 4.4, figure 4.4",
          tests("exactly", "numa-4.4", "lock-free+numa-rw", 7, "the best performance (7× more"
                " operations than the Original Code)", threads=32)
          + tests("best", "numa-4.4", "lock-free+numa-rw", threads=32), nodes=2),
    Claim("N9", "With 25 % insertions, granular locking performs badly.",
          "McKenzie 4.4, figure 4.4",
          tests("less", "numa-4.4", "granular", 1, "Granular Locking performs badly once again")),
    Claim("N10", "A lock-free read is repeated rarely; retries grow with updates.",
          "McKenzie 4.5, figure 4.5",
          tests("less", "numa-4.5", "lock-free", 5, "the number of retries per read operation is"
                " less than 5", mixes=("numa-75-25",))
          + tests("grows", "numa-4.5", "lock-free", along="mix")),
    Claim("N11", "With copies, each technique is better than copies alone; lock-free reads are"
          " the best (reads).", "McKenzie 4.6, figure 4.6",
          tests("greater", "numa-4.6", "numa-rw+local", 1,
                "improvement over just replication alone")
          + tests("greater", "numa-4.6", "lock-free+local", 1,
                  "Lock-Free Reads therefore perform the best for this workload")
          + tests("best", "numa-4.6", "lock-free+local"), nodes=2),
    Claim("N12", "With copies, granular locking is comparable to the others (reads).",
          "McKenzie 4.6, figure 4.6",
          tests("about", "numa-4.6", "granular+local", 1,
                "now becomes comparable to the other schemes"), nodes=2),
    Claim("N13", "An update of the own copy alone is much faster than one of all copies.",
          "McKenzie 4.6, figure 4.7",
          tests("exactly", "numa-4.7", "replicated-local", 83, "83× more operations per second"
                " than strongly consistent inserts", threads=32), nodes=2,
          counts=(Count("less", "numa-4.7", "mckenzie:replicated-local",
                        "mckenzie:replicated-all"),)),
    Claim("N14", "Without copies, updates are ten times faster than updates of all copies.",
          "McKenzie 4.6, figure 4.7",
          tests("exactly", "numa-4.7", "original", 10, "the Original Code even providing an order"
                " of magnitude more", threads=32), nodes=2,
          counts=(Count("less", "numa-4.7", "mckenzie:original", "mckenzie:replicated-all"),)),
    Claim("N16", "Replication would not be recommended, for its updates (here: of this tree).",
          "McKenzie, chapter 5",
          (Test("less", "ours-replicas", "blink_tree:full"),), nodes=2),
    Claim("N17", "Ours: lock-free reads are faster than latches of readers.", "this project",
          (Test("greater", "ours-reads", "mckenzie:lock-free", to="mckenzie:numa-rw"),
           Test("best", "ours-reads", "blink_tree"))),
    Claim("O1", "Searches with OL, VN and VT are as fast as without concurrency control.",
          "OLFIT 6.1, figure 7 (a)",
          tests("about", "olfit-7", "ol vn vt", 1, LIKE_NO)),
    Claim("O2", "On the CSB+-tree the gap between OL and NO is wider.",
          "OLFIT 6.1, figure 7 (b)",
          tests("less", "olfit-7-csb", "csb-ol", 1, "The gap between OL and NO on the CSB+-Tree is"
                " wider", beside=("olfit-7", "olfit:ol"))),
    Claim("O3", "TL becomes worse with more threads.", "OLFIT 6.1, figure 7",
          tests("less", "olfit-7", "tl", 1, "(TL) becomes worse as the number of threads"
                " increases", threads=8)
          + tests("falls", "olfit-7", "tl", along="threads", of="ratio")),
    Claim("O4", "LC is the worst, and its gap to NO widens with threads.",
          "OLFIT 6.1, figure 7",
          tests("worst", "olfit-7", "lc", 1, "The performance of the lock coupling (LC) is worst",
                threads=8)
          + tests("falls", "olfit-7", "lc", along="threads", of="ratio")
          + tests("worst", "olfit-7-csb", "csb-lc", threads=8)),
    Claim("O5", "For updates, only OL is scalable.", "OLFIT 6.2, figure 8",
          sum((tests("greater", figure, scheme, 1, SCALABLE, threads=8)
               + tests("best", figure, scheme, threads=8)
               + tests("grows", figure, scheme, along="threads")
               for figure, scheme in (("olfit-8", "ol"), ("olfit-8-csb", "csb-ol"))), ())),
    Claim("O6", "For updates, VN is better than VT.", "OLFIT 6.2, figure 8",
          tests("greater", "olfit-8", "vn", threads=8, to="vt")),
    Claim("O7", "One thread: OL and TL are as fast as NO for all shares of updates.",
          "OLFIT 6.3, figure 9 (a)", tests("about", "olfit-9", "ol tl", 1, ALONE)),
    Claim("O8", "One thread: LC is worse than OL and TL.", "OLFIT 6.3, figure 9",
          tests("less", "olfit-9", "lc", 1, "The lock coupling (LC) shows worse performance than"
                " OL and TL", to="ol") + tests("less", "olfit-9", "lc", to="tl")),
    Claim("O9", "VN and VT drop sharply as updates grow.", "OLFIT 6.3, figure 9 (a)",
          tests("less", "olfit-9", "vn vt", 1, SHARP, mixes=UPDATE)
          + tests("falls", "olfit-9", "vn vt", along="mix", of="ratio")),
    Claim("O10", "They drop more on the CSB+-tree, which copies a node group.",
          "OLFIT 6.3, figure 9 (b)",
          tests("less", "olfit-9-csb", "csb-vn", 1, HEAVIER, mixes=UPDATE,
                beside=("olfit-9", "olfit:vn"))
          + tests("less", "olfit-9-csb", "csb-vt", 1, HEAVIER, mixes=UPDATE,
                  beside=("olfit-9", "olfit:vt"))),
    Claim("O11", "With more updates, OL becomes better than all others (eight threads).",
          "OLFIT 6.3, figure 10",
          sum((tests("greater", figure, scheme, 1, BETTER, mixes=UPDATE)
               + tests("best", figure, scheme, mixes=UPDATE)
               for figure, scheme in (("olfit-10", "ol"), ("olfit-10-csb", "csb-ol"))), ())),
    Claim("O12", "Eight threads: VT begins better than TL, and crosses it above 20 %.",
          "OLFIT 6.3, figure 10 (a)",
          tests("greater", "olfit-10", "vt", 1, "VT is slightly better than TL",
                mixes=("olfit-20",))
          + tests("less", "olfit-10", "vt", 1, "eventually crosses TL due to the high cost of"
                  " versioning", mixes=UPDATE)),
    Claim("O13", "Eight threads, CSB+-tree: VN and VT are worse than TL above 20 % updates.",
          "OLFIT 6.3, figure 10 (b)",
          tests("less", "olfit-10-csb", "csb-vn csb-vt", 1, "VN and VT are even worse than TL as"
                " the update ratio exceeds 20%", mixes=OLFIT_MIXES[2:])),
    Claim("O14", "A latched node misses the cache with probability (p - 1) / p for p processors.",
          "OLFIT 3.2, formula 1", (),
          counts=(Count("about", "olfit-model", "olfit:lc", MODEL, mix="olfit-search"),
                  Count("less", "olfit-model", "olfit:ol", number=0.01, mix="olfit-search"))),
    Claim("O15", "Even with insertions alone, most inner nodes are only read.",
          "OLFIT 3.2, formula 2 and figure 2", (),
          counts=(Count("about", "olfit-model", "olfit:ol", MODEL, mix="olfit-insert"),)),
    Claim("O16", "Nodes of two cache lines, 14 entries, are the fastest.", "OLFIT 6, figure 6",
          tests("best", "olfit-6", "ol", 1, "The 128-byte node is the best", threads=8,
                node_bytes=OLFIT_NODES[0], along="node_bytes")),
    Claim("O17", "Ours: this tree is faster than OL, on either tree, with the loads of OLFIT.",
          "this project", (Test("best", "ours-olfit", "blink_tree"),)),
    Claim("S1", "Half insertions: two phases gain 18 % with one thread, 15 % with four, and lose"
          " with sixteen.", "Spiderman 4.2.1, figure 9",
          gain("spiderman-9", (18, 15))
          + tests("less", "spiderman-9", "123", 1, "a decrease in throughput [...] with any batch"
                  " sizes", threads=16, strict=True)),
    Claim("S2", "Insertions: 30 %, 15 %, similar.", "Spiderman 4.2.1, figure 10",
          gain("spiderman-10", (30, 15))
          + tests("about", "spiderman-10", "123", 1, "a similar throughput [...] with batch size 8",
                  threads=16, batches=(8,), strict=True)),
    Claim("S3", "Reads: 6 %, similar, slightly less.", "Spiderman 4.2.1, figure 11",
          gain("spiderman-11", (6, 0))
          + tests("about", "spiderman-11", "123", 1, "a similar throughput [...] with batch size 8",
                  threads=4, batches=(8,), strict=True)
          + tests("less", "spiderman-11", "123", 1, "a slight decrease in throughput [...] with"
                  " any batch sizes", threads=16, strict=True)),
    Claim("S4", "Scans: less, with any batch.", "Spiderman 4.2.1, figure 12",
          tests("less", "spiderman-12", "123", 1, "a decrease in throughput in all the programs"
                " [...] with any batch sizes")),
    Claim("S5", "Batches of one are always worse than none.", "Spiderman 4.2.2",
          sum((tests("less", f"spiderman-{n}", "123", 1, OF_ONE, batches=(1,))
               for n in (9, 10, 11, 12)), ())),
    Claim("S6", "Prefetching the whole node is the worst option, worse than no batches.",
          "Spiderman 4.3, figure 13",
          tests("less", "spiderman-13", "4", 1, "worse than every other strategies, including no"
                " batching") + tests("worst", "spiderman-13", "4")),
    Claim("S7", "Options 1, 2 and 3 together are worse than option 1.",
          "Spiderman 4.3, figure 13", tests("less", "spiderman-13", "123", to="1")),
    Claim("S8", "Ours: one descent for a batch is better than two.", "this project; Spiderman 5.2",
          (Test("best", "ours-batches", "blink_tree", batches=(8, 16)),)),
    Claim("R1", "The reader/writer lock has the least throughput.", "RCU 5 a",
          tests("greater", "rcu-ycsb", "occ path replace", 1, LEAST, threads=8)),
    Claim("R2", "OCC is better than the reader/writer lock.", "RCU 5 a",
          tests("greater", "rcu-ycsb", "occ", 1, "OCC works better than RW Lock", threads=8)),
    Claim("R3", "Path copying and RCU have the same throughput (72 cores).", "RCU 5 a",
          tests("about", "rcu-ycsb", "replace", threads=72, to="path", strict=True)),
    Claim("R4", "Queries take the least time with path copying and with RCU.", "RCU 5 b",
          sum((tests("greater", "rcu-project", "rwlock spread occ", kind=kind, to=other)
               for kind in ("read", "scan") for other in ("path", "replace")), ())),
    Claim("R5", "Insertions with OCC take less time than with the reader/writer lock.", "RCU 5 b",
          tests("less", "rcu-project", "occ", kind="insert", to="rwlock")),
    Claim("R6", "Insertions with distributed counters take longer.", "RCU 5 b",
          tests("greater", "rcu-project", "spread", kind="insert", to="rwlock")),
    Claim("R7", "Reads: RCU 0.550 µs, path copying 0.546 µs; ranges 2.759 and 2.452.", "RCU 5 b",
          rcu_time("read", 0.000550, 0.000546) + rcu_time("scan", 0.002759, 0.002452)),
    Claim("R8", "Updates: RCU 1.573 µs an insertion, 0.641 a removal; path copying 308.7 and"
          " 58.7.", "RCU 5 b",
          rcu_time("insert", 0.001573, 0.308746) + rcu_time("erase", 0.000641, 0.058701)),
    Claim("R9", "With many threads all lines converge.", "RCU 5 a",
          tests("about", "rcu-ycsb", "occ path replace", threads=72, strict=True)),
    Claim("R10", "Ours: changes in place are better than copies of paths.", "this project",
          (Test("greater", "ours-copies", "olfit:ol"), Test("best", "ours-copies", "blink_tree"))),
    Claim("R11", "Future work: with call_rcu() updates are faster.", "RCU 7",
          tests("less", "rcu-project", "replace-deferred", kind="insert", to="replace")
          + tests("less", "rcu-project", "replace-deferred", kind="erase", to="replace")
          + tests("greater", "rcu-ycsb", "replace-deferred", threads=8, to="replace")),
    Claim("X1", "All variants lose when they use a second NUMA node.", "MxKernel 4.2, figure 3",
          tests("falls", "mxkernel-3", "threads cores sync", along="threads", threads=8,
                batches=(1,)), nodes=2),
    Claim("X2", "Threads are fastest with four cores; tasks gain up to the ninth.",
          "MxKernel 4.2, figure 3",
          tests("best", "mxkernel-3", "threads", threads=4, batches=(1,), along="threads",
                strict=True)
          + tests("best", "mxkernel-3", "cores sync", threads=9, batches=(64,), along="threads",
                  strict=True)),
    Claim("X3", "Tasks have a higher throughput than threads.", "MxKernel 4.2",
          tests("greater", "mxkernel-3", "cores sync", 1, TASKS, threads=8, batches=(64,))),
    Claim("X4", "Synchronize-Tasks are slower than tasks on the core of a node, up to eleven"
          " cores; with sixteen they are alike.", "MxKernel 4.2, figure 3",
          tests("less", "mxkernel-3", "sync", threads=8, batches=(64,), to="cores")
          + tests("about", "mxkernel-3", "sync", threads=16, batches=(64,), to="cores",
                  strict=True)),
    Claim("X5", "The list of a Synchronize-Task, and the queue of a core, are a bottleneck.",
          "MxKernel 4.2", (),
          counts=tuple(Count("greater", "mxkernel-3", f"mxkernel:{scheme}", "mxkernel:threads")
                       for scheme in ("sync", "cores"))),
    Claim("X6", "Ours: the locks of this tree are better than tasks.", "this project",
          (Test("best", "ours-tasks", "blink_tree"),)),
)  # fmt: skip

# What a difference, or the lack of one, comes from.
NOTES = {
    "N1": "Larger pages than 4 KiB help. From 16 KiB on, the differences are those of rounds.",
    "N2": "A reader writes no shared memory.",
    "N4": "Counted: 2.2 remote references per read instead of 32.5 with two NUMA nodes.",
    "N5": "Each reader takes the latches of the root for its whole operation. Two threads seldom"
          " wait for each other.",
    "N6": "Insertions latch, and make readers repeat.",
    "N9": "Writers hold the latches of the root.",
    "N10": "A reader polls while a version is odd, and each poll counts. The thesis says \"1% of"
           " the 7,500 read operations\" as well, which would be 75.",
    "N13": "Counted with four NUMA nodes: 0 transfers per operation instead of 273.",
    "N14": "Counted with four NUMA nodes: 71 transfers per operation instead of 273. Transfers"
           " are not times: the factor of throughput also depends on how writers queue.",
    "N16": "This tree copies the index alone, and changes it only when a leaf is split.",
    "N17": "Pages are 1 KiB here, not 128 kB.",
    "O3": "Readers write the latch of the tree.",
    "O4": "Readers write the latch of the root.",
    "O6": "Updaters of different nodes run in parallel.",
    "O8": "Two latches of a cached line cost little without contention.",
    "O9": "Each update allocates and copies a node.",
    "O10": "An update copies a whole group.",
    "O12": "Here the lines cross below 20 %.",
    "O14": "Counted, lc: 2.57 transfers per search with two NUMA nodes (formula 2.50), 3.24 with"
           " four (3.75); ol: 0. CPUs of the guest take turns in a fixed order, so with four NUMA"
           " nodes a latch stays more often.",
    "O15": "Counted, ol: 2.55 transfers per insertion (formula 0.60). A leaf here has several"
           " lines, and an insertion moves half of them; the formula has one line for a node.",
    "O16": "Keys and pointers of the paper have 4 bytes each, those here 8: 14 entries are in five"
           " cache lines.",
    "S1": "Keys that fit the last-level cache hide the gain.",
    "S3": "Here reads gain half.",
    "S4": "Here scans gain, with batches of 16.",
    "S5": "Two descents for one operation.",
    "S8": "\"eliminating this double traversal\" is future work of the thesis.",
    "R1": "One in ten operations copies a path, or waits for a grace period.",
    "R2": "Both latch nodes on the way down.",
    "R3": "Where RCU waits for a grace period in each update, it cannot be as fast as a scheme"
          " that does not wait.",
    "R4": "Reads with the distributed counters are as fast as with replacement.",
    "R6": "A writer takes all counters.",
    "R7": "The paper has equal times.",
    "R8": "The numbers do not fit the description: see below.",
    "R10": "The more updates, the more a copied path costs.",
    "R11": "A writer waits for no reader.",
    "X3": "A task passes a queue for each node, which costs more than a latch without contention."
          " Without batches, a core has one pair at a time.",
    "X5": "`make lab-numa` counts the transfers of the figure mxkernel-3; a call counts those of"
          " the tasks of other threads that it executes, too.",
}
