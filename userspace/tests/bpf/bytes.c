// SPDX-License-Identifier: GPL-2.0
/* Reading trees whose keys are strings of bytes by BPF programs. */
#include <pthread.h>

#include "kselftest_harness.h"

#include "../common/record.h"
#include "../common/random.h"
#include "bpf_test.h"

/* As in <blinktree/bpf.h>, which is for BPF programs. */
struct blink_bytes_entry {
	__u64 value;
	__u32 length;
	__u32 __reserved;
};

#include "bytes.h"

#define KEYS 3000
#define NAME "selftest.bpf"

/* Keys of few different bytes, so that many begin alike, in their order. */
struct keys {
	struct string all[KEYS];
	unsigned char data[KEYS][64];
	unsigned char longest[RECORD_KEY_MAX];
};

static __u64 random_state = 1;

static int compare(const void *a, const void *b)
{
	return string_compare(*(const struct string *)a,
			      *(const struct string *)b);
}

static struct string random_string(unsigned char *data)
{
	static const unsigned char letters[] = { 0, 'a', 'b', 0xff };
	struct string s = { random_next(&random_state) % 40, data };
	size_t i;

	for (i = 0; i < s.length; i++)
		data[i] = letters[random_next(&random_state) >> 62];
	return s;
}

/* The empty key and the longest one are there. Equal keys are left out. */
static unsigned int make_keys(struct keys *keys)
{
	unsigned int i, nr = 0;

	memset(keys->longest, 'b', sizeof(keys->longest));
	keys->all[0] = (struct string){ sizeof(keys->longest), keys->longest };
	keys->all[1] = (struct string){ 0, keys->longest };
	for (i = 2; i < KEYS; i++)
		keys->all[i] = random_string(keys->data[i]);
	qsort(keys->all, KEYS, sizeof(keys->all[0]), compare);
	for (i = 0; i < KEYS; i++)
		if (!nr || compare(&keys->all[nr - 1], &keys->all[i]))
			keys->all[nr++] = keys->all[i];
	return nr;
}

FIXTURE(bytes)
{
	struct keys keys;
	unsigned int nr;
	int device;
	int tree;
	struct bpf_object *object;
	int program;
	struct bytes_query *shared;
};

FIXTURE_VARIANT(bytes)
{
	struct blink_tree_ioc_create how;
};

FIXTURE_VARIANT_ADD(bytes, plain)
MEMBERS(.how = {});

FIXTURE_VARIANT_ADD(bytes, full)
MEMBERS(.how = { .replication = BLINK_TREE_REPLICATE_FULL });

/* The value of a key is one more than its position. */
static int put(int tree, struct string key, __u64 value)
{
	char input[RESULT_WORD_MAX], output[RESULT_WORD_MAX];
	const struct rec rec = { .opcode = BLINK_TREE_OP_INSERT,
				 .key = key,
				 .value = WORD(value) };
	struct blink_tree_ioc_records arg = {
		.input = ptr_to_u64(input),
		.output = ptr_to_u64(output),
		.input_size = rec_put(input, &rec),
		.output_size = sizeof(output),
	};
	int ret = call(tree, BLINK_TREE_IOC_RECORDS, &arg);

	return ret ? ret : ((struct blink_tree_record *)output)->result;
}

FIXTURE_SETUP(bytes)
{
	struct blink_tree_ioc_create how = variant->how;
	unsigned int i;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	how.key = BLINK_TREE_KEY_BYTES;
	self->tree = tree_new_as(&how);
	ASSERT_GE(self->tree, 0);
	self->nr = make_keys(&self->keys);
	for (i = 0; i < self->nr; i++)
		ASSERT_EQ(0, put(self->tree, self->keys.all[i], i + 1));
	self->object = object_open("bytes");
	ASSERT_NE(NULL, self->object);
	/* The programs that trace a function are for one test. */
	for (i = 1; i <= 3; i++) {
		char name[] = "inside_0";

		name[7] += i;
		bpf_program__set_autoload(
			bpf_object__find_program_by_name(self->object, name),
			false);
	}
	ASSERT_EQ(0, bpf_object__load(self->object));
	self->program = program_fd(self->object, "run_query");
	self->shared = object_shared(self->object);
	ASSERT_NE(NULL, self->shared);
	self->shared->handle = handle_of(self->tree);
	ASSERT_NE(0, self->shared->handle);
	self->shared->size = BYTES_BUFFER;
}

