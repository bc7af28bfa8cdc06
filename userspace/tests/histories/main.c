// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder: has clients work on one tree after the other, and writes what
 * they recorded to the standard output, for the checker.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../streams.h"
#include "../../../kunit/modes.h"
#include "client.h"
#include "target.h"

#define ONE_LEAF_KEYS 4

/* A round that takes longer hangs. */
#define HANG_SECONDS 60

static const char usage[] =
	"usage: blink_record [OPTION]... >HISTORY\n"
	"Record what clients ask of a tree, and what they are answered.\n"
	"  -c, --clients N      how many work at once, 8 at most (4)\n"
	"  -k, --keys N         keys there can be at most, 8 to 1024 (48)\n"
	"  -m, --mode NAME      what trees are like: plain (default), or another\n"
	"                       mode of kunit/modes.h\n"
	"  -o, --operations N   about how many each client does in a round (200)\n"
	"  -r, --rounds N       how many trees, one after the other (no limit)\n"
	"  -f, --first N        number of the first round (0)\n"
	"  -s, --seed N         what random choices follow from (1); 0: the time\n"
	"  -t, --seconds N      when to stop (5)\n"
	"  -h, --help           print this\n"
	"Exit status: 0 all recorded, 2 something failed or is wrong.\n";

#define MODE_COMPRESS BLINK_TREE_CREATE_COMPRESS
#define MODE(unused, word, text, nr, ...) \
	{ .name = (text), .nodes = (nr), .how = { __VA_ARGS__ } },

static const struct mode modes[] = { FOR_EACH_MODE(MODE, unused) };

static const struct mode *mode = &modes[0];
static __u64 seed = 1;
static __u64 seconds = 5;
static __u64 first_round;
static __u64 rounds = ~0ULL;
static __u64 clients = 4;
static __u64 max_keys = 48;
static __u64 operations = 200;

static const struct mode *find_mode(const char *name)
{
	const struct mode *m;

	for (m = modes; m < modes + sizeof(modes) / sizeof(*m); m++)
		if (!strcmp(m->name, name))
			return m;
	fprintf(stderr, "recorder: no such mode: %s\n", name);
	exit(2);
}

static __u64 number(const char *text, __u64 least, __u64 most)
{
	char *rest;
	__u64 n = strtoull(text, &rest, 10);

	if (!*text || *rest || n < least || n > most) {
		fprintf(stderr, "recorder: not between %llu and %llu: %s\n",
			least, most, text);
		exit(2);
	}
	return n;
}

static bool take_option(int c)
{
	const __u64 any = ~0ULL;

	switch (c) {
	case 'c':
		clients = number(optarg, 1, HISTORY_CLIENTS);
		return true;
	case 'k':
		max_keys = number(optarg, 8, CLIENT_KEYS);
		return true;
	case 'm':
		mode = find_mode(optarg);
		return true;
	case 'o':
		operations = number(optarg, 4, 1000);
		return true;
	case 'r':
		rounds = number(optarg, 1, any);
		return true;
	case 'f':
		first_round = number(optarg, 0, any);
		return true;
	case 's':
		seed = number(optarg, 0, any);
		return true;
	case 't':
		seconds = number(optarg, 1, 1000000);
		return true;
	default:
		return false;
	}
}

static void parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{ "clients", required_argument, NULL, 'c' },
		{ "keys", required_argument, NULL, 'k' },
		{ "mode", required_argument, NULL, 'm' },
		{ "operations", required_argument, NULL, 'o' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "first", required_argument, NULL, 'f' },
		{ "seed", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	int c;

	while ((c = getopt_long(argc, argv, "c:k:m:o:r:f:s:t:h", options,
				NULL)) != -1) {
		if (take_option(c))
			continue;
		fputs(usage, c == 'h' ? stdout : stderr);
		exit(c == 'h' ? 0 : 2);
	}
	if (optind < argc) {
		fputs(usage, stderr);
		exit(2);
	}
}

/* Few keys or many; side by side or far apart, at either end of all there are. */
static void begin_round(__u64 i)
{
	__u64 state = random_stream(seed, i);
	struct history_head *head = &current.head;

	head->round = i;
	head->keys = max_keys / (1 + random_below(&state, 4));
	current.operations = operations;
	/* So few fit into a leaf, which is split for its heat before long. */
	if (!random_below(&state, 2)) {
		head->keys = ONE_LEAF_KEYS;
		current.operations = 4 + operations / 16;
	}
	head->nearest = random_below(&state, 2);
	head->key_step = random_below(&state, 2) ? 1 : 1ULL << 40;
	head->key_base = 0;
	if (random_below(&state, 2))
		head->key_base = ~0ULL - (head->keys - 1) * head->key_step;
	for (i = 0; i < clients; i++) {
		current.parts[i].records = 0;
		current.parts[i].entries = 0;
		current.parts[i].batches = 0;
	}
	*current.ready = 0;
}

/* The counters of all rounds; without splits and merges the recorder fails. */
static struct blink_tree_ioc_stats total;

static void add_up(void)
{
	struct blink_tree_ioc_stats stats;

	target_stats(&stats);
	current.head.one_leaf = !stats.splits;
	total.splits += stats.splits;
	total.merges += stats.merges;
	total.root_grows += stats.root_grows;
	total.root_shrinks += stats.root_shrinks;
}

static void tell_total(void)
{
	fprintf(stderr,
		"%llu splits, %llu merges, %llu levels gained, %llu lost\n",
		total.splits, total.merges, total.root_grows,
		total.root_shrinks);
	if (!total.splits || !total.merges)
		history_die("too few operations to split and merge", EINVAL);
}

static void one_round(__u64 i)
{
	begin_round(i);
	alarm(HANG_SECONDS);
	target_new_tree(mode);
	target_run(clients, client_work);
	client_look_at_all();
	add_up();
	alarm(0);
	history_write(&current.head, current.parts);
}

int main(int argc, char **argv)
{
	__u64 i, until;

	streams_open();
	parse_options(argc, argv);
	if (!seed)
		seed = time(NULL);
	current.parts = history_alloc(clients);
	current.ready = mmap(NULL, sizeof(*current.ready),
			     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0);
	if (current.ready == MAP_FAILED)
		history_die("no memory", errno);
	current.head.seed = seed;
	current.head.clients = clients;
	snprintf(current.head.mode, sizeof(current.head.mode), "%s",
		 mode->name);
	target_init();
	until = history_clock() + seconds * 1000000000;
	for (i = first_round;
	     i - first_round < rounds && history_clock() < until; i++)
		one_round(i);
	tell_total();
	return 0;
}
