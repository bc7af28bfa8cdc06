// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_BATCH: order, results, and how it ends early: by memory that
 * cannot be read or written, by a signal, by SIGKILL. However it ends, the
 * operations counted as done were done, once, and no others.
 */

#include "kselftest_harness.h"

#include "alarms.h"
#include "blink_test.h"

FIXTURE(batch)
{
	int tree;
};

FIXTURE_SETUP(batch)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(batch)
{
	close(self->tree);
}

static void fill_ops(struct blink_tree_ioc_op *ops, unsigned int opcode,
		     __u64 first, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = opcode,
			.result = -EUCLEAN,
			.key = first + i,
			.value = value_of(first + i),
		};
}

/* Whether the tree has the keys below @nr and no others. */
static bool has_just(int tree, __u64 nr)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_FLOOR,
					.key = U64_MAX };
	int ret = op_call(tree, &op);

	if (tree_check(tree, nr))
		return false;
	return nr ? !ret && op.key == nr - 1 : ret == -ENOENT;
}

TEST_F(batch, empty)
{
	unsigned int done;

	EXPECT_EQ(0, batch(self->tree, NULL, 0, &done));
	EXPECT_EQ(0, done);
	EXPECT_EQ(0, batch(self->tree, (void *)-4096L, 0, &done));
	EXPECT_EQ(0, done);
}

/* Operations on one key take effect in their order. */
TEST_F(batch, in_order_on_one_key)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP },
		{ .opcode = BLINK_TREE_OP_INSERT, .value = 1 },
		{ .opcode = BLINK_TREE_OP_INSERT, .value = 2 },
		{ .opcode = BLINK_TREE_OP_STORE, .value = 3 },
		{ .opcode = BLINK_TREE_OP_LOOKUP },
		{ .opcode = BLINK_TREE_OP_CMPXCHG, .value = 4, .old = 3 },
		{ .opcode = BLINK_TREE_OP_CMPXCHG, .value = 5, .old = 3 },
		{ .opcode = BLINK_TREE_OP_REPLACE, .value = 6 },
		{ .opcode = BLINK_TREE_OP_NR },
		{ .opcode = BLINK_TREE_OP_ERASE },
		{ .opcode = BLINK_TREE_OP_ERASE },
		{ .opcode = BLINK_TREE_OP_STORE, .value = 7 },
		{ .opcode = BLINK_TREE_OP_FLOOR },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .flags = 1 },
	};
	static const int want[] = { -ENOENT, 0,	      -EEXIST, 1,	0,
				    0,	     -ESTALE, 0,       -EINVAL, 0,
				    -ENOENT, 0,	      0,       -EINVAL };
	unsigned int i, done;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i].key = 42;
	ops[12].key = 43;
	ASSERT_EQ(0, batch(self->tree, ops, ARRAY_SIZE(ops), &done));
	EXPECT_EQ(ARRAY_SIZE(ops), done);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		EXPECT_EQ(want[i], ops[i].result)
	TH_LOG("operation %u", i);
	EXPECT_EQ(1, ops[2].old);
	EXPECT_EQ(1, ops[3].old);
	EXPECT_EQ(3, ops[4].value);
	EXPECT_EQ(4, ops[6].old);
	EXPECT_EQ(4, ops[7].old);
	EXPECT_EQ(6, ops[9].old);
	EXPECT_EQ(42, ops[12].key);
	EXPECT_EQ(7, ops[12].value);
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

#define MODEL_KEYS 256
#define MODEL_OPS 8192
#define MODEL_BATCH 200

/* Do an operation on the model, an array; returns the result that the tree must give. */
static int model_apply(__u64 *values, bool *present,
		       struct blink_tree_ioc_op *op)
{
	__u64 *value = &values[op->key];
	bool *there = &present[op->key];
	bool was = *there;
	int ret = was ? 0 : -ENOENT;

	switch (op->opcode) {
	case BLINK_TREE_OP_INSERT:
		ret = was ? -EEXIST : 0;
		break;
	case BLINK_TREE_OP_STORE:
		ret = was;
		break;
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
		if (was && *value != op->old)
			ret = -ESTALE;
		break;
	}
	if (was && op->opcode != BLINK_TREE_OP_LOOKUP)
		op->old = *value;
	if (was && op->opcode == BLINK_TREE_OP_LOOKUP)
		op->value = *value;
	if (ret >= 0 && op->opcode != BLINK_TREE_OP_LOOKUP) {
		*there = op->opcode != BLINK_TREE_OP_ERASE &&
			 op->opcode != BLINK_TREE_OP_CMPERASE;
		*value = op->value;
	}
	return ret;
}