FIXTURE_TEARDOWN(bytes)
{
	munmap(self->shared, sizeof(*self->shared));
	bpf_object__close(self->object);
	close(self->tree);
}

static int run(int program)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return bpf_prog_test_run_opts(program, &opts);
}

/* Have the program execute a query. Returns the result of its function. */
static int ask(int program, struct bytes_query *query, unsigned int kind,
	       struct string key)
{
	query->kind = kind;
	query->length = key.length;
	if (key.length)
		memcpy(query->key, key.data, key.length);
	query->entry = (struct blink_bytes_entry){ .__reserved = ~0U };
	query->found[0] = 'x';
	return run(program) ? -EUCLEAN : query->result;
}

/* Whether the answer is the key at a position, or that there is none. */
static bool answers(const struct bytes_query *query, int result,
		    const struct keys *keys, unsigned int nr, int position)
{
	if (position < 0 || (unsigned int)position >= nr)
		return result == -ENOENT && !query->entry.value;
	return !result && query->entry.value == position + 1U &&
	       query->entry.length == keys->all[position].length &&
	       !query->entry.__reserved &&
	       !memcmp(query->found, keys->all[position].data,
		       query->entry.length);
}

/* Ask for what is beside a key. @below, @above: the positions of its neighbours. */
static bool all_answers(int program, struct bytes_query *query,
			const struct keys *keys, unsigned int nr,
			struct string key, int below, int above)
{
	const bool present = above - below == 2;
	const int at = below + 1;
	const int want[] = {
		[BYTES_FLOOR] = present ? at : below,
		[BYTES_CEILING] = present ? at : above,
		[BYTES_LOWER] = below,
		[BYTES_HIGHER] = above,
	};
	unsigned int kind;
	int ret = ask(program, query, BYTES_LOOKUP, key);

	if (ret != (present ? 0 : -ENOENT) ||
	    (present && query->entry.value != at + 1U))
		return false;
	for (kind = BYTES_FLOOR; kind <= BYTES_HIGHER; kind++) {
		ret = ask(program, query, kind, key);
		if (!answers(query, ret, keys, nr, want[kind]))
			return false;
	}
	return true;
}

TEST_F(bytes, keys_and_their_neighbours)
{
	unsigned char data[64];
	struct string key;
	unsigned int i, at;

	for (i = 0; i < self->nr; i++)
		ASSERT_TRUE(all_answers(self->program, self->shared,
					&self->keys, self->nr,
					self->keys.all[i], i - 1, i + 1));
	for (i = 0; i < 1000; i++) {
		key = random_string(data);
		for (at = 0; at < self->nr; at++)
			if (string_compare(self->keys.all[at], key) >= 0)
				break;
		if (at < self->nr && string_same(self->keys.all[at], key))
			continue;
		ASSERT_TRUE(all_answers(self->program, self->shared,
					&self->keys, self->nr, key, (int)at - 1,
					at));
	}
}

TEST_F(bytes, steps_in_both_directions)
{
	__u64 up = 0, down = 0;
	unsigned int i;

	for (i = 0; i < self->nr; i++) {
		up = bytes_sum(up, i + 1);
		down = bytes_sum(down, self->nr - i);
	}
	EXPECT_EQ(-ENOENT,
		  ask(self->program, self->shared, BYTES_UP, STRING("")));
	EXPECT_EQ(self->nr, self->shared->count);
	EXPECT_EQ(up, self->shared->sum);
	self->shared->count = 0;
	self->shared->sum = 0;
	EXPECT_EQ(-ENOENT, ask(self->program, self->shared, BYTES_DOWN,
			       self->keys.all[self->nr - 1]));
	EXPECT_EQ(self->nr, self->shared->count);
	EXPECT_EQ(down, self->shared->sum);
}

