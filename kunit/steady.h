/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readers beside writers: what must be so at any moment, whatever happens.
 *
 * The keys from 0 on are cut into *groups*. The first two keys of a group are
 * *steady*: they stay in the tree throughout. The third and the last are
 * *void*: they never come in. Those between come and go by the waves that
 * steady_churn() makes, so that nodes split and merge around the steady keys;
 * as these are two neighbours, one of them is often the last key of a leaf and
 * the other one the first of the next.
 */
#ifndef BLINK_KUNIT_STEADY_H
#define BLINK_KUNIT_STEADY_H

#include "crew.h"

#define STEADY_GROUP 64
#define STEADY_PER_GROUP 2

/**
 * struct steady - groups of keys
 * @groups: how many
 * @waves: how many each churning leader makes
 */
struct steady {
	u64 groups;
	unsigned long waves;
};

static inline bool steady_is_steady(u64 key)
{
	return key % STEADY_GROUP < STEADY_PER_GROUP;
}

static inline bool steady_is_void(u64 key)
{
	return key % STEADY_GROUP == STEADY_PER_GROUP ||
	       key % STEADY_GROUP == STEADY_GROUP - 1;
}

/* Keys of all groups are less than this. */
static inline u64 steady_keys(const struct steady *steady)
{
	return steady->groups * STEADY_GROUP;
}

/* How many steady keys there are, with two more behind the last group. */
static inline u64 steady_count(const struct steady *steady)
{
	return (steady->groups + 1) * STEADY_PER_GROUP;
}

void steady_fill(struct kunit *test, struct blink_tree *tree,
		 const struct steady *steady);
void steady_wave(struct crew_member *me, const struct steady *steady);
void steady_churn(struct crew_member *me);
void steady_lookups(struct crew_member *me);
void steady_nearest(struct crew_member *me);
void steady_scans_up(struct crew_member *me);
void steady_scans_down(struct crew_member *me);
void steady_verify(struct crew_member *me);

#endif /* BLINK_KUNIT_STEADY_H */