TEST_F(batch, same_as_one_by_one)
{
	struct blink_tree_ioc_op *ops = calloc(MODEL_OPS, sizeof(*ops));
	__u64 state = random_stream(seed_get(), 0), values[MODEL_KEYS];
	struct blink_tree_ioc_op want[MODEL_BATCH];
	bool present[MODEL_KEYS] = {};
	unsigned int i, first, nr, done;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < MODEL_OPS; i++) {
		ops[i].opcode =
			random_next(&state) % (BLINK_TREE_OP_CMPERASE + 1);
		ops[i].key = random_next(&state) % MODEL_KEYS;
		ops[i].value = random_next(&state) % 4;
		ops[i].old = random_next(&state) % 4;
	}
	for (first = 0; first < MODEL_OPS; first += nr) {
		nr = 1 + random_next(&state) % MODEL_BATCH;
		if (nr > MODEL_OPS - first)
			nr = MODEL_OPS - first;
		memcpy(want, ops + first, nr * sizeof(*ops));
		ASSERT_EQ(0, batch(self->tree, ops + first, nr, &done));
		ASSERT_EQ(nr, done);
		for (i = 0; i < nr; i++) {
			want[i].result = model_apply(values, present, &want[i]);
			ASSERT_EQ(0, memcmp(&want[i], &ops[first + i],
					    sizeof(want[i])))
			TH_LOG("operation %u", first + i);
		}
	}
	for (i = nr = 0; i < MODEL_KEYS; i++)
		nr += present[i];
	EXPECT_EQ(0, tree_check(self->tree, nr));
	free(ops);
}

/* Batches of so many operations end where the memory does. */
FIXTURE(fault)
{
	int tree;
	char *end;
};

FIXTURE_VARIANT(fault)
{
	unsigned int readable;
	unsigned int count;
};

FIXTURE_VARIANT_ADD(fault, at_once)
MEMBERS(.readable = 0, .count = 100);

FIXTURE_VARIANT_ADD(fault, second)
MEMBERS(.readable = 1, .count = 2);

FIXTURE_VARIANT_ADD(fault, mid)
MEMBERS(.readable = 50, .count = 100);

FIXTURE_VARIANT_ADD(fault, page)
MEMBERS(.readable = 128, .count = 129);

FIXTURE_VARIANT_ADD(fault, late)
MEMBERS(.readable = 1000, .count = 1001);

FIXTURE_SETUP(fault)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	self->end = guard_alloc(16);
	ASSERT_NE(NULL, self->end);
}

FIXTURE_TEARDOWN(fault)
{
	close(self->tree);
}

TEST_F(fault, unreadable_operations)
{
	struct blink_tree_ioc_op *ops =
		(struct blink_tree_ioc_op *)self->end - variant->readable;
	unsigned int done, i;

	fill_ops(ops, BLINK_TREE_OP_INSERT, 0, variant->readable);
	EXPECT_EQ(-EFAULT, batch(self->tree, ops, variant->count, &done));
	ASSERT_LE(done, variant->readable);
	EXPECT_TRUE(has_just(self->tree, done));
	for (i = 0; i < done; i++)
		EXPECT_EQ(0, ops[i].result);
	for (; i < variant->readable; i++)
		EXPECT_EQ(-EUCLEAN, ops[i].result);

	/* With the memory there, the rest is done, and nothing twice. */
	ASSERT_EQ(0, mprotect(self->end, page_size(), PROT_READ | PROT_WRITE));
	fill_ops(ops + variant->readable, BLINK_TREE_OP_INSERT,
		 variant->readable, variant->count - variant->readable);
	EXPECT_EQ(0, batch_all(self->tree, ops + done, variant->count - done));
	EXPECT_TRUE(has_just(self->tree, variant->count));
	for (i = 0; i < variant->count; i++)
		EXPECT_EQ(0, ops[i].result);
}

/* The last page of the operations can be read but not written. */
TEST_F(fault, unwritable_operations)
{
	struct blink_tree_ioc_op *ops =
		(struct blink_tree_ioc_op *)self->end - variant->readable;
	char *page = self->end - page_size();
	unsigned int writable = 0, done;

	fill_ops(ops, BLINK_TREE_OP_INSERT, 0, variant->readable);
	if ((char *)ops < page)
		writable = (page - (char *)ops) / sizeof(*ops);
	ASSERT_EQ(0, mprotect(page, page_size(), PROT_READ));
	EXPECT_EQ(variant->readable ? -EFAULT : 0,
		  batch(self->tree, ops, variant->readable, &done));
	EXPECT_LE(writable, done);
	EXPECT_TRUE(has_just(self->tree, done));
}

