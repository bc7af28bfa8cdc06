// SPDX-License-Identifier: GPL-2.0
/*
 * Reading trees by BPF programs: the handles, what each function returns, and
 * that it is what the ioctls of the device return.
 */
#include <pthread.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

#include "bpf_test.h"
#include "query.h"

#define KEYS 1000U
#define STEP 7

FIXTURE(reads)
{
	int device;
	int tree;
	__u64 handle;
	struct bpf_object *object;
	int program;
};

FIXTURE_SETUP(reads)
{
	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, STEP, KEYS, STEP));
	self->handle = handle_of(self->tree);
	ASSERT_NE(0, self->handle);
	self->object = object_load("query");
	ASSERT_NE(NULL, self->object);
	self->program = program_fd(self->object, "run_query");
}

FIXTURE_TEARDOWN(reads)
{
	bpf_object__close(self->object);
	close(self->tree);
	close(self->device);
}

/* Have the program execute a query. Returns the result of its function. */
static int ask(int program, struct query *query)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = query,
		    .ctx_size_in = sizeof(*query));
	int err = bpf_prog_test_run_opts(program, &opts);

	return err ? -EUCLEAN : query->result;
}

static int find(int program, __u64 handle, unsigned int kind, __u64 key)
{
	struct query query = { .kind = kind, .handle = handle, .key = key };

	return ask(program, &query);
}

TEST_F(reads, handle_is_that_of_the_descriptor)
{
	int copy = dup(self->tree), other = tree_new(0);

	EXPECT_EQ(self->handle, handle_of(self->tree));
	EXPECT_EQ(self->handle, handle_of(copy));
	EXPECT_NE(0, handle_of(other));
	EXPECT_NE(self->handle, handle_of(other));
	close(self->tree);
	EXPECT_EQ(0, find(self->program, self->handle, QUERY_LOOKUP, STEP));
	self->tree = copy;
	close(other);
}

TEST_F(reads, handle_ends_with_the_descriptor)
{
	__u64 ended = self->handle;
	int last;

	close(self->tree);
	EXPECT_EQ(-EBADF, find(self->program, ended, QUERY_LOOKUP, STEP));
	/* The next one gets the same slot. */
	last = tree_new(0);
	self->handle = handle_of(last);
	EXPECT_EQ(ended % BLINK_TREE_BPF_HANDLES_MAX,
		  self->handle % BLINK_TREE_BPF_HANDLES_MAX);
	EXPECT_EQ(-EBADF, find(self->program, ended, QUERY_LOOKUP, STEP));
	EXPECT_EQ(-ENOENT,
		  find(self->program, self->handle, QUERY_LOOKUP, STEP));
	self->tree = last;
}

TEST_F(reads, unknown_handles_are_ebadf)
{
	const __u64 bad[] = { 0,
			      1,
			      U64_MAX,
			      self->handle + 1,
			      self->handle + (1ULL << 32),
			      self->handle ^ 1ULL << 63,
			      self->handle + BLINK_TREE_BPF_HANDLES_MAX };
	struct query query = { .kind = QUERY_WALK, .last = U64_MAX };
	unsigned int i, kind;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		for (kind = QUERY_LOOKUP; kind <= QUERY_CEILING; kind++)
			EXPECT_EQ(-EBADF,
				  find(self->program, bad[i], kind, STEP));
		query.handle = bad[i];
		EXPECT_EQ(0, ask(self->program, &query));
		EXPECT_EQ(0, query.count);
		EXPECT_EQ(-EBADF, query.error);
	}
}

TEST_F(reads, handle_needs_its_flags_zero_and_a_capability)
{
	struct blink_tree_ioc_bpf_handle arg = { .flags = 1 };
	pid_t child;
	int status;

	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_BPF_HANDLE, &arg));
	arg = (struct blink_tree_ioc_bpf_handle){ .__reserved = 1 };
	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_BPF_HANDLE, &arg));
	arg.__reserved = 0;
	child = fork();
	if (!child)
		_exit(setuid(65534) ||
		      call(self->tree, BLINK_TREE_IOC_BPF_HANDLE, &arg) !=
			      -EPERM);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(reads, handle_has_the_access_of_the_descriptor)
{
	const char *name = "selftest.bpf";
	struct query query = { .kind = QUERY_WALK, .last = U64_MAX };
	int tree = tree_create(self->device, name, 0600, 0);
	int writer = tree_open(self->device, name, BLINK_TREE_OPEN_WRITE);
	int reader = tree_open(self->device, name, BLINK_TREE_OPEN_READ);

	EXPECT_EQ(0, tree_unlink(self->device, name));
	EXPECT_EQ(0, insert(tree, 1, 2));
	query.handle = handle_of(writer);
	EXPECT_NE(0, query.handle);
	EXPECT_EQ(-EBADF, find(self->program, query.handle, QUERY_LOOKUP, 1));
	EXPECT_EQ(0, ask(self->program, &query));
	EXPECT_EQ(-EBADF, query.error);
	EXPECT_EQ(0, find(self->program, handle_of(reader), QUERY_LOOKUP, 1));
	close(reader);
	close(writer);
	close(tree);
}

