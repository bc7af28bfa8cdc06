// SPDX-License-Identifier: GPL-2.0
/* The prefetches of the simulated machine's CPUs (replay.h). */
#include "replay.h"

/* Lines that follow each other, at so many places at once. */
#define STREAMS 4
#define STREAM_MIN 3

/**
 * struct stream - lines that follow each other
 * @line: the last one
 * @length: how many there were
 * @step: 1 for upwards, or -1
 * @ahead: how many of the next ones were prefetched
 */
struct stream {
	__u32 line;
	__u32 length;
	int step;
	__u32 ahead;
};

/**
 * struct prefetcher - a CPU
 * @miss: lines that it prefetched, and when they come
 * @stream: lines that follow each other
 * @nr_streams: how many streams have begun
 */
struct prefetcher {
	struct {
		__u32 line;
		__u64 at;
	} miss[REPLAY_MISSES_MAX];
	struct stream stream[STREAMS];
	__u32 nr_streams;
};

static const struct replay_machine *m;
static const struct replay_trace *trace;
static struct prefetcher *cpus;

void prefetch_init(const struct replay_machine *machine,
		   const struct replay_trace *read)
{
	m = machine;
	trace = read;
	cpus = replay_alloc(m->cpus, sizeof(*cpus));
}

/* When a line is there that the CPU may have prefetched. */
__u64 prefetch_wait(unsigned int number, __u32 line, __u64 now)
{
	const struct prefetcher *cpu = &cpus[number];
	__u32 i;

	for (i = 0; i < m->misses; i++)
		if (cpu->miss[i].line == line && cpu->miss[i].at > now)
			now = cpu->miss[i].at;
	return now;
}

/* The place of the prefetch that ends first. */
static __u32 find_first(const struct prefetcher *cpu)
{
	__u32 first = 0, i;

	for (i = 1; i < m->misses; i++)
		if (cpu->miss[i].at < cpu->miss[first].at)
			first = i;
	return first;
}

/* Prefetch a line. Returns when the CPU goes on: it waits if its prefetches are too many. */
__u64 prefetch(unsigned int number, __u32 line, __u64 now)
{
	struct prefetcher *cpu = &cpus[number];
	__u32 first = find_first(cpu);
	__u64 at = caches_refer(number, line, false, now);

	if (at == now)
		return now;
	if (cpu->miss[first].at > now) {
		at += cpu->miss[first].at - now;
		now = cpu->miss[first].at;
	}
	cpu->miss[first].line = line;
	cpu->miss[first].at = at;
	return now;
}

/* Whether a CPU has as many prefetches as it can have. */
static bool is_full(const struct prefetcher *cpu, __u64 now)
{
	return cpu->miss[find_first(cpu)].at > now;
}

/* Prefetch what follows the last line of a stream, up to where another line is behind it. */
static void ask_ahead(__u32 number, struct stream *stream, __u64 now)
{
	__u32 next;

	stream->ahead -= !!stream->ahead;
	for (; stream->ahead < m->ahead; stream->ahead++) {
		next = stream->line + stream->step * (int)(stream->ahead + 1);
		if (next >= trace->lines || trace->home[next] == REPLAY_GAP ||
		    is_full(&cpus[number], now))
			return;
		prefetch(number, next, now);
	}
}

/* Whether a line is the next one of a stream. */
static bool is_next(struct stream *stream, __u32 line)
{
	int step = line - stream->line;

	if (!stream->length || (step != 1 && step != -1) ||
	    (stream->length > 1 && step != stream->step))
		return false;
	stream->line = line;
	stream->step = step;
	stream->length++;
	return true;
}

/* A CPU refers to a line: it is in a stream, or the first of another one. */
void prefetch_follow(unsigned int number, __u32 line, __u64 now)
{
	struct prefetcher *cpu = &cpus[number];
	struct stream *stream, *end = cpu->stream + STREAMS;

	for (stream = cpu->stream; stream < end; stream++) {
		if (stream->line == line && stream->length)
			return;
	}
	for (stream = cpu->stream; stream < end; stream++) {
		if (!is_next(stream, line))
			continue;
		if (stream->length >= STREAM_MIN)
			ask_ahead(number, stream, now);
		return;
	}
	stream = &cpu->stream[cpu->nr_streams++ % STREAMS];
	*stream = (struct stream){ .line = line, .length = 1 };
}
