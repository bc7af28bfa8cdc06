/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The modes of trees that a suite runs on, each a variant of its fixture. What
 * is read and written must be the same in all of them.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_TEST_MODES_H
#define BLINK_TEST_MODES_H

/* ADD(arg, name, members of struct blink_tree_ioc_create...) for each. */
#define FOR_EACH_MODE(ADD, arg)                                         \
	ADD(arg, plain);                                                \
	ADD(arg, cohort, .locking = BLINK_TREE_LOCKING_COHORT,          \
	    .placement = BLINK_TREE_PLACE_INTERLEAVE);                  \
	ADD(arg, inner, .replication = BLINK_TREE_REPLICATE_INNER,      \
	    .posting = BLINK_TREE_POSTING_SYNC,                         \
	    .placement = BLINK_TREE_PLACE_INTERLEAVE);                  \
	ADD(arg, full_cohort, .replication = BLINK_TREE_REPLICATE_FULL, \
	    .posting = BLINK_TREE_POSTING_SYNC,                         \
	    .locking = BLINK_TREE_LOCKING_COHORT);                      \
	ADD(arg, inner_lazy, .replication = BLINK_TREE_REPLICATE_INNER, \
	    .posting = BLINK_TREE_POSTING_LAZY,                         \
	    .locking = BLINK_TREE_LOCKING_COHORT);                      \
	ADD(arg, compress, .flags = BLINK_TREE_CREATE_COMPRESS);        \
	ADD(arg, full_compress, .flags = BLINK_TREE_CREATE_COMPRESS,    \
	    .replication = BLINK_TREE_REPLICATE_FULL)

/* A variant of which @how is all. */
#define ADD_MODE(fixture, mode, ...)       \
	FIXTURE_VARIANT_ADD(fixture, mode) \
	MEMBERS(.how = { __VA_ARGS__ })

/*
 * How a tree is to be: as the variant says, or as HOW in the environment does:
 * replication,posting,locking,placement,flags, each by its number. What cannot
 * be read makes a tree that cannot be created.
 */
static inline struct blink_tree_ioc_create
how_to(const struct blink_tree_ioc_create *how)
{
	struct blink_tree_ioc_create other = *how;
	const char *env = getenv("HOW");

	if (env && sscanf(env, "%hhu,%hhu,%hhu,%hhu,%u", &other.replication,
			  &other.posting, &other.locking, &other.placement,
			  &other.flags) != 5)
		other.key = ~0u;
	return other;
}

#define ADD_MODES(fixture) FOR_EACH_MODE(ADD_MODE, fixture)

#endif /* BLINK_TEST_MODES_H */
