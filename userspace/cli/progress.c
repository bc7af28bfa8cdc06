// SPDX-License-Identifier: GPL-2.0
/* The progress line on standard error, if that is a terminal. */
#include <stdarg.h>
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
	progress->next = progress->start;
	progress->total = total;
	progress->shown = isatty(STDERR_FILENO);
}

double progress_seconds(const struct progress *progress)
{
	return now() - progress->start;
}

static void print_bar(const struct progress *progress, __u64 done)
{
	static const char bar[WIDTH + 1] = "##############################";
	int part = done * WIDTH / progress->total;
	__u64 left;

	fprintf(stderr, "[%-*.*s] %3llu %% ", WIDTH, part, bar,
		done * 100 / progress->total);
	if (!done)
		return;
	left = progress_seconds(progress) * (progress->total - done) / done;
	fprintf(stderr, "%llu:%02llu left ", left / 60, left % 60);
}

void progress_update(struct progress *progress, __u64 done, const char *format,
		     ...)
{
	va_list list;

	if (!progress->shown || now() < progress->next)
		return;
	progress->next = now() + INTERVAL;
	fputs("\r\033[K", stderr);
	if (progress->total)
		print_bar(progress,
			  done < progress->total ? done : progress->total);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
}

void progress_end(const struct progress *progress)
{
	/* Clear the line. */
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
