/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of schemes: each line is one, and the only place that describes it. Tables of
 * several programs are compiled with this list, so it contains macros alone.
 *
 * A new scheme needs a file in this directory, which defines lab_<symbol>_ops
 * (lab_index.h), and its line here:
 *
 *	X(symbol, name, author, paper, section, promises)
 *
 * A scheme that differs from another one by a parameter needs a line and a struct
 * lab_index_ops with another @variant. The check (../check/check.c) tests each scheme
 * for its promises, and for nothing else.
 */
#ifndef BLINK_LAB_SCHEMES_LIST_H
#define BLINK_LAB_SCHEMES_LIST_H

/*
 * The promises that a scheme can make, and the word for each:
 *
 * ERASE, SCAN, FLOOR, BATCH, VERIFY: it has this operation; otherwise it is NULL
 * SIZES: its nodes have the size that the creator asks for, or it refuses (-EINVAL)
 * REFUSES: insert refuses a key that is present (-EEXIST), and changes nothing
 * CONCURRENT: several threads may call all operations at the same time; otherwise only
 *	operations that change nothing
 * LINEARIZABLE: insert, lookup, store and erase take effect at one moment, for all
 *	threads on all NUMA nodes
 * READERS: readers run in parallel with a writer
 * WRITERS: writers of different keys run in parallel
 * ORDERED: scans return ascending keys
 * DESCENDS: scans return descending keys, from the greatest key <= the given one
 * SNAPSHOT: a scan returns the entries of one moment
 * BATCHES: one by one it is the same as another scheme: measure batches alone
 * BATCH_SCANS: batches have scans too, and take effect in their order
 * MULTI: a key may have several entries, with different values, of 32 bits both: insert
 *	refuses an entry that is present (-EEXIST), lookup returns one of the values, scans
 *	return all in their order, and erase removes one
 * COMPARED: benchmarks of all indexes include it unless they are told otherwise
 */
#define LAB_PROMISES(X)                 \
	X(ERASE, "erase")               \
	X(SCAN, "scan")                 \
	X(FLOOR, "floor")               \
	X(BATCH, "batch")               \
	X(VERIFY, "verify")             \
	X(SIZES, "sizes")               \
	X(REFUSES, "refuses")           \
	X(CONCURRENT, "concurrent")     \
	X(LINEARIZABLE, "linearizable") \
	X(READERS, "readers")           \
	X(WRITERS, "writers")           \
	X(ORDERED, "ordered")           \
	X(DESCENDS, "descends")         \
	X(SNAPSHOT, "snapshot")         \
	X(BATCHES, "batches")           \
	X(BATCH_SCANS, "batch-scans")   \
	X(MULTI, "multi")               \
	X(COMPARED, "compared")

enum lab_promise_bit {
#define LAB_PROMISE_BIT(promise, word) LAB_##promise##_BIT,
	LAB_PROMISES(LAB_PROMISE_BIT)
#undef LAB_PROMISE_BIT
};

enum lab_promise {
#define LAB_PROMISE(promise, word) LAB_##promise = 1 << LAB_##promise##_BIT,
	LAB_PROMISES(LAB_PROMISE)
#undef LAB_PROMISE
};

/* Safe for threads, and each operation takes effect at one moment. */
#define LAB_ATOMIC (LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_REFUSES | LAB_ERASE)

#define LAB_OF_BLINK                                                       \
	(LAB_ATOMIC | LAB_READERS | LAB_WRITERS | LAB_ORDERED | LAB_SCAN | \
	 LAB_FLOOR | LAB_BATCH | LAB_VERIFY)

/*
 * Trees with right links; all nodes under one latch; a map for each NUMA node; the last
 * two together.
 */
#define LAB_MCKENZIE \
	"Creating a Concurrent In-Memory B-Tree Optimized for NUMA Systems, 2015"
#define LAB_OF_MALBRAIN                                                    \
	(LAB_ATOMIC | LAB_READERS | LAB_WRITERS | LAB_ORDERED | LAB_SCAN | \
	 LAB_FLOOR | LAB_VERIFY | LAB_SIZES)
