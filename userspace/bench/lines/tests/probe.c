// SPDX-License-Identifier: GPL-2.0
/*
 * Operations whose lines and instructions are known. Usage: lines_probe NAME LINES.
 * Each of ten operations refers to so many lines, 60 at most, of a page. It executes
 * four instructions for each line that it loads from or stores to.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <stdlib.h>

#include "lab/marks.h"
#include "tell.h"

#define PAGE 4096
#define OPS 10
#define LINES_MAX 60

/* For each line an instruction that refers to (%0), and three for the loop. */
#define loop(instruction, line, n)                              \
	asm volatile("1:\n\t" instruction "\n\tadd $64, %0\n\t" \
		     "dec %1\n\tjne 1b"                         \
		     : "+r"(line), "+r"(n)                      \
		     :                                          \
		     : "rax", "cc", "memory")

static void load(const char *line, unsigned long n)
{
	loop("movzbl (%0), %%eax", line, n);
}

static void store(const char *line, unsigned long n)
{
	loop("movb $1, 63(%0)", line, n);
}

static void ask(const char *line, unsigned long n)
{
	for (; n; n--, line += BLINK_LINE_BYTES)
		prefetch(line);
}

/* As blink_ask(), with a register that takes a prefix of the instruction. */
static void ask_by_r8(const char *line, unsigned long n)
{
	for (; n; n--, line += BLINK_LINE_BYTES)
		asm volatile("mov %0, %%r8\n\tcmpl %1, (%%r8)"
			     :
			     : "r"(line), "i"(BLINK_MARK_MAGIC | BLINK_MARK_ASK)
			     : "r8", "cc");
}

/* As of the leaf of a descent that is stale: a member of no structure. */
static void ask_null(const char *line, unsigned long n)
{
	for (; n; n--)
		prefetch((const char *)(n * BLINK_LINE_BYTES));
}

static void nothing(const char *line, unsigned long n)
{
}

static const struct probe {
	const char *name;
	void (*first)(const char *line, unsigned long n);
	void (*second)(const char *line, unsigned long n);
} probes[] = {
	{ "nothing", nothing, nothing },  { "load", load, nothing },
	{ "store", store, nothing },	  { "load-load", load, load },
	{ "load-store", load, store },	  { "ask", ask, nothing },
	{ "ask-r8", ask_by_r8, nothing }, { "ask-load", ask, load },
	{ "load-ask", load, ask },	  { "ask-null", ask_null, nothing },
	{ "other", load, nothing },	  {},
};

static const struct probe *find_probe(const char *name)
{
	const struct probe *probe;

	for (probe = probes; probe->name; probe++)
		if (!strcmp(probe->name, name))
			return probe;
	shim_die(__FILE__, __LINE__, "there is no such probe");
}

int main(int argc, char **argv)
{
	static char other[PAGE] __aligned(64);
	struct kmem_cache *cache;
	const struct probe *probe;
	unsigned long lines;
	const char *place;
	unsigned int i;

	if (argc != 3)
		shim_die(__FILE__, __LINE__, "usage: lines_probe NAME LINES");
	probe = find_probe(argv[1]);
	lines = min_t(unsigned long, strtoul(argv[2], NULL, 10), LINES_MAX);
	cache = kmem_cache_create("probe", PAGE, 0, 0, NULL);
	place = kmem_cache_alloc(cache, GFP_KERNEL);
	if (!strcmp(probe->name, "other"))
		place = other;
	lines_begin();
	for (i = 0; i < OPS; i++) {
		blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
		probe->first(place, lines);
		probe->second(place, lines);
		blink_mark(BLINK_MARK_END);
	}
	lines_end();
	return 0;
}
