// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of finding an address among prefixes in a BPF program: by trees, and by the
 * kernel's tries of prefixes.
 *
 *	prefix_cost NUMBER...
 *
 * For each number of prefixes it prints a line for each family and each structure, and
 * lets the counters of the plugin be dumped twice for it (marks.h): after runs for all
 * addresses, and after a run for each address. Both structures must find as many addresses.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "../../examples/bpf/loader.h"
#include "../../examples/bpf/prefixes.h"
#include "../../tests/common/random.h"
#include "../thread.h"
#include "marks.h"
#include "prefix_cost.h"

/* Runs of a program that are counted. */
#define RUNS 8

static __u64 random_state = 1;

/* A family of addresses: how its prefixes are made, and what has them. */
struct family {
	const char *name;
	enum blink_tree_key key;
	/* Bytes of an address. */
	size_t size;
	/* Lengths of prefixes: from one to another. */
	unsigned int least;
	unsigned int most;
	struct prefixes prefixes;
	struct blinktree *tree;
};

static void random_bytes(unsigned char *to, size_t size)
{
	while (size--)
		to[size] = random_next(&random_state) >> 32;
}

/* Where an address begins in a key. */
static const unsigned char *address_of(const struct family *f,
				       const struct prefix *prefix)
{
	return prefix->key + f->prefixes.key_length - f->size;
}

static void make_prefixes(struct family *f, size_t nr)
{
	unsigned char key[16] = {};
	unsigned int length;

	f->prefixes = (struct prefixes){
		.key_length = f->key == BLINK_TREE_KEY_U64 ? 8 : 16,
	};
	while (nr--) {
		random_bytes(key + f->prefixes.key_length - f->size, f->size);
		length = f->least +
			 random_below(&random_state, f->most - f->least + 1);
		if (prefixes_add(&f->prefixes, key, length))
			die("prefixes", -ENOMEM);
	}
	prefixes_tidy(&f->prefixes);
}

static void fill_trie(int map, const struct family *f)
{
	struct {
		__u32 length;
		__u8 address[16];
	} key;
	const __u64 value = 1;
	size_t i;

	for (i = 0; i < f->prefixes.nr; i++) {
		key.length = f->prefixes.prefix[i].length;
		memcpy(key.address, address_of(f, &f->prefixes.prefix[i]),
		       f->size);
		if (bpf_map_update_elem(map, &key, &value, BPF_ANY))
			die("bpf_map_update_elem", -errno);
	}
}

/* Half of the addresses begin as a prefix does. */
static void choose(const struct family *f, unsigned char *to)
{
	const struct prefix *prefix =
		&f->prefixes.prefix[random_below(&random_state, f->prefixes.nr)];

	random_bytes(to, f->size);
	if (random_next(&random_state) & 1)
		memcpy(to, address_of(f, prefix), (prefix->length + 7) / 8);
}

static void choose_all(const struct family *f, struct prefix_cost *shared)
{
	unsigned int i;

	for (i = 0; i < ADDRESSES; i++)
		choose(f, f->size == 4 ? shared->ipv4[i] : shared->ipv6[i]);
}

/* The memory of a map, as the kernel tells it. */
static unsigned long long map_bytes(int map)
{
	unsigned long long bytes = 0;
	char path[64], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", map);
	file = fopen(path, "r");
	if (!file)
		die(path, -errno);
	while (fgets(line, sizeof(line), file))
		sscanf(line, "memlock: %llu", &bytes);
	fclose(file);
	return bytes;
}

static unsigned long long tree_bytes(struct blinktree *tree)
{
	struct blinktree_stats *stats;
	unsigned long long bytes;
	int err = blinktree_stats_read(tree, 0, &stats);

	if (err)
		die("stats", err);
	bytes = blinktree_stats_counters(stats)->bytes;
	blinktree_stats_free(stats);
	return bytes;
}

static const char packet[64];

static void run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet));

	blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
	if (bpf_prog_test_run_opts(bpf_program__fd(program), &opts))
		die("bpf_prog_test_run", -errno);
	blink_mark(BLINK_MARK_END);
}

