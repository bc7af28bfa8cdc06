// SPDX-License-Identifier: GPL-2.0
/*
 * All at once on one tree: programs that modify it on packets, programs that read it in
 * interrupts and under the locks of writers, and processes that modify it by ioctls. For
 * SECONDS=, otherwise a moment.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#include "bpf_test.h"
#include "change.h"
#include "contexts.h"

#define PACKET_KEYS 5000U
/* Above those of the packets, for the two processes that use ioctls. */
#define OTHER_KEYS 0x100000000ULL
#define CPUS 64
/* The harness ends the test after so many seconds, whatever SECONDS= says. */
#define MOST_SECONDS 86400

/* The data that the processes share. */
struct storm {
	int tree;
	int program;
	__u64 end;
};

FIXTURE(storm)
{
	struct storm storm;
	struct bpf_object *writers;
	struct bpf_object *readers;
	struct traffic *traffic;
	struct contexts *contexts;
	struct bpf_link *links[CPUS + 2];
	unsigned int nr_links;
};

FIXTURE_SETUP(storm)
{
	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	self->storm.tree = tree_new(0);
	self->writers = object_load("change");
	self->readers = object_load("contexts");
	ASSERT_NE(NULL, self->writers);
	ASSERT_NE(NULL, self->readers);
	self->traffic = object_shared(self->writers);
	self->contexts = object_shared(self->readers);
	ASSERT_NE(NULL, self->traffic);
	ASSERT_NE(NULL, self->contexts);
	self->traffic->handle = handle_of(self->storm.tree);
	self->traffic->keys = PACKET_KEYS;
	self->contexts->handle = self->traffic->handle;
	self->contexts->key = PACKET_KEYS / 2;
	self->storm.program = program_fd(self->writers, "on_packet");
}

static void detach(struct bpf_link **links, unsigned int *nr)
{
	while (*nr)
		bpf_link__destroy(links[--*nr]);
}

FIXTURE_TEARDOWN(storm)
{
	detach(self->links, &self->nr_links);
	munmap(self->contexts, page_size());
	munmap(self->traffic, page_size());
	bpf_object__close(self->readers);
	bpf_object__close(self->writers);
	close(self->storm.tree);
}

static const char packet[64];

/* Until the end, as the writers, and once in any case. */
static int send_until(const struct storm *storm)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = 1000);
	int err;

	do {
		err = bpf_prog_test_run_opts(storm->program, &opts);
	} while (!err && now_ms() < storm->end);
	return err;
}

/* Every second of the other keys. */
static int write_until(const struct storm *storm, unsigned int which)
{
	int ret;

	do {
		ret = apply(storm->tree, BLINK_TREE_OP_STORE,
			    OTHER_KEYS + which, 20000, 2);
		if (!ret)
			ret = apply(storm->tree, BLINK_TREE_OP_ERASE,
				    OTHER_KEYS + which, 20000, 2);
	} while (!ret && now_ms() < storm->end);
	return ret;
}

static int take_part(int id, void *arg)
{
	const struct storm *storm = arg;

	return id < 2 ? send_until(storm) : write_until(storm, id - 2);
}

/* Interrupt each CPU every 100 us that it is busy. Returns the number of CPUs. */
static unsigned int interrupt_all(const struct bpf_program *program,
				  struct bpf_link **links)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 100000,
	};
	unsigned int cpu;
	int event;

	for (cpu = 0; cpu < CPUS; cpu++) {
		event = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
		if (event < 0)
			return cpu;
		links[cpu] = bpf_program__attach_perf_event(program, event);
		if (!links[cpu])
			return cpu;
	}
	return cpu;
}

static struct bpf_program *program_of(const struct bpf_object *object,
				      const char *name)
{
	return bpf_object__find_program_by_name(object, name);
}

TEST_F_TIMEOUT(storm, readers_and_writers, MOST_SECONDS)
{
	const struct traffic *t = self->traffic;
	const struct contexts *c = self->contexts;
	unsigned int cpus;

	cpus = interrupt_all(program_of(self->readers, "in_interrupt"),
			     self->links);
	ASSERT_LT(0, cpus);
	self->links[cpus] =
		bpf_program__attach(program_of(self->readers, "at_split"));
	self->links[cpus + 1] =
		bpf_program__attach(program_of(self->readers, "at_merge"));
	self->nr_links = cpus + 2;
	ASSERT_NE(NULL, self->links[cpus]);
	ASSERT_NE(NULL, self->links[cpus + 1]);
	self->storm.end = now_ms() + 1000 * seconds_get(3);
	EXPECT_EQ(0, in_children(4, take_part, &self->storm));
	detach(self->links, &self->nr_links);
	fprintf(stderr,
		"# %llu packets: inserted %llu, erased %llu; %llu runs: answers %llu, busy %llu\n",
		t->turn, t->inserted, t->erased, c->runs, c->answers, c->busy);
	EXPECT_EQ(0, t->busy);
	EXPECT_EQ(0, t->errors);
	EXPECT_LT(0, t->erased);
	EXPECT_EQ(0, c->errors);
	EXPECT_LT(0, c->answers);
	EXPECT_EQ(READS * c->runs, c->answers + c->busy);
	EXPECT_EQ(0, tree_check(self->storm.tree, t->inserted - t->erased));
}

TEST_HARNESS_MAIN