TEST_F(reads, handles_are_limited)
{
	const struct rlimit limit = { 2048, 2048 };
	struct blink_tree_ioc_bpf_handle arg = {};
	int trees[BLINK_TREE_BPF_HANDLES_MAX];
	unsigned int i;

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	/* The fixture has one. */
	for (i = 0; i < BLINK_TREE_BPF_HANDLES_MAX; i++) {
		trees[i] = tree_new(0);
		ASSERT_GE(trees[i], 0);
		EXPECT_EQ(i + 1 < BLINK_TREE_BPF_HANDLES_MAX ? 0 : -ENOSPC,
			  call(trees[i], BLINK_TREE_IOC_BPF_HANDLE, &arg));
	}
	close(trees[0]);
	EXPECT_EQ(0, call(trees[i - 1], BLINK_TREE_IOC_BPF_HANDLE, &arg));
	while (--i)
		close(trees[i]);
}

/* Ask the device the same. */
static int find_by_ioctl(int tree, struct query *query)
{
	static const __u16 opcodes[] = {
		[QUERY_LOOKUP] = BLINK_TREE_OP_LOOKUP,
		[QUERY_FLOOR] = BLINK_TREE_OP_FLOOR,
		[QUERY_CEILING] = BLINK_TREE_OP_CEILING,
	};
	struct blink_tree_ioc_op op = {
		.opcode = opcodes[query->kind],
		.key = query->key,
	};
	int ret = op_call(tree, &op);

	query->found = query->kind == QUERY_LOOKUP || ret ? 0 : op.key;
	query->value = ret ? 0 : op.value;
	return ret;
}

TEST_F(reads, answers_are_those_of_the_device)
{
	struct query query, other;
	unsigned int kind;
	__u64 key;

	for (key = 0; key < 3 * STEP * KEYS / 2; key += 3) {
		for (kind = QUERY_LOOKUP; kind <= QUERY_CEILING; kind++) {
			query = (struct query){ .kind = kind,
						.handle = self->handle,
						.key = key };
			other = query;
			ASSERT_EQ(find_by_ioctl(self->tree, &other),
				  ask(self->program, &query));
			ASSERT_EQ(other.found, query.found);
			ASSERT_EQ(other.value, query.value);
		}
	}
}

/* Count and add up what a walk over the range of a query has to find. */
static void walk_by_ioctl(int tree, const struct query *query,
			  struct query *answer)
{
	struct blink_tree_entry entries[KEYS];
	struct blink_tree_ioc_scan scan = {
		.flags = query->flags,
		.capacity = KEYS,
		.first = query->key,
		.last = query->last,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(entries[0]),
	};
	unsigned int i;

	*answer = (struct query){};
	if (call(tree, BLINK_TREE_IOC_SCAN, &scan) ||
	    !(scan.flags & BLINK_TREE_SCAN_DONE))
		return;
	answer->count = scan.count;
	for (i = 0; i < scan.count; i++)
		answer->sum = query_sum(answer->sum, entries[i].key,
					entries[i].value);
}

TEST_F(reads, walks_are_the_scans_of_the_device)
{
	const __u64 bounds[] = {
		0,	  1,	     STEP,	 STEP + 1,    8 * STEP,
		9 * STEP, 61 * STEP, 500 * STEP, KEYS * STEP, KEYS * STEP + 1,
		U64_MAX
	};
	struct query query, answer;
	unsigned int first, last, flags;

	for (first = 0; first < ARRAY_SIZE(bounds); first++) {
		for (last = first; last < ARRAY_SIZE(bounds); last++) {
			for (flags = 0; flags <= BLINK_TREE_SCAN_DESC;
			     flags += BLINK_TREE_SCAN_DESC) {
				query = (struct query){
					.kind = QUERY_WALK,
					.flags = flags,
					.handle = self->handle,
					.key = bounds[first],
					.last = bounds[last],
				};
				walk_by_ioctl(self->tree, &query, &answer);
				ASSERT_EQ(0, ask(self->program, &query));
				ASSERT_EQ(0, query.error);
				ASSERT_EQ(answer.count, query.count);
				ASSERT_EQ(answer.sum, query.sum);
			}
		}
	}
}

