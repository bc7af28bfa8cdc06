// SPDX-License-Identifier: GPL-2.0
/* Functions that a tree with other keys or other values must refuse (refused.h). */
#define KEYS_OWN_NAMES
#include "refused.h"

/* For keys that are found. */
static u8 found[BLINK_BYTES_MAX];

/*
 * The functions that write numbers for keys of one kind, and each operation, by itself and
 * in a batch. Their names have @_, which stands for the kind; then come a key, members of
 * an entry and of an operation, and functions that the other kinds do not have.
 */
#define REFUSED(name, _, _key, op_type, of_entry, of_op, ...)                  \
	void refused_##name(struct kunit *test, struct blink_tree *tree)       \
	{                                                                      \
		struct op_type ops[BLINK_TREE_OP_NR + 1];                      \
		struct blink_tree##_##entry entry = { of_entry };              \
		const gfp_t gfp = GFP_KERNEL;                                  \
		unsigned int done = 0, i;                                      \
		u64 value = 1;                                                 \
		EXPECT_REFUSED(test, blink_tree##_##insert(tree, _key, 1,      \
							   NULL, gfp));        \
		EXPECT_REFUSED(test, blink_tree##_##store(tree, _key, 1, NULL, \
							  gfp));               \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##replace(tree, _key, 1, NULL));   \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##cmpxchg(tree, _key, &value, 1)); \
		EXPECT_REFUSED(test, blink_tree##_##erase(tree, _key, NULL));  \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##cmperase(tree, _key, &value));   \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##pop_min(tree, _key, &entry));    \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##pop_max(tree, _key, &entry));    \
		EXPECT_REFUSED(test, blink_tree##_##load(tree, &entry, 1, 100, \
							 gfp, &done));         \
		KUNIT_EXPECT_EQ(test, done, 0);                                \
		for (i = 0; i < ARRAY_SIZE(ops); i++)                          \
			ops[i] = (struct op_type){ .opcode = i,                \
						   .key = _key,                \
						   of_op };                    \
		blink_tree##_##batch(tree, ops, ARRAY_SIZE(ops), gfp);         \
		for (i = 0; i < ARRAY_SIZE(ops); i++) {                        \
			EXPECT_REFUSED(test, ops[i].result);                   \
			ops[i].result = 0;                                     \
			blink_tree##_##op(tree, &ops[i], gfp);                 \
			EXPECT_REFUSED(test, ops[i].result);                   \
		}                                                              \
		__VA_ARGS__;                                                   \
	}

/* clang-format off */
REFUSED(narrow, _, 1, blink_tree_ioc_op, .value = 1, .value = 1,
	EXPECT_REFUSED(test, blink_tree_get_or_insert(tree, 1, &value, gfp)))
REFUSED(wide, _u128_, 1, blink_tree_u128_op, .value = 1, .value = 1,
	EXPECT_REFUSED(test, blink_tree_u128_get_or_insert(tree, 1, &value, gfp)))
REFUSED(strings, _bytes_, blink_bytes_key("a", 1), blink_tree_bytes_op,
	.key = found, .found = found)
/* clang-format on */
