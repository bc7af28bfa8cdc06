// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers and invalidations, for short stories about one line; and
 * which NUMA node memory belongs to. Prints TAP.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../count.h"

/* Each word is a reference: "r2", node 2 reads; "w0", node 0 changes the line. */
static const struct story {
	const char *name;
	const char *words;
	unsigned int transfers;
	unsigned int invalidations;
} stories[] = {
	{ "reading alone moves nothing", "r0 r1 r2 r0 r1 r2", 0, 0 },
	{ "a first change moves nothing", "w0 w0 r0", 0, 0 },
	{ "what another one changed is transferred", "w0 r1", 1, 0 },
	{ "once", "w0 r1 r1 r0", 1, 0 },
	{ "to change it too, likewise", "w0 w1", 1, 1 },
	{ "back and forth", "w0 w1 w0 w1", 3, 3 },
	{ "all copies are invalidated", "r0 r1 r2 w0", 0, 2 },
	{ "who lost one gets it again", "r0 r1 r2 w0 r1 r2", 2, 2 },
	{ "a first copy of a clean line does not count", "w0 r1 r2", 1, 0 },
	{ "a change of one's own copy", "w0 r1 w1 w1 r0", 2, 1 },
	{},
};

static bool tell(const struct story *story)
{
	struct line line = {};
	struct refs refs = {};
	const char *word;

	for (word = story->words; word; word = strchr(word, ' ')) {
		word += *word == ' ';
		if (word[0] == 'w')
			directory_store(&line, word[1] - '0', &refs);
		else
			directory_load(&line, word[1] - '0', &refs);
	}
	if (refs.transfer == story->transfers &&
	    refs.invalidation == story->invalidations)
		return true;
	printf("# %s: %u transfers, %u invalidations\n", story->words,
	       refs.transfer, refs.invalidation);
	return false;
}

/*
 * Each word is a reference of a CPU or, with an "a", a prefetch, within an operation of its
 * own or, with a star, within the one that it is in already; "o0" is a change outside of all.
 */
static struct line operate(const char *words)
{
	struct line line = {};
	static __u64 ops;
	struct cpu *cpu;

	for (; words; words = strchr(words, ' ')) {
		words += *words == ' ';
		cpu = &cpus[words[1] - '0'];
		cpu->class = words[0] == 'o' ? 0 : BLINK_CLASS_CALL;
		if (words[2] != '*')
			cpu->op = ++ops;
		if (words[0] == 'a')
			line_ask(&line, words[1] - '0');
		else
			line_refer(&line, words[1] - '0', words[0] != 'r');
	}
	return line;
}

static bool tell_writes(const char *words, unsigned int written, __u64 users)
{
	const struct line line = operate(words);

	return line.refs[BLINK_CLASS_CALL][0].written == written &&
	       line.users == users;
}

static bool writes(void)
{
	return tell_writes("r0 r1", 0, 3) && tell_writes("w0 w0* r0*", 1, 1) &&
	       tell_writes("w0 w0", 2, 1) && tell_writes("w0 w1 w1*", 2, 3) &&
	       tell_writes("o0 w1", 1, 2);
}

static bool tell_fetches(const char *words, unsigned int fetched,
			 unsigned int asked, unsigned int used)
{
	const struct line line = operate(words);
	const struct refs *refs = &line.refs[BLINK_CLASS_CALL][0];

	return refs->fetched == fetched && refs->asked == asked &&
	       refs->used == used;
}

static bool fetches(void)
{
	return tell_fetches("r0 r0*", 1, 0, 1) &&
	       tell_fetches("r0 w0", 2, 0, 2) &&
	       tell_fetches("a0 a0*", 1, 1, 0) &&
	       tell_fetches("a0 r0* w0*", 1, 1, 1) &&
	       tell_fetches("r0 a0* r0*", 1, 0, 1) &&
	       tell_fetches("a0 r0", 2, 1, 1);
}

static bool homes(void)
{
	const __u64 size = 1ULL << 29;

	return !topology_set(4, 8, size) && topology_home(0) == 0 &&
	       topology_home(size - 1) == 0 && topology_home(size) == -1 &&
	       topology_home(2 * size) == 1 &&
	       topology_home(7 * size - 1) == 3 &&
	       topology_home(7 * size) == -1 && topology_home(8 * size) == -1 &&
	       cpus[1].node == 0 && cpus[2].node == 1 && cpus[7].node == 3;
}

static bool misfits(void)
{
	return topology_set(0, 8, 4096) && topology_set(2, 0, 4096) &&
	       topology_set(2, 3, 4096) && topology_set(2, 4, 0) &&
	       topology_set(NODES_MAX + 1, 18, 4096) &&
	       topology_set(2, CPUS_MAX + 2, 4096);
}

static unsigned int results;

static void result(bool good, const char *name)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++results, name);
}

int main(void)
{
	const struct story *story;

	puts("TAP version 13");
	for (story = stories; story->name; story++)
		result(tell(story), story->name);
	result(writes(), "an operation writes a line once, and CPUs share it");
	result(fetches(), "an operation fetches a line once");
	result(homes(), "memory and CPUs belong to their node");
	result(misfits(), "guests that cannot be counted are refused");
	printf("1..%u\n", results);
	return 0;
}