TEST_F(batch, unwritable_header_is_efault_before_anything)
{
	struct blink_tree_ioc_batch *arg = (void *)guard_alloc(1);
	struct blink_tree_ioc_op ops[40];

	ASSERT_NE(NULL, arg);
	fill_ops(ops, BLINK_TREE_OP_INSERT, 0, ARRAY_SIZE(ops));
	arg--;
	arg->count = ARRAY_SIZE(ops);
	arg->ops = ptr_to_u64(ops);
	arg->op_size = sizeof(ops[0]);
	ASSERT_EQ(0, mprotect((char *)(arg + 1) - page_size(), page_size(),
			      PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->tree, BLINK_TREE_IOC_BATCH, arg));
	EXPECT_TRUE(has_just(self->tree, 0));
	EXPECT_EQ(-EUCLEAN, ops[0].result);
}

TEST_F(batch, addresses_that_wrap_are_efault)
{
	const __u64 bad[] = { 0, U64_MAX, U64_MAX - 31, 1ULL << 63,
			      0xffff888000000000ULL };
	struct blink_tree_ioc_batch arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg = (struct blink_tree_ioc_batch){
			.count = UINT32_MAX,
			.ops = bad[i],
			.op_size = sizeof(struct blink_tree_ioc_op),
			.done = 5,
		};
		EXPECT_EQ(-EFAULT,
			  call(self->tree, BLINK_TREE_IOC_BATCH, &arg));
		EXPECT_EQ(0, arg.done);
	}
}

#define SIGNAL_OPS 100000

/*
 * A handled signal makes a batch short: it returns 0, what it did has results,
 * what it did not is untouched, and the rest can be done by calling again.
 */
TEST_F(batch, signal_makes_it_short)
{
	struct blink_tree_ioc_op *ops = calloc(SIGNAL_OPS, sizeof(*ops));
	unsigned int first = 0, shorts = 0, done, i;

	ASSERT_NE(NULL, ops);
	fill_ops(ops, BLINK_TREE_OP_INSERT, 0, SIGNAL_OPS);
	ASSERT_EQ(0, alarm_handle(SA_RESTART));
	alarm_every(1000);
	while (first < SIGNAL_OPS) {
		ASSERT_EQ(0, batch(self->tree, ops + first, SIGNAL_OPS - first,
				   &done));
		first += done;
		ASSERT_LE(first, SIGNAL_OPS);
		if (first == SIGNAL_OPS)
			break;
		ASSERT_EQ(-EUCLEAN, ops[first].result);
		if (!shorts++)
			ASSERT_TRUE(has_just(self->tree, first));
		/* Slow machines may need all their time for signals. */
		if (shorts == 5)
			alarm_every(0);
	}
	alarm_every(0);
	EXPECT_LE(1, shorts);
	for (i = 0; i < SIGNAL_OPS; i++)
		ASSERT_EQ(0, ops[i].result);
	EXPECT_TRUE(has_just(self->tree, SIGNAL_OPS));
	free(ops);
}

#define WINDOW_OPS 32768u
#define WINDOWS 4096u

/*
 * More operations than can be done in any reasonable time, in little memory:
 * the same window of it again and again.
 */
static struct blink_tree_ioc_op *endless_ops(void)
{
	size_t size = WINDOW_OPS * sizeof(struct blink_tree_ioc_op), i;
	char *window = shared_alloc(size);
	char *mem;

	mem = mmap(NULL, size * WINDOWS, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!window || mem == MAP_FAILED)
		return NULL;
	/* An old size of 0 maps what is shared once more. */
	for (i = 0; i < WINDOWS; i++) {
		if (mremap(window, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED,
			   mem + i * size) == MAP_FAILED)
			return NULL;
	}
	return (struct blink_tree_ioc_op *)mem;
}

/* How far it came shows in what the tree counted, not in its results. */
TEST_F(batch, sigkill_ends_it_at_once)
{
	const __u64 total = (__u64)WINDOW_OPS * WINDOWS;
	struct blink_tree_ioc_op *ops = endless_ops();
	struct blink_tree_ioc_stats stats;
	unsigned int done, i;
	int status;
	pid_t pid;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < WINDOW_OPS; i++) {
		ops[i].opcode = i % 2 ? BLINK_TREE_OP_ERASE :
					BLINK_TREE_OP_INSERT;
		ops[i].key = i / 2;
	}
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		batch(self->tree, ops, total, &done);
		_exit(1);
	}
	do {
		ASSERT_EQ(0, waitpid(pid, &status, WNOHANG));
		ASSERT_EQ(0, tree_stats(self->tree, &stats));
	} while (stats.inserts < 1000);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	ASSERT_EQ(0, tree_stats(self->tree, &stats));
	EXPECT_GT(total / 4, stats.inserts);
	EXPECT_GE(1, stats.inserts - stats.erases);
	EXPECT_EQ(0, tree_check(self->tree, stats.entries));
}

TEST_HARNESS_MAIN