TEST_F(reads, walk_with_a_bad_range_is_einval)
{
	struct query query = {
		.kind = QUERY_WALK, .handle = self->handle, .key = 8, .last = 7
	};

	EXPECT_EQ(-EINVAL, ask(self->program, &query));
	EXPECT_EQ(-EINVAL, query.error);
	EXPECT_EQ(0, query.count);
	query.last = U64_MAX;
	query.flags = BLINK_TREE_RECORD_SCAN_COUNT;
	EXPECT_EQ(-EINVAL, ask(self->program, &query));
	EXPECT_EQ(0, query.count);
}

TEST_F(reads, loop_may_be_left)
{
	struct query query = { .kind = QUERY_LOOP,
			       .handle = self->handle,
			       .last = U64_MAX };
	const __u64 most[] = { 1, 8, 9, 100 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(most); i++) {
		query.most = most[i];
		query.count = 0;
		EXPECT_EQ(0, ask(self->program, &query));
		EXPECT_EQ(most[i], query.count);
		EXPECT_EQ(most[i] * STEP, query.found);
	}
}

TEST_F(reads, other_trees_are_eopnotsupp)
{
	const struct blink_tree_ioc_create kinds[] = {
		{ .key = BLINK_TREE_KEY_U128 },
		{ .key = BLINK_TREE_KEY_MULTI },
		{ .key = BLINK_TREE_KEY_BYTES },
		{ .flags = BLINK_TREE_CREATE_BYTE_VALUES },
	};
	struct query query;
	unsigned int i, kind;
	int tree;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		tree = tree_new_as(&kinds[i]);
		query = (struct query){ .kind = QUERY_WALK,
					.handle = handle_of(tree),
					.last = U64_MAX };
		EXPECT_EQ(0, ask(self->program, &query));
		EXPECT_EQ(-EOPNOTSUPP, query.error);
		for (kind = QUERY_LOOKUP; kind <= QUERY_CEILING; kind++)
			EXPECT_EQ(-EOPNOTSUPP,
				  find(self->program, query.handle, kind, 1));
		close(tree);
	}
}

/* Add the keys below @nr by loads. */
static int load(int tree, unsigned int nr)
{
	struct blink_tree_entry *entries = calloc(nr, sizeof(*entries));
	struct blink_tree_ioc_load arg = {
		.count = nr,
		.entries = ptr_to_u64(entries),
		.fill = 100,
		.entry_size = sizeof(*entries),
	};
	unsigned int i;
	int ret;

	if (!entries)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		entries[i].key = i;
	ret = call(tree, BLINK_TREE_IOC_LOAD, &arg);
	free(entries);
	return ret;
}

TEST_F(reads, walks_end_after_so_many_entries)
{
	struct query query = { .kind = QUERY_WALK, .last = U64_MAX };
	int tree = tree_new(0);

	ASSERT_EQ(0, load(tree, BLINK_TREE_BPF_ITER_MAX + 1));
	query.handle = handle_of(tree);
	EXPECT_EQ(0, ask(self->program, &query));
	EXPECT_EQ(-E2BIG, query.error);
	EXPECT_EQ(BLINK_TREE_BPF_ITER_MAX, query.count);
	EXPECT_EQ(BLINK_TREE_BPF_ITER_MAX - 1, query.found);
	/* All of the range. */
	query.last = BLINK_TREE_BPF_ITER_MAX - 1;
	query.count = 0;
	EXPECT_EQ(0, ask(self->program, &query));
	EXPECT_EQ(0, query.error);
	EXPECT_EQ(BLINK_TREE_BPF_ITER_MAX, query.count);
	close(tree);
}

/* Walks until the handle has ended. */
struct walker {
	int program;
	struct query query;
	unsigned int walks;
	unsigned int cut;
	int error;
};

static void *walk_on(void *arg)
{
	struct walker *walker = arg;
	struct query query;

	do {
		query = walker->query;
		walker->error = ask(walker->program, &query);
		walker->cut += query.error && query.count;
		__atomic_add_fetch(&walker->walks, 1, __ATOMIC_RELEASE);
	} while (!walker->error && query.error != -EBADF);
	return NULL;
}

#define BIG 200000U

TEST_F(reads, descriptor_may_be_closed_meanwhile)
{
	struct walker walker = { .program = self->program };
	pthread_t thread;
	int tree;

	/* One walk at least must be under way. */
	while (!walker.cut) {
		tree = tree_new(0);
		ASSERT_EQ(0, load(tree, BIG));
		walker.query = (struct query){ .kind = QUERY_WALK,
					       .handle = handle_of(tree),
					       .last = U64_MAX };
		walker.walks = 0;
		ASSERT_EQ(0, pthread_create(&thread, NULL, walk_on, &walker));
		while (!__atomic_load_n(&walker.walks, __ATOMIC_ACQUIRE))
			usleep(1000);
		close(tree);
		pthread_join(thread, NULL);
		ASSERT_EQ(0, walker.error);
	}
}

TEST_HARNESS_MAIN