/* Count runs of a program for all addresses. Returns how many of them a run found. */
static __u64 measure_runs(const struct bpf_program *program,
			  struct prefix_cost *shared)
{
	int i;

	shared->first = 0;
	shared->count = ADDRESSES;
	run(program);
	blink_mark(BLINK_MARK_COUNT);
	for (i = 0; i < RUNS; i++)
		run(program);
	blink_mark(BLINK_MARK_PAUSE);
	blink_mark(BLINK_MARK_DUMP);
	return shared->found;
}

/* Count a run for each address, since a run counts a line once. */
static void measure_addresses(const struct bpf_program *program,
			      struct prefix_cost *shared)
{
	shared->count = 1;
	blink_mark(BLINK_MARK_COUNT);
	for (shared->first = 0; shared->first < ADDRESSES; shared->first++)
		run(program);
	blink_mark(BLINK_MARK_PAUSE);
	blink_mark(BLINK_MARK_DUMP);
}

/* Returns how many addresses a program finds. */
static __u64 measure(const struct bpf_object *object, const char *kind,
		     const struct family *f, struct prefix_cost *shared,
		     unsigned long long bytes)
{
	const struct bpf_program *program;
	unsigned long long found;
	char name[32];

	snprintf(name, sizeof(name), "find_%s_%s", kind, f->name);
	program = program_of(object, name);
	found = measure_runs(program, shared);
	measure_addresses(program, shared);
	printf("prefixes=%zu family=%s kind=%s runs=%d addresses=%d found=%llu bytes=%llu\n",
	       f->prefixes.nr, f->name, kind, RUNS, ADDRESSES, found, bytes);
	return found;
}

static void measure_family(struct bpf_object *object, struct family *f,
			   struct prefix_cost *shared)
{
	char name[] = "trie4";
	__u64 by_tree;
	int map;

	name[4] = f->size == 4 ? '4' : '6';
	map = bpf_object__find_map_fd_by_name(object, name);
	fill_trie(map, f);
	choose_all(f, shared);
	measure(object, "no", f, shared, 0);
	by_tree = measure(object, "tree", f, shared, tree_bytes(f->tree));
	if (measure(object, "trie", f, shared, map_bytes(map)) != by_tree)
		die("the tree and the trie find other addresses", -EIO);
}

static void begin(struct family *f, size_t nr)
{
	int err;

	make_prefixes(f, nr);
	f->tree = new_tree(f->key);
	err = prefixes_load(f->tree, &f->prefixes);
	if (err)
		die("load", err);
}

static void end(struct family *f)
{
	blinktree_close(f->tree);
	free(f->prefixes.prefix);
}

static struct prefix_cost *map_shared(const struct bpf_object *object)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
	void *shared = mmap(NULL, bpf_map__value_size(map),
			    PROT_READ | PROT_WRITE, MAP_SHARED,
			    bpf_map__fd(map), 0);

	if (shared == MAP_FAILED)
		die("mmap", -errno);
	return shared;
}

static void measure_all(size_t nr)
{
	struct family ipv4 = {
		.name = "ipv4",
		.key = BLINK_TREE_KEY_U64,
		.size = 4,
		.least = 16,
		.most = 28,
	};
	struct family ipv6 = {
		.name = "ipv6",
		.key = BLINK_TREE_KEY_U128,
		.size = 16,
		.least = 32,
		.most = 64,
	};
	struct prefix_cost initial = {}, *shared;
	struct bpf_object *object;

	begin(&ipv4, nr);
	begin(&ipv6, nr);
	initial.handles.ipv4 = handle_of(ipv4.tree);
	initial.handles.ipv6 = handle_of(ipv6.tree);
	object = load_object("prefix_cost", &initial, sizeof(initial));
	shared = map_shared(object);
	measure_family(object, &ipv4, shared);
	measure_family(object, &ipv6, shared);
	munmap(shared, sizeof(*shared));
	bpf_object__close(object);
	end(&ipv4);
	end(&ipv6);
}

int main(int argc, char **argv)
{
	int i;

	thread_pin(0);
	for (i = 1; i < argc; i++) {
		measure_all(strtoul(argv[i], NULL, 10));
		fflush(stdout);
	}
	return 0;
}
