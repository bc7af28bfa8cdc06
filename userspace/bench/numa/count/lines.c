// SPDX-License-Identifier: GPL-2.0
/* All lines, in a hash table. */
#include <stdlib.h>
#include <string.h>

#include "count.h"

#define BUCKETS 262144

static struct line *bucket[BUCKETS];

static struct line **bucket_of(__u64 number)
{
	return &bucket[number % BUCKETS];
}

/* A line that is known, by an address in it; or NULL. */
struct line *line_find(__u64 address)
{
	__u64 number = address / BLINK_LINE_BYTES;
	struct line *line = *bucket_of(number);

	while (line && line->number != number)
		line = line->next;
	return line;
}

/* A line, known from now on; a program without memory ends. */
struct line *line_get(__u64 address, unsigned int home)
{
	struct line *line = line_find(address), **place;

	if (line)
		return line;
	line = calloc(1, sizeof(*line));
	if (!line)
		abort();
	line->number = address / BLINK_LINE_BYTES;
	line->home = home;
	place = bucket_of(line->number);
	line->next = *place;
	*place = line;
	return line;
}

/* True if the CPU's operation did not fetch the line before. */
static bool fetch(struct line *line, const struct cpu *cpu)
{
	if (line->fetcher == cpu->op)
		return false;
	line->fetcher = cpu->op;
	line->refs[cpu->class][0].fetched++;
	return true;
}

/* Note that a CPU, by its number, prefetches a line. */
void line_ask(struct line *line, unsigned int number)
{
	const struct cpu *cpu = &cpus[number];

	if (cpu->class && fetch(line, cpu))
		line->refs[cpu->class][0].asked++;
}

static void use(struct line *line, const struct cpu *cpu)
{
	fetch(line, cpu);
	if (line->user == cpu->op)
		return;
	line->user = cpu->op;
	line->refs[cpu->class][0].used++;
}

/* Note which CPU refers to a line, and which operation writes it. */
void line_refer(struct line *line, unsigned int number, bool store)
{
	struct cpu *cpu = &cpus[number];

	if (!cpu->class)
		return;
	line->users |= 1ULL << number;
	use(line, cpu);
	if (!store || line->writer == cpu->op)
		return;
	line->writer = cpu->op;
	line->refs[cpu->class][0].written++;
}

/* Zero a line's counters. */
void line_reset(struct line *line)
{
	line->users = 0;
	memset(line->refs, 0, sizeof(line->refs));
}

void lines_each(void (*visit)(struct line *line))
{
	struct line *line;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++)
		for (line = bucket[i]; line; line = line->next)
			visit(line);
}

/* No line is known any more. */
void lines_forget(void)
{
	struct line *line;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++) {
		while ((line = bucket[i])) {
			bucket[i] = line->next;
			free(line);
		}
	}
}
