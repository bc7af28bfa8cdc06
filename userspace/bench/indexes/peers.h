/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The schemes that exist natively alone: packages, written as the lines of
 * module/lab/schemes/list.h are.
 */
#ifndef COMPARE_PEERS_H
#define COMPARE_PEERS_H

#include "lab/schemes/lab_index.h"

#define PEERS(X)                                                              \
	X(judy, "JudyL", "Baskins", "Judy", "a lock for readers or a writer", \
	  LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_ERASE | LAB_ORDERED |       \
		  LAB_SNAPSHOT | LAB_SCAN | LAB_FLOOR | LAB_COMPARED)         \
	X(absl, "absl::btree_map", "Google", "Abseil",                        \
	  "a lock for readers or a writer",                                   \
	  LAB_ATOMIC | LAB_ORDERED | LAB_SNAPSHOT | LAB_SCAN | LAB_FLOOR |    \
		  LAB_COMPARED)                                               \
	X(tbb, "tbb::concurrent_map", "Intel", "oneTBB", "skip list",         \
	  LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_REFUSES | LAB_READERS |     \
		  LAB_WRITERS | LAB_ORDERED | LAB_SCAN | LAB_COMPARED)        \
	X(lmdb, "LMDB", "Chu", "LMDB", "a transaction for each call",         \
	  LAB_ATOMIC | LAB_READERS | LAB_ORDERED | LAB_SNAPSHOT | LAB_SCAN |  \
		  LAB_FLOOR | LAB_BATCH | LAB_COMPARED)                       \
	X(maple_rwlock, "maple_tree:rwlock", "Howlett, Wilcox", "Linux",      \
	  "a lock for readers or a writer",                                   \
	  LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_REFUSES | LAB_ERASE)        \
	X(congee, "congee", "Hao", "congee", "adaptive radix tree",           \
	  LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_ERASE | LAB_READERS |       \
		  LAB_WRITERS | LAB_ORDERED | LAB_SCAN | LAB_COMPARED)        \
	X(skiplist, "crossbeam-skiplist", "Crossbeam", "crossbeam-skiplist",  \
	  "skip list",                                                        \
	  LAB_CONCURRENT | LAB_LINEARIZABLE | LAB_ERASE | LAB_READERS |       \
		  LAB_WRITERS | LAB_ORDERED | LAB_SCAN | LAB_FLOOR |          \
		  LAB_COMPARED)

LAB_DECLARE_ALL(PEERS);

#endif /* COMPARE_PEERS_H */
