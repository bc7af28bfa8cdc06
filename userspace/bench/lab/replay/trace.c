// SPDX-License-Identifier: GPL-2.0
/* Reading a trace (replay.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/marks.h"
#include "numa/count/trace.h"
#include "replay.h"

/* Of hash_ptr(). */
#define GOLDEN_RATIO_64 0x61c8864680b583ebULL

/**
 * struct known - a line, by all records
 * @line: its number there
 * @threads: threads that refer to it, a bit for each
 * @place: 1 + its number here, if it is not left out
 * @lock: 1 + the number of its first lock; its second one
 * @word: of each word, 1 + its number, if it is compared
 * @op: the last operation that loaded a word, and which words it did
 * @stored: words that were stored to
 * @again: words that an operation loaded more than once
 * @home: as in a record
 * @oldest: 1 + the number of the oldest task of the node that was added and has not begun, or 0
 * @newest: likewise
 * @own: it belongs to an operation's thread, and goes with the tasks
 * @waited: tasks wait for the node
 */
struct known {
	__u64 line;
	__u64 threads;
	__u32 place;
	__u32 lock[2];
	__u32 word[8];
	__u64 op;
	__u32 oldest;
	__u32 newest;
	__u8 loaded;
	__u8 stored;
	__u8 again;
	__u8 home;
	bool own;
	bool waited;
	bool taken;
};

static const struct trace_record *record;
static __u64 nr;
/* By their lines, at most half full. */
static struct known *table;
static __u64 slots, used;
/* The operations' first records. */
static const struct trace_record **op;
static __u64 nr_ops;
static __u64 nr_tasks;
/* Of each task that was added, 1 + the number of the next one of its node, or 0. */
static __u32 *behind;

void *replay_alloc(size_t number, size_t bytes)
{
	void *memory = calloc(number ?: 1, bytes);

	if (memory)
		return memory;
	fputs("blink_replay: no memory\n", stderr);
	exit(ENOMEM);
}

static int map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *file = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &stat))
		file = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (file == MAP_FAILED || stat.st_size % sizeof(*record)) {
		fprintf(stderr, "blink_replay: %s: not a trace\n", path);
		return -1;
	}
	record = file;
	nr = stat.st_size / sizeof(*record);
	return 0;
}

static unsigned int kind_of(const struct trace_record *one)
{
	return one->kind & ~(TRACE_SECOND | TRACE_OWN);
}

static bool has_line(const struct trace_record *one)
{
	return kind_of(one) >= TRACE_LOAD;
}

static bool is_lock(const struct trace_record *one)
{
	return kind_of(one) >= TRACE_LOCK && kind_of(one) <= TRACE_UNLOCK;
}

static bool is_of_task(const struct trace_record *one)
{
	return kind_of(one) >= TRACE_TO_CORE;
}

static bool adds_task(const struct trace_record *one)
{
	return is_of_task(one) && kind_of(one) != TRACE_TASK;
}

static struct known *find(__u64 line)
{
	__u64 slot = (line * 0x9e3779b97f4a7c15ULL >> 20) % slots;

	while (table[slot].taken && table[slot].line != line)
		slot = (slot + 1) % slots;
	return &table[slot];
}

static void grow(void)
{
	struct known *old = table, *known, *end = table + slots;

	slots = 2 * slots ?: 1 << 16;
	table = replay_alloc(slots, sizeof(*table));
	for (known = old; known < end; known++)
		if (known->taken)
			*find(known->line) = *known;
	free(old);
}

static struct known *get(__u64 line)
{
	struct known *known;

	if (2 * used >= slots)
		grow();
	known = find(line);
	used += !known->taken;
	known->taken = true;
	known->line = line;
	return known;
}