TEST_F(bytes, key_may_have_less_room)
{
	struct bytes_query *query = self->shared;
	const __u32 head = sizeof(query->entry);
	const struct string longest = { RECORD_KEY_MAX, self->keys.longest };
	__u64 value;

	ASSERT_EQ(0, ask(self->program, query, BYTES_FLOOR, longest));
	value = query->entry.value;
	query->size = head + RECORD_KEY_MAX;
	EXPECT_EQ(0, ask(self->program, query, BYTES_FLOOR, longest));
	query->size--;
	query->found[RECORD_KEY_MAX - 1] = 'x';
	EXPECT_EQ(-EMSGSIZE, ask(self->program, query, BYTES_FLOOR, longest));
	EXPECT_EQ(value, query->entry.value);
	EXPECT_EQ(RECORD_KEY_MAX, query->entry.length);
	EXPECT_EQ(0, memcmp(query->found, longest.data, RECORD_KEY_MAX - 1));
	EXPECT_EQ('x', query->found[RECORD_KEY_MAX - 1]);
	query->size = head;
	EXPECT_EQ(-EMSGSIZE, ask(self->program, query, BYTES_FLOOR, longest));
	EXPECT_EQ(value, query->entry.value);
	EXPECT_EQ('x', query->found[0]);
	/* The empty key needs none. */
	EXPECT_EQ(0, ask(self->program, query, BYTES_FLOOR, STRING("")));
	EXPECT_EQ(1, query->entry.value);
	EXPECT_EQ(0, query->entry.length);
}

TEST_F(bytes, bad_arguments)
{
	const struct blink_tree_ioc_create kinds[] = {
		{ .key = BLINK_TREE_KEY_U64 },
		{ .key = BLINK_TREE_KEY_U128 },
		{ .key = BLINK_TREE_KEY_MULTI },
		{ .key = BLINK_TREE_KEY_BYTES,
		  .flags = BLINK_TREE_CREATE_BYTE_VALUES },
	};
	struct bytes_query *query = self->shared;
	const char much[RECORD_KEY_MAX + 1] = {};
	const struct string too_long = { sizeof(much), much };
	unsigned int kind, i;
	int tree;

	for (kind = BYTES_LOOKUP; kind <= BYTES_HIGHER; kind++)
		EXPECT_EQ(-EINVAL, ask(self->program, query, kind, too_long));
	query->size = sizeof(query->entry) - 1;
	for (kind = BYTES_FLOOR; kind <= BYTES_HIGHER; kind++)
		EXPECT_EQ(-EINVAL, ask(self->program, query, kind, STRING("")));
	EXPECT_EQ(~0U, query->entry.__reserved);
	query->size = BYTES_BUFFER;
	query->handle = 0;
	for (kind = BYTES_LOOKUP; kind <= BYTES_HIGHER; kind++)
		EXPECT_EQ(-EBADF, ask(self->program, query, kind, STRING("")));
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		tree = tree_new_as(&kinds[i]);
		query->handle = handle_of(tree);
		for (kind = BYTES_LOOKUP; kind <= BYTES_HIGHER; kind++)
			EXPECT_EQ(-EOPNOTSUPP,
				  ask(self->program, query, kind, STRING("")));
		close(tree);
	}
}

/* Overwrites a key for as long as it is told. */
struct scribbler {
	struct bytes_query *query;
	bool stop;
};

static void *scribble(void *arg)
{
	struct scribbler *scribbler = arg;
	__u64 state = 7;

	while (!__atomic_load_n(&scribbler->stop, __ATOMIC_RELAXED)) {
		unsigned int at = random_next(&state) % 32;

		__atomic_store_n(&scribbler->query->key[at],
				 "\0ab\377"[random_next(&state) >> 62],
				 __ATOMIC_RELAXED);
	}
	return NULL;
}

