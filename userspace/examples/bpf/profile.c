// SPDX-License-Identifier: GPL-2.0
/*
 * Tell in which functions the kernel spends its time.
 *
 *	profile [SECONDS]
 *
 * A program runs 99 times a second on each CPU. It finds the symbol of the address that
 * was interrupted, by one call. Prints the ten symbols with the most samples.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "loader.h"
#include "profile.h"

#define SHOWN 10

struct symbol {
	__u64 address;
	char *name;
	__u64 samples;
};

/* All functions of the kernel; the number of a symbol is its place here. */
struct symbols {
	struct symbol *symbol;
	size_t nr;
};

static void add(struct symbols *symbols, __u64 address, const char *name)
{
	size_t size = (symbols->nr + 1) * sizeof(struct symbol);
	struct symbol *symbol = realloc(symbols->symbol, size);

	if (!symbol)
		die("symbols", -ENOMEM);
	symbols->symbol = symbol;
	symbol[symbols->nr] = (struct symbol){ address, strdup(name), 0 };
	if (!symbol[symbols->nr++].name)
		die("symbols", -ENOMEM);
}

static void read_symbols(struct symbols *symbols)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char line[1024], name[512], type;

	if (!file)
		die("/proc/kallsyms", -errno);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %c %511s", &address, &type, name) == 3 &&
		    strchr("tTwW", type) && address)
			add(symbols, address, name);
	fclose(file);
	if (!symbols->nr)
		die("/proc/kallsyms has no addresses", -EPERM);
}

/* Of several symbols with one address the first is kept. */
static void store(struct blinktree *tree, const struct symbols *symbols)
{
	size_t i;
	int err;

	for (i = 0; i < symbols->nr; i++) {
		err = blinktree_insert(tree, symbols->symbol[i].address, i,
				       NULL);
		if (err && err != -EEXIST)
			die("insert", err);
	}
}

/* Run a program on each CPU that is online, as long as this one runs. */
static void attach(const struct bpf_program *program)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 99,
		.freq = true,
	};
	long cpu, nr = sysconf(_SC_NPROCESSORS_CONF);
	int event;

	for (cpu = 0; cpu < nr; cpu++) {
		event = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
				PERF_FLAG_FD_CLOEXEC);
		if (event < 0 && errno == ENODEV)
			continue;
		if (event < 0)
			die("perf_event_open", -errno);
		if (!bpf_program__attach_perf_event(program, event))
			die("perf_event", -errno);
	}
}

static int by_samples(const void *a, const void *b)
{
	const struct symbol *one = a, *two = b;

	return (one->samples < two->samples) - (one->samples > two->samples);
}

static void read_samples(int map, struct symbols *symbols)
{
	__u64 number, next, samples;
	bool first = true;

	while (!bpf_map_get_next_key(map, first ? NULL : &number, &next)) {
		first = false;
		number = next;
		if (number < symbols->nr &&
		    !bpf_map_lookup_elem(map, &number, &samples))
			symbols->symbol[number].samples = samples;
	}
}

static void tell(const struct bpf_object *object, struct symbols *symbols)
{
	size_t i;

	read_samples(bpf_object__find_map_fd_by_name(object, "samples"),
		     symbols);
	qsort(symbols->symbol, symbols->nr, sizeof(struct symbol), by_samples);
	for (i = 0; i < SHOWN && i < symbols->nr; i++)
		if (symbols->symbol[i].samples)
			printf("%8llu %s\n",
			       (unsigned long long)symbols->symbol[i].samples,
			       symbols->symbol[i].name);
}

int main(int argc, char **argv)
{
	struct blinktree *tree = new_tree(BLINK_TREE_KEY_U64);
	struct profile profile = {};
	struct symbols symbols = {};
	struct bpf_object *object;
	int seconds = argc > 1 ? atoi(argv[1]) : 5;

	if (argc > 2 || seconds <= 0) {
		fprintf(stderr, "usage: profile [SECONDS]\n");
		return 2;
	}
	read_symbols(&symbols);
	store(tree, &symbols);
	profile.symbols = handle_of(tree);
	object = load_object("profile", &profile, sizeof(profile));
	attach(program_of(object, "sample"));
	sleep(seconds);
	tell(object, &symbols);
	return 0;
}
