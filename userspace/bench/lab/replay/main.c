// SPDX-License-Identifier: GPL-2.0
/*
 * blink_replay: execute a trace on a simulated machine (replay.h).
 *
 *   blink_replay TRACE CALLS WORD=NUMBER...
 *
 * CALLS is how many operations a call has. The words are the members of struct
 * replay_machine; all are needed. It prints an answer as blink_lab does, and besides
 * how many lines were transferred, how often a lock was waited for, and how many locks were
 * given up by force. The exit status is 0 or an errno.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

static const struct word {
	const char *name;
	size_t offset;
	__u32 least;
	__u32 most;
} words[] = {
#define WORD(name, least, most) \
	{ #name, offsetof(struct replay_machine, name), least, most }
	WORD(cpus, 1, REPLAY_CPUS_MAX),
	WORD(nodes, 1, REPLAY_NODES_MAX),
	WORD(insn, 1, 1000000),
	WORD(shared, 0, 100000000),
	WORD(near, 1, 100000000),
	WORD(far, 1, 100000000),
	WORD(memory, 0, 100000000),
	WORD(far_memory, 0, 100000000),
	WORD(misses, 1, REPLAY_MISSES_MAX),
	WORD(ahead, 0, REPLAY_MISSES_MAX),
	WORD(stores, 1, REPLAY_STORES_MAX),
	WORD(own_lines, 16, 1U << 24),
	WORD(node_lines, 16, 1U << 30),
};

#define WORDS (sizeof(words) / sizeof(*words))

static bool parse_word(const char *text, struct replay_machine *machine,
		       bool *given)
{
	const char *value = strchr(text, '=');
	unsigned long number;
	char *end;
	size_t i;

	for (i = 0; value && i < WORDS; i++) {
		if (strlen(words[i].name) != (size_t)(value - text) ||
		    strncmp(text, words[i].name, value - text))
			continue;
		number = strtoul(value + 1, &end, 10);
		if (end == value + 1 || *end || number < words[i].least ||
		    number > words[i].most)
			return false;
		*(__u32 *)((char *)machine + words[i].offset) = number;
		given[i] = true;
		return true;
	}
	return false;
}

static bool parse(char **argv, struct replay_machine *machine)
{
	bool given[WORDS] = {};
	size_t i;

	for (; *argv; argv++)
		if (!parse_word(*argv, machine, given))
			return false;
	for (i = 0; i < WORDS; i++)
		if (!given[i])
			return false;
	return machine->nodes <= machine->cpus;
}

static void print(const struct replay_result *result, __u32 cpus, __u64 calls)
{
	__u64 ops = 0;
	__u32 i;

	for (i = 0; i < cpus; i++)
		ops += result->share[i].calls * calls;
	printf("number=0 threads=%u ops=%llu ns=%llu wrong=0 retries=%llu ",
	       cpus, ops, result->time / 1000, result->retries);
	printf("bytes=- entries=- transfers=%llu waits=%llu broken=%llu each=",
	       result->transfers, result->waits, result->broken);
	for (i = 0; i < cpus; i++)
		printf("%s%llu/%llu", i ? "," : "",
		       result->share[i].calls * calls,
		       result->share[i].time / 1000);
	puts("");
}

int main(int argc, char **argv)
{
	static struct replay_result result;
	static struct replay_trace trace;
	struct replay_machine machine = {};
	unsigned long calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	int ret = 0;

	if (!calls || !parse(argv + 3, &machine)) {
		fprintf(stderr, "usage: %s TRACE CALLS WORD=NUMBER...\n",
			argv[0]);
		ret = -EINVAL;
	} else if (replay_read(argv[1], &trace)) {
		ret = -EPROTO;
	} else if (replay_run(&machine, &trace, &result)) {
		fprintf(stderr, "%s: too few operations\n", argv[1]);
		ret = -ERANGE;
	} else {
		print(&result, machine.cpus, calls);
	}
	return -ret;
}