/* Whether the records are those of whole operations; one at a time, of known threads. */
static bool find_operations(void)
{
	const struct trace_record *one, *begun = NULL;

	for (one = record + 1; one < record + nr; one++)
		nr_ops += kind_of(one) == TRACE_BEGIN;
	op = replay_alloc(nr_ops, sizeof(*op));
	nr_ops = 0;
	for (one = record + 1; one < record + nr; one++) {
		if (kind_of(one) > TRACE_TASK || one->thread >= 64 ||
		    one->home > REPLAY_NODES_MAX || one->word >= 8)
			return false;
		if ((kind_of(one) == TRACE_BEGIN) == !!begun ||
		    (begun && begun->thread != one->thread))
			return false;
		if (kind_of(one) == TRACE_END) {
			begun = NULL;
		} else if (kind_of(one) == TRACE_BEGIN) {
			begun = one;
			op[nr_ops++] = one;
		}
	}
	return nr_ops && !begun;
}

/* @number: that of the operation */
static void learn_word(struct known *known, const struct trace_record *one,
		       __u64 number)
{
	__u8 word = 1 << one->word;

	if (known->op != number)
		known->loaded = 0;
	known->op = number;
	if (kind_of(one) == TRACE_STORE || kind_of(one) == TRACE_ATOMIC)
		known->stored |= word;
	else if (kind_of(one) == TRACE_LOAD && known->loaded & word)
		known->again |= word;
	else if (kind_of(one) == TRACE_LOAD)
		known->loaded |= word;
}

static void learn(struct replay_trace *trace)
{
	const struct trace_record *one;
	struct known *known;
	__u64 number = 0;
	__u32 *lock;

	grow();
	for (one = record + 1; one < record + nr; one++) {
		/* A task begins to compare, as an operation does. */
		number += kind_of(one) == TRACE_BEGIN ||
			  kind_of(one) == TRACE_TASK;
		nr_tasks += adds_task(one);
		if (!has_line(one))
			continue;
		known = get(one->line);
		learn_word(known, one, number);
		known->own |= !!(one->kind & TRACE_OWN);
		known->waited |= kind_of(one) == TRACE_TO_NODE;
		known->threads |= 1ULL << one->thread;
		known->home = one->home ?: known->home;
		lock = &known->lock[!!(one->kind & TRACE_SECOND)];
		if (is_lock(one) && !*lock)
			*lock = ++trace->locks;
	}
}

static bool is_private(const struct known *known)
{
	return !known->home && !known->lock[0] && !known->lock[1] &&
	       !known->waited && !(known->threads & (known->threads - 1));
}

static int by_line(const void *a, const void *b)
{
	const struct known *const *one = a, *const *other = b;

	return ((*one)->line > (*other)->line) -
	       ((*one)->line < (*other)->line);
}

/* The lines that are not left out, by their addresses. */
static struct known **sort_lines(__u64 *number)
{
	struct known **sorted = replay_alloc(used, sizeof(*sorted)), *known;

	*number = 0;
	for (known = table; known < table + slots; known++)
		if (known->taken && !known->own && !is_private(known))
			sorted[(*number)++] = known;
	qsort(sorted, *number, sizeof(*sorted), by_line);
	return sorted;
}

/* Where lines do not follow each other, a number is left out. */
static void number_lines(struct replay_trace *trace)
{
	struct known **sorted, *known;
	__u64 number, i;
	unsigned int word;

	trace->home = replay_alloc(2 * used, sizeof(*trace->home));
	sorted = sort_lines(&number);
	for (i = 0; i < number; i++) {
		known = sorted[i];
		if (i && known->line != sorted[i - 1]->line + 1)
			trace->home[trace->lines++] = REPLAY_GAP;
		trace->home[trace->lines] = known->home;
		known->place = ++trace->lines;
		for (word = 0; word < 8; word++)
			if ((known->stored & known->again) >> word & 1)
				known->word[word] = ++trace->words;
	}
	free(sorted);
	for (known = table; known < table + slots; known++)
		if (known->taken && known->own)
			known->place = ++trace->own;
}

/*
 * Of an event about a task: its task, and the node. The core of a node is found by a hash of
 * its address, as in the scheme. False if the task was not added before.
 */
static bool link_task(struct replay_trace *trace, struct replay_event *event,
		      const struct trace_record *one)
{
	struct known *known = find(one->line);

	event->line = known->place - 1;
	if (event->kind == TRACE_TO_CORE)
		event->line = one->line * BLINK_LINE_BYTES * GOLDEN_RATIO_64 >>
			      32;
	if (adds_task(one)) {
		event->task = trace->tasks++;
		if (known->oldest)
			behind[known->newest - 1] = trace->tasks;
		else
			known->oldest = trace->tasks;
		known->newest = trace->tasks;
		return true;
	}
	if (!known->oldest)
		return false;
	event->task = known->oldest - 1;
	known->oldest = behind[event->task];
	trace->task[event->task] = event - trace->events;
	return true;
}

