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

/**
 * line_find() - a line that is known
 * @address: an address in it
 *
 * Return: the line or NULL.
 */
struct line *line_find(__u64 address)
{
	__u64 number = address / BLINK_LINE_BYTES;
	struct line *line = *bucket_of(number);

	while (line && line->number != number)
		line = line->next;
	return line;
}

/**
 * line_get() - a line, known from now on
 * @address: an address in it
 * @home: NUMA node that it belongs to
 *
 * Return: the line; a program without memory ends.
 */
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

/**
 * line_ask() - note that a CPU prefetches a line
 * @line: the line
 * @number: the CPU's
 */
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

/**
 * line_refer() - note which CPU refers to a line, and which operation writes it
 * @line: the line
 * @number: the CPU's
 * @store: whether it stores to it
 */
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

/**
 * line_reset() - zero a line's counters
 * @line: the line
 */
void line_reset(struct line *line)
{
	line->users = 0;
	memset(line->refs, 0, sizeof(line->refs));
}

/**
 * lines_each() - call a function for each line
 * @visit: the function
 */
void lines_each(void (*visit)(struct line *line))
{
	struct line *line;
	unsigned int i;

	for (i = 0; i < BUCKETS; i++)
		for (line = bucket[i]; line; line = line->next)
			visit(line);
}

/**
 * lines_forget() - no line is known any more
 */
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
