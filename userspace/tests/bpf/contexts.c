// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs that read a tree while it is being modified: under the lock of a
 * leaf, in a write section, in interrupts and in NMIs. They get an answer or
 * -EAGAIN, and never wait.
 */
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"

#include "bpf_test.h"
#include "contexts.h"

#define KEYS 20000U

/* A tree, and the programs that read it. */
struct env {
	int tree;
	struct bpf_object *object;
	struct contexts *shared;
};

static bool env_begin(struct env *env, const struct blink_tree_ioc_create *how)
{
	env->tree = tree_new_as(how);
	env->object = object_load("contexts");
	if (env->tree < 0 || !env->object)
		return false;
	env->shared = object_shared(env->object);
	if (!env->shared)
		return false;
	env->shared->handle = handle_of(env->tree);
	env->shared->key = KEYS / 2;
	return env->shared->handle;
}

static void env_end(struct env *env)
{
	munmap(env->shared, page_size());
	bpf_object__close(env->object);
	close(env->tree);
}

FIXTURE(contexts)
{
	struct env env;
};

FIXTURE_VARIANT(contexts)
{
	struct blink_tree_ioc_create how;
};

FIXTURE_VARIANT_ADD(contexts, plain)
MEMBERS(.how = {});

FIXTURE_VARIANT_ADD(contexts, compressed)
MEMBERS(.how = { .flags = BLINK_TREE_CREATE_COMPRESS });

FIXTURE_VARIANT_ADD(contexts, copied)
MEMBERS(.how = { .replication = BLINK_TREE_REPLICATE_FULL });

FIXTURE_SETUP(contexts)
{
	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	ASSERT_TRUE(env_begin(&self->env, &variant->how));
}

FIXTURE_TEARDOWN(contexts)
{
	env_end(&self->env);
}

static struct bpf_link *attach(struct bpf_object *object, const char *name)
{
	return bpf_program__attach(
		bpf_object__find_program_by_name(object, name));
}

/* Modify the tree in many ways until a time has come, and once in any case. */
static int write_until(int tree, __u64 end)
{
	int ret;

	do {
		ret = fill(tree, 0, KEYS, 1);
		if (!ret)
			ret = apply(tree, BLINK_TREE_OP_ERASE, 0, KEYS, 1);
	} while (!ret && now_ms() < end);
	return ret;
}

/* Whether programs ran, and every function had an answer or returned -EAGAIN. */
static bool all_well(const struct contexts *shared)
{
	fprintf(stderr, "# runs %llu: answers %llu, busy %llu, errors %llu\n",
		shared->runs, shared->answers, shared->busy, shared->errors);
	return shared->runs && !shared->errors &&
	       shared->answers + shared->busy == READS * shared->runs;
}

static const char packet[64];

TEST_F(contexts, on_packets)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = 1000);

	ASSERT_EQ(0, fill(self->env.tree, 0, KEYS, 1));
	ASSERT_EQ(0, bpf_prog_test_run_opts(
			     program_fd(self->env.object, "on_packet"), &opts));
	EXPECT_TRUE(all_well(self->env.shared));
	EXPECT_EQ(1000, self->env.shared->runs);
	EXPECT_EQ(0, self->env.shared->busy);
}

TEST_F(contexts, under_the_lock_of_a_leaf)
{
	struct bpf_link *split = attach(self->env.object, "at_split");
	struct bpf_link *merge = attach(self->env.object, "at_merge");

	ASSERT_NE(NULL, split);
	ASSERT_NE(NULL, merge);
	EXPECT_EQ(0, write_until(self->env.tree, now_ms() + 1000));
	EXPECT_TRUE(all_well(self->env.shared));
	bpf_link__destroy(split);
	bpf_link__destroy(merge);
	EXPECT_EQ(0, tree_check(self->env.tree, 0));
}

/* The CPU interrupts itself each 100 us that it runs this task. */
TEST_F(contexts, in_interrupts)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 100000,
	};
	struct bpf_program *program = bpf_object__find_program_by_name(
		self->env.object, "in_interrupt");
	int event = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	struct bpf_link *link;

	ASSERT_GE(event, 0);
	link = bpf_program__attach_perf_event(program, event);
	ASSERT_NE(NULL, link);
	EXPECT_EQ(0, write_until(self->env.tree, now_ms() + 2000));
	bpf_link__destroy(link);
	EXPECT_TRUE(all_well(self->env.shared));
	EXPECT_EQ(0, tree_check(self->env.tree, 0));
}

/* The key that prints the backtraces of all CPUs sends them NMIs. */
TEST_F(contexts, in_nmis)
{
	struct bpf_link *link = attach(self->env.object, "in_nmi");
	unsigned int i;
	pid_t writer;
	int status;

	ASSERT_NE(NULL, link);
	writer = fork();
	if (!writer)
		_exit(!!write_until(self->env.tree, now_ms() + 2000));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, write_file("/proc", "sysrq-trigger", "l"));
		usleep(100000);
	}
	EXPECT_EQ(writer, waitpid(writer, &status, 0));
	EXPECT_EQ(0, status);
	bpf_link__destroy(link);
	EXPECT_TRUE(all_well(self->env.shared));
	EXPECT_EQ(0, tree_check(self->env.tree, 0));
}

/* All entries are in one leaf, so each function reads what is being changed. */
TEST(in_a_write_section)
{
	const struct blink_tree_ioc_create how = {
		.flags = BLINK_TREE_CREATE_COMPRESS,
	};
	struct bpf_link *link;
	struct env env = {};

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	ASSERT_TRUE(env_begin(&env, &how));
	link = attach(env.object, "in_section");
	ASSERT_NE(NULL, link);
	env.shared->key = 10;
	EXPECT_EQ(0, fill(env.tree, 0, 50, 1));
	bpf_link__destroy(link);
	EXPECT_TRUE(all_well(env.shared));
	EXPECT_EQ(50, env.shared->runs);
	EXPECT_EQ(0, env.shared->answers);
	EXPECT_EQ(0, tree_check(env.tree, 50));
	env_end(&env);
}

TEST_HARNESS_MAIN