#define LAB_OF_ONE_LATCH (LAB_OF_MALBRAIN & ~(LAB_READERS | LAB_WRITERS))
#define LAB_OF_LOCAL (LAB_OF_MALBRAIN & ~LAB_LINEARIZABLE)
#define LAB_OF_LOCAL_LATCH (LAB_OF_ONE_LATCH & ~LAB_LINEARIZABLE)
#define LAB_OF_MXKERNEL (LAB_OF_BLINK | LAB_SIZES)
#define LAB_OF_PLAIN                                                     \
	(LAB_ORDERED | LAB_SCAN | LAB_FLOOR | LAB_VERIFY | LAB_REFUSES | \
	 LAB_ERASE | LAB_SIZES)
#define LAB_OF_MULTI                                                   \
	(LAB_MULTI | LAB_CONCURRENT | LAB_READERS | LAB_WRITERS |      \
	 LAB_ORDERED | LAB_SCAN | LAB_FLOOR | LAB_VERIFY | LAB_ERASE | \
	 LAB_SIZES)

/* Spiderman: prefetch options of phase one (two_phase.h). */
#define LAB_OF_TWO_PHASES (LAB_OF_BLINK | LAB_BATCHES)
#define LAB_OF_SPIDERMAN (LAB_OF_MALBRAIN | LAB_BATCH | LAB_BATCH_SCANS)
#define LAB_SPIDERMAN(X, options, section)                               \
	X(spiderman_##options, "spiderman:" #options, "Vu", "Spiderman", \
	  section, LAB_OF_SPIDERMAN | LAB_BATCHES)

#define LAB_SCHEMES_SPIDERMAN(X)                                  \
	X(spiderman_none, "spiderman:none", "Vu", "Spiderman",    \
	  "4.1, the tree without batches", LAB_OF_SPIDERMAN)      \
	LAB_SPIDERMAN(X, 0, "3.1, no prefetching")                \
	LAB_SPIDERMAN(X, 1, "3.3, the header of a node")          \
	LAB_SPIDERMAN(X, 4, "3.1, the whole node")                \
	LAB_SPIDERMAN(X, 12, "4.3, options 1 and 2")              \
	LAB_SPIDERMAN(X, 13, "4.3, options 1 and 3")              \
	LAB_SPIDERMAN(X, 23, "4.3, options 2 and 3")              \
	LAB_SPIDERMAN(X, 24, "4.3, options 2 and 4")              \
	LAB_SPIDERMAN(X, 123, "4.2, options 1, 2 and 3")          \
	LAB_SPIDERMAN(X, 12356, "3.3, all that go together")      \
	X(two_phase_4, "two-phase:4", "Vu", "Spiderman",          \
	  "3.1, the whole node, on this tree", LAB_OF_TWO_PHASES) \
	X(two_phase_123, "two-phase:123", "Vu", "Spiderman",      \
	  "4.2, options 1, 2 and 3, on this tree", LAB_OF_TWO_PHASES)

