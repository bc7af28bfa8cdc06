/* SPDX-License-Identifier: GPL-2.0 */
/* Clients: each does random operations on the tree and records them. */
#ifndef LINEAR_CLIENT_H
#define LINEAR_CLIENT_H

#include "history.h"

#define CLIENT_KEYS 1024

/**
 * struct round - what all clients of a round know
 * @head: how keys lie, and who they are
 * @parts: where each records
 * @ready: clients that may begin, in memory that processes share
 * @operations: how many each does, about
 */
struct round {
	struct history_head head;
	struct history_part *parts;
	unsigned int *ready;
	unsigned int operations;
};

extern struct round current;

/* Work with the others, as one of them. */
void client_work(unsigned int id);

/* Ask for every key, when nobody works any more, as the client of number 0. */
void client_look_at_all(void);

static inline __u64 random_next(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static inline __u64 random_below(__u64 *state, __u64 limit)
{
	return random_next(state) % limit;
}

#endif /* LINEAR_CLIENT_H */
