/* SPDX-License-Identifier: GPL-2.0 */
/* A line on the terminal that shows the progress of a long command. */
#ifndef BLINKTREE_CLI_PROGRESS_H
#define BLINKTREE_CLI_PROGRESS_H

#include <stdbool.h>

#include <linux/types.h>

struct progress {
	bool shown;
	__u64 total;
	double next;
	double start;
};

/* @total: of what the updates count, such as bytes; 0 if it is unknown. */
void progress_start(struct progress *progress, __u64 total);
/* The text comes last on the line. */
[[gnu::format(printf, 3, 4)]] void
progress_update(struct progress *progress, __u64 done, const char *format, ...);
void progress_end(const struct progress *progress);

/* Time since progress_start(). */
double progress_seconds(const struct progress *progress);

#endif /* BLINKTREE_CLI_PROGRESS_H */
