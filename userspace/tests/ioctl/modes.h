/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The modes with keys of 64 bits as variants of a fixture. Reads and writes must have
 * the same results in all of them.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_TEST_MODES_H
#define BLINK_TEST_MODES_H

#include "../../../kunit/modes.h"

#define MODE_COMPRESS BLINK_TREE_CREATE_COMPRESS

/* A variant of which @how is all; it ends the one before. */
#define ADD_MODE(fixture, mode, text, nodes, ...) \
	;                                         \
	FIXTURE_VARIANT_ADD(fixture, mode)        \
	MEMBERS(.how = { __VA_ARGS__ })

/*
 * How a tree is to be: as the variant says, or as HOW in the environment does:
 * replication,locking,placement,flags, each by its number. A text that is
 * not like this makes a tree that cannot be created.
 */
static inline struct blink_tree_ioc_create
how_to(const struct blink_tree_ioc_create *how)
{
	struct blink_tree_ioc_create other = *how;
	const char *env = getenv("HOW");

	if (env && sscanf(env, "%hhu,%hhu,%hhu,%u", &other.replication,
			  &other.locking, &other.placement, &other.flags) != 4)
		other.key = ~0u;
	return other;
}

#define ADD_MODES(fixture) FOR_EACH_U64_MODE(ADD_MODE, fixture)

#endif /* BLINK_TEST_MODES_H */