/* The event of a record; false if it is left out. @before: the thread's event before it */
static bool convert(const struct replay_trace *trace,
		    const struct trace_record *one, struct replay_event *event,
		    const struct replay_event *before)
{
	const struct known *known;

	*event = (struct replay_event){
		.line = REPLAY_NO_LINE,
		.insns = one->insns,
		.kind = kind_of(one),
	};
	if (!has_line(one) || is_of_task(one))
		return true;
	known = find(one->line);
	if (!known->place)
		return false;
	event->line = known->place - 1;
	/* Numbers behind those of the others. */
	if (known->own)
		event->line += trace->lines;
	if (is_lock(one))
		event->lock = known->lock[!!(one->kind & TRACE_SECOND)] - 1;
	else
		event->word = known->word[one->word];
	/* A load of the line that the one before it loaded. */
	return event->kind != TRACE_LOAD || before->kind != TRACE_LOAD ||
	       before->line != event->line ||
	       (event->word && event->word != before->word);
}

/*
 * Instructions of what is left out count for what follows. NULL if tasks of the operation are
 * left, or if there are some behind its TRACE_JOIN, or none is there.
 */
static struct replay_event *copy_operation(struct replay_trace *trace,
					   const struct trace_record *from,
					   struct replay_event *to)
{
	struct replay_event *begin = to, *before = to;
	__u32 insns = 0, left = 0;
	bool joins = false;

	for (;; from++) {
		if (!convert(trace, from, to, before)) {
			insns += to->insns;
			continue;
		}
		if (is_of_task(from) &&
		    (begin->join || !link_task(trace, to, from)))
			return NULL;
		left += adds_task(from);
		left -= to->kind == TRACE_TASK;
		joins |= to->kind == TRACE_TASK;
		if (to->kind == TRACE_JOIN)
			begin->join = to - trace->events;
		to->insns += insns;
		insns = 0;
		before = to++;
		if (before->kind == TRACE_END)
			return left || (joins && !begin->join) ? NULL : to;
	}
}

static bool copy_thread(struct replay_trace *trace, unsigned int thread,
			struct replay_event **to, __u32 *done)
{
	const struct trace_record *one;
	__u32 first = *done;
	__u64 i;

	for (i = 0; i < nr_ops; i++) {
		one = op[i];
		if (one->thread != thread)
			continue;
		trace->begin[(*done)++] = *to - trace->events;
		*to = copy_operation(trace, one, *to);
		if (!*to)
			return false;
	}
	if (*done == first)
		return true;
	/* Before its first operation the thread began. */
	trace->events[trace->begin[first]].insns = 0;
	trace->first[trace->threads++] = first;
	trace->first[trace->threads] = *done;
	return true;
}

static bool copy(struct replay_trace *trace)
{
	struct replay_event *to;
	unsigned int thread;
	__u32 done = 0;

	trace->events = replay_alloc(nr, sizeof(*trace->events));
	trace->begin = replay_alloc(nr_ops, sizeof(*trace->begin));
	trace->task = replay_alloc(nr_tasks, sizeof(*trace->task));
	behind = replay_alloc(nr_tasks, sizeof(*behind));
	to = trace->events;
	for (thread = 0; thread < 64; thread++)
		if (!copy_thread(trace, thread, &to, &done))
			return false;
	return true;
}

int replay_read(const char *path, struct replay_trace *trace)
{
	bool whole;

	memset(trace, 0, sizeof(*trace));
	if (map(path))
		return -1;
	whole = find_operations();
	if (whole) {
		learn(trace);
		number_lines(trace);
		trace->objects = record->line;
		whole = copy(trace);
	}
	if (!whole) {
		fprintf(stderr, "blink_replay: %s: incomplete\n", path);
		return -1;
	}
	free(behind);
	free(table);
	free(op);
	return 0;
}
