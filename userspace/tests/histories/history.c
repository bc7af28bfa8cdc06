// SPDX-License-Identifier: GPL-2.0
/* The clock, and how histories are written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "history.h"

void history_die(const char *what, int error)
{
	fprintf(stderr, "recorder: %s: %s\n", what, strerror(error));
	exit(2);
}

struct history_part *history_alloc(unsigned int clients)
{
	void *parts = mmap(NULL, clients * sizeof(struct history_part),
			   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			   -1, 0);

	if (parts == MAP_FAILED)
		history_die("no memory for a history", errno);
	return parts;
}

/*
 * The first fence makes what was written before visible to everybody before the
 * time is taken; the second one keeps what follows from being read before.
 */
__u64 history_clock(void)
{
	struct timespec ts;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void write_out(const void *data, size_t size)
{
	if (size && fwrite(data, size, 1, stdout) != 1)
		history_die("cannot write the history", errno);
}

void history_write(struct history_head *head, const struct history_part *parts)
{
	unsigned int i;

	head->magic = HISTORY_MAGIC;
	head->records = 0;
	head->entries = 0;
	for (i = 0; i < head->clients; i++) {
		head->records += parts[i].records;
		head->entries += parts[i].entries;
	}
	write_out(head, sizeof(*head));
	for (i = 0; i < head->clients; i++)
		write_out(parts[i].record,
			  parts[i].records * sizeof(parts[i].record[0]));
	for (i = 0; i < head->clients; i++)
		write_out(parts[i].entry,
			  parts[i].entries * sizeof(parts[i].entry[0]));
	if (fflush(stdout))
		history_die("cannot write the history", errno);
}
