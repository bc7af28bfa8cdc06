// SPDX-License-Identifier: GPL-2.0
/* The progress line on standard error, if that is a terminal. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define INTERVAL 0.1
#define WIDTH 30

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

void progress_start(struct progress *progress, __u64 total)
{
	progress->start = now();
	progress->next = progress->start + INTERVAL;
	progress->total = total;
	progress->shown = isatty(STDERR_FILENO);
}

double progress_seconds(const struct progress *progress)
{
	return now() - progress->start;
}

void progress_update(struct progress *progress, __u64 done, __u64 entries)
{
	static const char bar[WIDTH + 1] = "##############################";
	int part;

	if (!progress->shown || now() < progress->next)
		return;
	progress->next = now() + INTERVAL;
	if (progress->total) {
		if (done > progress->total)
			done = progress->total;
		part = done * WIDTH / progress->total;
		fprintf(stderr, "\r[%-*.*s] %3llu %%", WIDTH, part, bar,
			done * 100 / progress->total);
	}
	fprintf(stderr, "%s %llu entries", progress->total ? "" : "\r",
		entries);
}

void progress_end(const struct progress *progress)
{
	/* Clear the line. */
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
