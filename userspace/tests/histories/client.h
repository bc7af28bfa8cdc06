/* SPDX-License-Identifier: GPL-2.0 */
/* Clients: each does random operations on the tree and records them. */
#ifndef LINEAR_CLIENT_H
#define LINEAR_CLIENT_H

#include "../common/random.h"
#include "history.h"

#define CLIENT_KEYS 1024

/**
 * struct round - a round, as all its clients know it
 * @head: the range of keys, and the number of clients
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

/* When all clients have ended, look every key up, as the client of number 0. */
void client_look_at_all(void);

#endif /* LINEAR_CLIENT_H */