#define LAB_SCHEMES_OLFIT(X)                                                 \
	X(olfit_no, "olfit:no", "Cha, Hwang, Kim, Kwon", "OLFIT", "6, NO",   \
	  LAB_OF_PLAIN)                                                      \
	X(olfit_tl, "olfit:tl", "Cha, Hwang, Kim, Kwon", "OLFIT",            \
	  "2.3, TL: latch of the tree", LAB_OF_PLAIN | LAB_ATOMIC)           \
	X(olfit_lc, "olfit:lc", "Cha, Hwang, Kim, Kwon", "OLFIT",            \
	  "2.3, LC: lock coupling", LAB_OF_PLAIN | LAB_ATOMIC | LAB_WRITERS) \
	X(olfit_vn, "olfit:vn", "Cha, Hwang, Kim, Kwon", "OLFIT",            \
	  "2.3, VN: physical versioning",                                    \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS | LAB_WRITERS)             \
	X(olfit_vt, "olfit:vt", "Cha, Hwang, Kim, Kwon", "OLFIT",            \
	  "2.3, VT: the same, latch of the tree",                            \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS)                           \
	X(olfit_ol, "olfit:ol", "Cha, Hwang, Kim, Kwon", "OLFIT",            \
	  "4 and 5, OL: latch-free traversal", LAB_OF_MALBRAIN)              \
	X(olfit_csb_no, "olfit:csb-no", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "6, NO on the full CSB+-tree", LAB_OF_PLAIN)                       \
	X(olfit_csb_tl, "olfit:csb-tl", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "6, TL on the full CSB+-tree",                                     \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_SNAPSHOT)                          \
	X(olfit_csb_lc, "olfit:csb-lc", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "6, LC on the full CSB+-tree",                                     \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_WRITERS)                           \
	X(olfit_csb_vn, "olfit:csb-vn", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "6, VN on the full CSB+-tree",                                     \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS | LAB_WRITERS)             \
	X(olfit_csb_vt, "olfit:csb-vt", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "6, VT on the full CSB+-tree",                                     \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS)                           \
	X(olfit_csb_ol, "olfit:csb-ol", "Cha, Hwang, Kim, Kwon", "OLFIT",    \
	  "5.5, OL on the full CSB+-tree", LAB_OF_MALBRAIN)                  \
	X(olfit_multi, "olfit:ol-multi", "Cha, Hwang, Kim, Kwon", "OLFIT",   \
	  "6, OL with non-unique keys", LAB_OF_MULTI)                        \
	X(olfit_csb_multi, "olfit:csb-ol-multi", "Cha, Hwang, Kim, Kwon",    \
	  "OLFIT", "6, the same on the full CSB+-tree", LAB_OF_MULTI)

#define LAB_SCHEMES_RCU(X)                                                     \
	X(rcu_rwlock, "rcu:rwlock", "Patil, Dodeja, Jain",                     \
	  "Concurrent B+Trees - RCU Approach", "3, Our RWLock Implementation", \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_WRITERS)                             \
	X(rcu_spread, "rcu:spread", "Patil, Dodeja, Jain",                     \
	  "Concurrent B+Trees - RCU Approach", "3, the distributed counter",   \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_WRITERS)                             \
	X(rcu_occ, "rcu:occ", "Patil, Dodeja, Jain",                           \
	  "Concurrent B+Trees - RCU Approach", "3, Our OCC Implementation",    \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_WRITERS)                             \
	X(rcu_path, "rcu:path", "Patil, Dodeja, Jain",                         \
	  "Concurrent B+Trees - RCU Approach",                                 \
	  "3, Our Lock-Free Implementation",                                   \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS | LAB_SNAPSHOT)              \
	X(rcu_replace, "rcu:replace", "Patil, Dodeja, Jain",                   \
	  "Concurrent B+Trees - RCU Approach", "3, Our RCU Implementation",    \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS)                             \
	X(rcu_replace_after, "rcu:replace-after", "Patil, Dodeja, Jain",       \
	  "Concurrent B+Trees - RCU Approach",                                 \
	  "3, Our RCU Implementation, waiting without the mutex",              \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS)                             \
	X(rcu_replace_deferred, "rcu:replace-deferred", "Patil, Dodeja, Jain", \
	  "Concurrent B+Trees - RCU Approach", "7, Future Work: call_rcu",     \
	  LAB_OF_PLAIN | LAB_ATOMIC | LAB_READERS)

#define LAB_SCHEMES_MXKERNEL(X)                                              \
	X(mx_core, "mxkernel:cores", "Mühlig",                               \
	  "B-link-trees for DB/OS Co-Design",                                \
	  "3.3, tasks on the core of a node", LAB_OF_MXKERNEL)               \
	X(mx_sync, "mxkernel:sync", "Mühlig",                                \
	  "B-link-trees for DB/OS Co-Design", "3.3, Synchronize-Tasks",      \
	  LAB_OF_MXKERNEL)                                                   \
	X(mx_spin, "mxkernel:threads", "Mühlig",                             \
	  "B-link-trees for DB/OS Co-Design", "4.1, algorithm 1, spinlocks", \
	  LAB_OF_MXKERNEL)

