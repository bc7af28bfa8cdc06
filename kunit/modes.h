/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The modes of trees: the name of each, and the parameters of its trees. All runners
 * take them from here: the KUnit suites, the tests of the core in userspace, the
 * recorders of histories and the tests of the ioctls. A runner can leave modes out.
 *
 * The members are those that struct blink_tree_params and struct blink_tree_ioc_create
 * have both. Only flags differ: an includer defines MODE_COMPRESS.
 */
#ifndef BLINK_KUNIT_MODES_H
#define BLINK_KUNIT_MODES_H

#define MODE_COHORT                           \
	.locking = BLINK_TREE_LOCKING_COHORT, \
	.placement = BLINK_TREE_PLACE_INTERLEAVE
#define MODE_INNER .replication = BLINK_TREE_REPLICATE_INNER, MODE_COHORT
#define MODE_FULL .replication = BLINK_TREE_REPLICATE_FULL

#define MODE_U128 .key = BLINK_TREE_KEY_U128
#define MODE_BYTES .key = BLINK_TREE_KEY_BYTES

/*
 * MODE(arg, identifier, name, NUMA nodes where they can be chosen, members...) for
 * each mode with keys of 64 bits.
 */
#define FOR_EACH_U64_MODE(MODE, arg)                               \
	MODE(arg, plain, "plain", 1)                               \
	MODE(arg, cohort, "cohort", 2, MODE_COHORT)                \
	MODE(arg, inner, "inner", 3, MODE_INNER)                   \
	MODE(arg, full, "full", 2, MODE_FULL)                      \
	MODE(arg, compress, "compress", 1, .flags = MODE_COMPRESS) \
	MODE(arg, compress_full, "compress-full", 2, MODE_FULL,    \
	     .flags = MODE_COMPRESS)

#define FOR_EACH_U128_MODE(MODE, arg)                                 \
	MODE(arg, u128, "u128", 1, MODE_U128)                         \
	MODE(arg, u128_inner, "u128-inner", 3, MODE_U128, MODE_INNER) \
	MODE(arg, u128_full, "u128-full", 2, MODE_U128, MODE_FULL)

#define FOR_EACH_BYTES_MODE(MODE, arg)                                   \
	MODE(arg, bytes, "bytes", 1, MODE_BYTES)                         \
	MODE(arg, bytes_inner, "bytes-inner", 3, MODE_BYTES, MODE_INNER) \
	MODE(arg, bytes_full, "bytes-full", 2, MODE_BYTES, MODE_FULL)

#define FOR_EACH_MODE(MODE, arg)      \
	FOR_EACH_U64_MODE(MODE, arg)  \
	FOR_EACH_U128_MODE(MODE, arg) \
	FOR_EACH_BYTES_MODE(MODE, arg)

#endif /* BLINK_KUNIT_MODES_H */
