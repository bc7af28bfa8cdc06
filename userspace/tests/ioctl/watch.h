/* SPDX-License-Identifier: GPL-2.0 */
/* Watches with their rings. Include it after blink_test.h. */
#ifndef BLINK_TEST_WATCH_H
#define BLINK_TEST_WATCH_H

#include "../../lib/ring.h"

/* A watch, and where its reader goes on. */
struct place {
	int fd;
	unsigned int slots;
	const struct blink_tree_watch_ring *ring;
	__u64 position;
};

static inline size_t ring_size(unsigned int slots)
{
	return sizeof(struct blink_tree_watch_ring) +
	       slots * sizeof(struct blink_tree_change);
}

static inline int place_open(struct place *place, int tree, unsigned int slots,
			     __u64 first, __u64 last)
{
	struct blink_tree_ioc_watch arg = { .slots = slots,
					    .first = first,
					    .last = last };
	void *ring;

	*place = (struct place){
		.fd = call(tree, BLINK_TREE_IOC_WATCH, &arg),
		.slots = slots,
	};
	if (place->fd < 0)
		return place->fd;
	ring = mmap(NULL, ring_size(slots), PROT_READ, MAP_SHARED, place->fd,
		    0);
	if (ring == MAP_FAILED)
		return -errno;
	place->ring = ring;
	return 0;
}

static inline void place_close(struct place *place)
{
	if (!place->ring)
		return;
	munmap((void *)place->ring, ring_size(place->slots));
	close(place->fd);
	place->ring = NULL;
}

/* Whether a thread sleeps, which reads or polls a watch. */
static inline bool sleeps(pid_t tid)
{
	char path[64], text[256] = "", *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	state = strrchr(text, ')');
	return state && state[2] == 'S';
}

#endif /* BLINK_TEST_WATCH_H */
