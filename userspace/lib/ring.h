/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the ring of a watch: the steps of <linux/blink_tree_watch.h>. */
#ifndef RING_H
#define RING_H

#include <errno.h>

#include <linux/blink_tree_watch.h>

static inline __u64 ring_head(const struct blink_tree_watch_ring *ring)
{
	return __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
}

/*
 * Copy a record that can be overwritten meanwhile. Loads that acquire keep the caller's
 * next load of the sequence behind them.
 */
static inline void ring_copy(struct blink_tree_change *to,
			     const struct blink_tree_change *from)
{
	*to = (struct blink_tree_change){
		.op = __atomic_load_n(&from->op, __ATOMIC_ACQUIRE),
		.more = __atomic_load_n(&from->more, __ATOMIC_ACQUIRE),
		.key = __atomic_load_n(&from->key, __ATOMIC_ACQUIRE),
		.key_low = __atomic_load_n(&from->key_low, __ATOMIC_ACQUIRE),
		.last = __atomic_load_n(&from->last, __ATOMIC_ACQUIRE),
		.last_low = __atomic_load_n(&from->last_low, __ATOMIC_ACQUIRE),
		.value = __atomic_load_n(&from->value, __ATOMIC_ACQUIRE),
		.old = __atomic_load_n(&from->old, __ATOMIC_ACQUIRE),
	};
}

/* There is no record of this position yet. */
static inline int ring_missing(const struct blink_tree_watch_ring *ring,
			       __u64 position)
{
	if (__atomic_load_n(&ring->lost, __ATOMIC_ACQUIRE) > position)
		return -EOVERFLOW;
	return ring_head(ring) > position ? -EAGAIN : 0;
}

/*
 * Read the record of a position. Returns 1; 0 if there is no such change yet; -EAGAIN if
 * its writer is about to write it; -EOVERFLOW if it is lost.
 */
static inline int ring_read(const struct blink_tree_watch_ring *ring,
			    __u64 position, struct blink_tree_change *change)
{
	const char *slot = (const char *)ring + ring->records +
			   (position & (ring->slots - 1)) * ring->record_size;
	const struct blink_tree_change *record = (const void *)slot;
	const __u64 expected = 2 * position + 2;
	__u64 seq = __atomic_load_n(&record->seq, __ATOMIC_ACQUIRE);

	if (seq < expected)
		return ring_missing(ring, position);
	if (seq > expected)
		return -EOVERFLOW;
	ring_copy(change, record);
	if (__atomic_load_n(&record->seq, __ATOMIC_RELAXED) != expected)
		return -EOVERFLOW;
	change->seq = seq;
	return 1;
}

#endif /* RING_H */