#define LAB_SCHEMES_MCKENZIE(X)                                                \
	X(mckenzie_original, "mckenzie:original", "Malbrain", LAB_MCKENZIE,    \
	  "3.2", LAB_OF_MALBRAIN)                                              \
	X(mckenzie_numa_rw, "mckenzie:numa-rw", "McKenzie, Calciu et al.",     \
	  LAB_MCKENZIE, "3.3.2, neutral", LAB_OF_MALBRAIN)                     \
	X(mckenzie_numa_rw_readers, "mckenzie:numa-rw-readers",                \
	  "McKenzie, Calciu et al.", LAB_MCKENZIE, "3.3.2, reader preference", \
	  LAB_OF_MALBRAIN)                                                     \
	X(mckenzie_numa_rw_writers, "mckenzie:numa-rw-writers",                \
	  "McKenzie, Calciu et al.", LAB_MCKENZIE, "3.3.2, writer preference", \
	  LAB_OF_MALBRAIN)                                                     \
	X(mckenzie_granular, "mckenzie:granular", "McKenzie", LAB_MCKENZIE,    \
	  "3.3.4, latches of the root", LAB_OF_ONE_LATCH)                      \
	X(mckenzie_granular_leaves, "mckenzie:granular-leaves", "McKenzie",    \
	  LAB_MCKENZIE, "3.3.4, no latches of leaves", LAB_OF_MALBRAIN)        \
	X(mckenzie_granular_2, "mckenzie:granular-2", "McKenzie",              \
	  LAB_MCKENZIE, "3.3.4, no latches below level 2", LAB_OF_MALBRAIN)    \
	X(mckenzie_lockfree, "mckenzie:lock-free", "McKenzie", LAB_MCKENZIE,   \
	  "3.3.5", LAB_OF_MALBRAIN)                                            \
	X(mckenzie_replicated_local, "mckenzie:replicated-local", "McKenzie",  \
	  LAB_MCKENZIE, "3.3.3, local insert", LAB_OF_LOCAL)                   \
	X(mckenzie_replicated_all, "mckenzie:replicated-all", "McKenzie",      \
	  LAB_MCKENZIE, "3.3.3, all copies", LAB_OF_MALBRAIN)                  \
	X(mckenzie_numa_rw_granular, "mckenzie:numa-rw+granular", "McKenzie",  \
	  LAB_MCKENZIE, "3.3.6", LAB_OF_ONE_LATCH)                             \
	X(mckenzie_lockfree_numa_rw, "mckenzie:lock-free+numa-rw", "McKenzie", \
	  LAB_MCKENZIE, "3.3.6", LAB_OF_MALBRAIN)                              \
	X(mckenzie_lockfree_granular, "mckenzie:lock-free+granular",           \
	  "McKenzie", LAB_MCKENZIE, "3.3.6", LAB_OF_ONE_LATCH | LAB_READERS)   \
	X(mckenzie_lockfree_numa_rw_granular,                                  \
	  "mckenzie:lock-free+numa-rw+granular", "McKenzie", LAB_MCKENZIE,     \
	  "3.3.6", LAB_OF_ONE_LATCH | LAB_READERS)                             \
	X(mckenzie_numa_rw_local, "mckenzie:numa-rw+local", "McKenzie",        \
	  LAB_MCKENZIE, "3.3.6, 4.6", LAB_OF_LOCAL)                            \
	X(mckenzie_granular_local, "mckenzie:granular+local", "McKenzie",      \
	  LAB_MCKENZIE, "3.3.6, 4.6", LAB_OF_LOCAL_LATCH)                      \
	X(mckenzie_lockfree_local, "mckenzie:lock-free+local", "McKenzie",     \
	  LAB_MCKENZIE, "3.3.6, 4.6", LAB_OF_LOCAL)                            \
	X(mckenzie_lockfree_numa_rw_local, "mckenzie:lock-free+numa-rw+local", \
	  "McKenzie", LAB_MCKENZIE, "3.3.6, 4.6", LAB_OF_LOCAL)                \
	X(mckenzie_numa_rw_granular_local, "mckenzie:numa-rw+granular+local",  \
	  "McKenzie", LAB_MCKENZIE, "3.3.6, 4.6", LAB_OF_LOCAL_LATCH)          \
	X(mckenzie_lockfree_granular_local,                                    \
	  "mckenzie:lock-free+granular+local", "McKenzie", LAB_MCKENZIE,       \
	  "3.3.6, 4.6", LAB_OF_LOCAL_LATCH | LAB_READERS)                      \
	X(mckenzie_lockfree_all, "mckenzie:lock-free+all", "McKenzie",         \
	  LAB_MCKENZIE, "3.3.6, all copies", LAB_OF_MALBRAIN)