TEST_F(bytes, key_may_change_meanwhile)
{
	struct scribbler scribbler = { .query = self->shared };
	struct bytes_query *query = self->shared;
	unsigned int i, strange = 0;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, scribble, &scribbler));
	query->length = 32;
	for (i = 0; i < 20000; i++) {
		query->kind = i % (BYTES_HIGHER + 1);
		ASSERT_EQ(0, run(self->program));
		strange += query->result && query->result != -ENOENT;
	}
	__atomic_store_n(&scribbler.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, strange);
}

/* The variable of the program in prefix.bpf.c. */
struct prefix_state {
	__u64 handle;
	__u64 count;
	struct blink_bytes_entry found;
	char key[RECORD_KEY_MAX];
};

TEST(counts_a_prefix)
{
	const struct blink_tree_ioc_create how = { .key = BLINK_TREE_KEY_BYTES };
	struct prefix_state *shared;
	struct bpf_object *object;
	char key[64];
	int tree, i;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	tree = tree_new_as(&how);
	object = object_load("prefix");
	ASSERT_NE(NULL, object);
	shared = object_shared(object);
	ASSERT_NE(NULL, shared);
	shared->handle = handle_of(tree);
	ASSERT_EQ(0, put(tree, STRING("/usr/bin"), 1));
	ASSERT_EQ(0, put(tree, STRING("/usr/bin0"), 1));
	ASSERT_EQ(0, run(program_fd(object, "count_keys")));
	EXPECT_EQ(0, shared->count);
	ASSERT_EQ(0, put(tree, STRING("/usr/bin/"), 1));
	for (i = 1; i < 200; i++) {
		struct string name = { 0, key };

		name.length = snprintf(key, sizeof(key), "/usr/bin/%d", i);
		ASSERT_EQ(0, put(tree, name, i));
	}
	ASSERT_EQ(0, run(program_fd(object, "count_keys")));
	EXPECT_EQ(200, shared->count);
	munmap(shared, sizeof(*shared));
	bpf_object__close(object);
	close(tree);
}

#define INSIDE 3

/*
 * Each program runs inside of the calls of the others: the third one inside of three calls.
 */
TEST(calls_inside_of_each_other)
{
	const struct blink_tree_ioc_create how = { .key = BLINK_TREE_KEY_BYTES };
	struct bpf_link *links[INSIDE];
	struct bytes_query *shared;
	struct bpf_object *object;
	unsigned int i;
	int tree;

	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	tree = tree_new_as(&how);
	object = object_load("bytes");
	ASSERT_NE(NULL, object);
	shared = object_shared(object);
	ASSERT_NE(NULL, shared);
	shared->handle = handle_of(tree);
	for (i = 0; i < INSIDE; i++) {
		char name[] = "inside_1";

		name[7] += i;
		links[i] = bpf_program__attach(
			bpf_object__find_program_by_name(object, name));
		if (!links[i])
			SKIP(return,
				   "the kernel lets programs trace no functions");
	}
	EXPECT_EQ(-ENOENT, ask(program_fd(object, "run_query"), shared,
			       BYTES_LOOKUP, STRING("abc")));
	EXPECT_NE(0, shared->answers);
	EXPECT_NE(0, shared->busy);
	EXPECT_EQ(0, shared->errors);
	for (i = 0; i < INSIDE; i++)
		bpf_link__destroy(links[i]);
	/* All places are free again. */
	shared->busy = 0;
	for (i = 0; i < 10; i++)
		EXPECT_EQ(-ENOENT, ask(program_fd(object, "run_query"), shared,
				       BYTES_LOOKUP, STRING("abc")));
	bpf_object__close(object);
	close(tree);
}

TEST_HARNESS_MAIN
