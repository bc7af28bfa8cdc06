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

#include "numa/count/trace.h"
#include "replay.h"

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
 */
struct known {
	__u64 line;
	__u64 threads;
	__u32 place;
	__u32 lock[2];
	__u32 word[8];
	__u64 op;
	__u8 loaded;
	__u8 stored;
	__u8 again;
	__u8 home;
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
	return one->kind & ~TRACE_SECOND;
}

static bool has_line(const struct trace_record *one)
{
	return kind_of(one) >= TRACE_LOAD;
}

static bool is_lock(const struct trace_record *one)
{
	return kind_of(one) >= TRACE_LOCK;
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
		if (kind_of(one) > TRACE_UNLOCK || one->thread >= 64 ||
		    one->home > REPLAY_NODES_MAX || one->word >= 8)
			return false;
		if ((kind_of(one) == TRACE_BEGIN) == !!begun ||
		    (begun && begun->thread != one->thread))
			return false;
		if (kind_of(one) == TRACE_BEGIN)
			op[nr_ops++] = begun = one;
		else if (kind_of(one) == TRACE_END)
			begun = NULL;
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
		number += kind_of(one) == TRACE_BEGIN;
		if (!has_line(one))
			continue;
		known = get(one->line);
		learn_word(known, one, number);
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
	       !(known->threads & (known->threads - 1));
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
		if (known->taken && !is_private(known))
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
}

/* The event of a record; false if it is left out. @before: the thread's event before it */
static bool convert(const struct trace_record *one, struct replay_event *event,
		    const struct replay_event *before)
{
	const struct known *known;

	*event = (struct replay_event){
		.line = REPLAY_NO_LINE,
		.insns = one->insns,
		.kind = kind_of(one),
	};
	if (!has_line(one))
		return true;
	known = find(one->line);
	if (!known->place)
		return false;
	event->line = known->place - 1;
	if (is_lock(one))
		event->lock = known->lock[!!(one->kind & TRACE_SECOND)] - 1;
	else
		event->word = known->word[one->word];
	/* A load of the line that the one before it loaded. */
	return event->kind != TRACE_LOAD || before->kind != TRACE_LOAD ||
	       before->line != event->line ||
	       (event->word && event->word != before->word);
}

/* Instructions of what is left out count for what follows. */
static struct replay_event *copy_operation(const struct trace_record *from,
					   struct replay_event *to)
{
	const struct replay_event *before = to;
	__u32 insns = 0;

	for (;; from++) {
		if (!convert(from, to, before)) {
			insns += to->insns;
			continue;
		}
		to->insns += insns;
		insns = 0;
		before = to++;
		if (before->kind == TRACE_END)
			return to;
	}
}

static void copy_thread(struct replay_trace *trace, unsigned int thread,
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
		*to = copy_operation(one, *to);
	}
	if (*done == first)
		return;
	/* Before its first operation the thread began. */
	trace->events[trace->begin[first]].insns = 0;
	trace->first[trace->threads++] = first;
	trace->first[trace->threads] = *done;
}

int replay_read(const char *path, struct replay_trace *trace)
{
	struct replay_event *to;
	unsigned int thread;
	__u32 done = 0;

	memset(trace, 0, sizeof(*trace));
	if (map(path))
		return -1;
	if (!find_operations()) {
		fprintf(stderr, "blink_replay: %s: incomplete\n", path);
		return -1;
	}
	learn(trace);
	number_lines(trace);
	trace->objects = record->line;
	trace->events = replay_alloc(nr, sizeof(*trace->events));
	to = trace->events;
	trace->begin = replay_alloc(nr_ops, sizeof(*trace->begin));
	for (thread = 0; thread < 64; thread++)
		copy_thread(trace, thread, &to, &done);
	free(table);
	free(op);
	return 0;
}