/* Schemes that compile in the kernel and in userspace. */
#define LAB_SCHEMES(X)                                                         \
	X(blink, "blink_tree", "blink_tree", "this project", "as asked for",   \
	  LAB_OF_BLINK | LAB_COMPARED)                                         \
	X(blink_inner, "blink_tree:inner", "blink_tree", "this project",       \
	  "an index for each NUMA node", LAB_OF_BLINK)                         \
	X(blink_full, "blink_tree:full", "blink_tree", "this project",         \
	  "leaves for each NUMA node too", LAB_OF_BLINK)                       \
	X(blink_cohort, "blink_tree:cohort", "blink_tree", "this project",     \
	  "cohort locks", LAB_OF_BLINK)                                        \
	X(blink_compress, "blink_tree:compress", "blink_tree", "this project", \
	  "compressed leaves", LAB_OF_BLINK)                                   \
	X(maple, "maple_tree", "Howlett, Wilcox", "Linux", "lib/maple_tree.c", \
	  LAB_ATOMIC | LAB_READERS | LAB_ORDERED | LAB_SCAN | LAB_FLOOR |      \
		  LAB_COMPARED)                                                \
	X(xarray, "xarray", "Wilcox", "Linux", "lib/xarray.c",                 \
	  LAB_ATOMIC | LAB_READERS | LAB_ORDERED | LAB_SCAN | LAB_COMPARED)    \
	X(rbtree, "rbtree", "Arcangeli", "Linux", "lib/rbtree.c, rwlock_t",    \
	  LAB_ATOMIC | LAB_ORDERED | LAB_SNAPSHOT | LAB_SCAN | LAB_FLOOR |     \
		  LAB_COMPARED)                                                \
	LAB_SCHEMES_SPIDERMAN(X)                                               \
	LAB_SCHEMES_OLFIT(X)                                                   \
	LAB_SCHEMES_RCU(X)                                                     \
	LAB_SCHEMES_MXKERNEL(X)                                                \
	LAB_SCHEMES_MCKENZIE(X)

/* Those that need CONFIG_BTREE in the kernel. */
#define LAB_SCHEMES_BTREE(X)                                                \
	X(btree, "lib/btree", "Engel", "Linux", "lib/btree.c, rwlock_t",    \
	  LAB_ATOMIC | LAB_DESCENDS | LAB_SNAPSHOT | LAB_SCAN | LAB_FLOOR | \
		  LAB_COMPARED)

/* Those that compile in the kernel alone. */
#define LAB_SCHEMES_KERNEL(X)                                                \
	X(rhashtable, "rhashtable", "Graf, Xu", "Linux", "lib/rhashtable.c", \
	  LAB_ATOMIC | LAB_READERS | LAB_WRITERS | LAB_COMPARED)

#endif /* BLINK_LAB_SCHEMES_LIST_H */
