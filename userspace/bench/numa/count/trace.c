// SPDX-License-Identifier: GPL-2.0
/* Recording what operations refer to (trace.h). */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "count.h"
#include "trace.h"

static FILE *trace;

/* Of the lines of objects, and of their number. */
static pthread_mutex_t objects = PTHREAD_MUTEX_INITIALIZER;
static __u64 told;

/* How many instructions each thread has executed, and had at its last record. */
static __u64 executed[CPUS_MAX];
static __u64 recorded[CPUS_MAX];
static __u64 skipped[CPUS_MAX];

bool trace_on(void)
{
	return trace;
}

/* Record to a file; the first record is written at the end. */
bool trace_open(const char *path)
{
	const struct trace_record first = {};

	trace = fopen(path, "w");
	return trace && fwrite(&first, sizeof(first), 1, trace) == 1;
}

static void write_record(const struct trace_record *record)
{
	if (fwrite(record, sizeof(*record), 1, trace) != 1)
		abort();
}

/* Forget all records, and no object. */
void trace_restart(void)
{
	if (fseek(trace, sizeof(struct trace_record), SEEK_SET) ||
	    fflush(trace) || ftruncate(fileno(trace), ftell(trace)))
		abort();
}

/* The file is complete. */
void trace_end(void)
{
	const struct trace_record first = { .line = told };

	if (fseek(trace, 0, SEEK_SET))
		abort();
	write_record(&first);
	if (fseek(trace, 0, SEEK_END) || fflush(trace))
		abort();
}

/* A thread begins to execute so many instructions. */
void trace_execute(unsigned int thread, unsigned int insns)
{
	executed[thread] += insns;
}

/* A thread begins to wait for its turn, or ends that: these instructions do not count. */
void trace_skip(unsigned int thread, unsigned int left, bool begins)
{
	__u64 now = executed[thread] - left;

	if (begins)
		skipped[thread] = now;
	else
		recorded[thread] += now - skipped[thread];
}

/* As struct trace_record has it; and whether the line is a call's own. */
static unsigned int home_of(__u64 address, bool *own)
{
	const struct line *line;
	unsigned int home;

	pthread_mutex_lock(&objects);
	line = line_find(address);
	home = line && line->told ? 1 + line->home : 0;
	*own = line && line->own;
	pthread_mutex_unlock(&objects);
	return home;
}

bool trace_is_own(__u64 address)
{
	bool own;

	home_of(address, &own);
	return own;
}

/* @left: instructions of the block that come after it */
void trace_event(unsigned int thread, unsigned int kind, __u64 address,
		 unsigned int left)
{
	__u64 now = executed[thread] - left;
	struct trace_record record = {
		.line = address / BLINK_LINE_BYTES,
		.kind = kind,
		.thread = thread,
		.word = address % BLINK_LINE_BYTES / sizeof(__u64),
	};
	bool own;

	if (now > recorded[thread]) {
		record.insns = now - recorded[thread];
		recorded[thread] = now;
	}
	record.home = home_of(address, &own);
	if (own)
		record.kind |= TRACE_OWN;
	write_record(&record);
}

/* The program has a line that belongs to a call. */
void trace_own(__u64 address)
{
	pthread_mutex_lock(&objects);
	line_get(address, 0)->own = true;
	pthread_mutex_unlock(&objects);
}

/* The program has an object, at this address, in the memory of a NUMA node. */
void trace_object(__u64 address, unsigned int home)
{
	struct line *line;

	pthread_mutex_lock(&objects);
	line = line_get(address, home);
	told += !line->told;
	line->told = true;
	line->home = home;
	pthread_mutex_unlock(&objects);
}
