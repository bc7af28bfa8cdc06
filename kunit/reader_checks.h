/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readers beside writers: checks that must hold at any moment.
 *
 * The keys from 0 on are cut into *groups*. The first two keys of a group are
 * *kept*: they stay in the tree throughout. The third and the last are never
 * inserted. Those between come and go by the waves that groups_churn() makes, so
 * that nodes split and merge around the kept keys; as these are two neighbours, one
 * of them is often the last key of a leaf and the other one the first of the next.
 */
#ifndef BLINK_KUNIT_READER_CHECKS_H
#define BLINK_KUNIT_READER_CHECKS_H

#include "threads.h"

#define KEY_GROUP 64
#define KEPT_PER_GROUP 2

/**
 * struct key_groups - groups of keys
 * @nr: how many
 * @waves: how many each churning leader makes
 */
struct key_groups {
	u64 nr;
	unsigned long waves;
};

static inline bool key_is_kept(u64 key)
{
	return key % KEY_GROUP < KEPT_PER_GROUP;
}

static inline bool key_is_never(u64 key)
{
	return key % KEY_GROUP == KEPT_PER_GROUP ||
	       key % KEY_GROUP == KEY_GROUP - 1;
}

/* Keys of all groups are less than this. */
static inline u64 groups_keys(const struct key_groups *groups)
{
	return groups->nr * KEY_GROUP;
}

/* How many kept keys there are, with two more behind the last group. */
static inline u64 groups_count(const struct key_groups *groups)
{
	return (groups->nr + 1) * KEPT_PER_GROUP;
}

void groups_fill(struct kunit *test, struct blink_tree *tree,
		 const struct key_groups *groups);
void groups_wave(struct thread *me, const struct key_groups *groups);
void groups_churn(struct thread *me);
void check_lookups(struct thread *me);
void check_nearest(struct thread *me);
void check_scans(struct thread *me);
void check_fingers(struct thread *me);
void check_verify(struct thread *me);

#endif /* BLINK_KUNIT_READER_CHECKS_H */
