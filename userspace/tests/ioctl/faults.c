// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl with every allocation and every copy from and to user memory
 * failed in turn: it must succeed all the same, or fail with ENOMEM or EFAULT
 * and leave the trees as they were, or as if it had succeeded where the answer
 * alone got lost.
 *
 * A *trial* is one ioctl: it prepares it, makes the call with a fault armed,
 * notes in @wrong if what is there afterwards does not fit the result, and
 * puts everything back for the next.
 */
#include "kselftest_harness.h"

#include "fault_inject.h"
#include "records.h"

#include "fault_strings.h"

#define NAME "selftest.faults"
#define OTHER "selftest.faults.other"
#define KEYS 200
#define BATCH 100
/* Some fault points for each string of a stream, and for a call itself. */
#define POINTS 700

struct subject {
	struct fault_inject inject;
	unsigned int nth;
	const char *wrong;
	unsigned int which;
	int device;
	int tree;
	struct blink_tree_ioc_create how;
	__u64 entries_always;
	struct blink_tree_ioc_op ops[BATCH];
	struct blink_tree_entry entries[KEYS];
	struct blink_tree_level_stats levels[16];
	struct blink_tree_hot_leaf leaves[4];
	struct blink_tree_list_entry listed[8];
	struct stream s;
};

FIXTURE(faults)
{
	struct subject subject;
};

FIXTURE_VARIANT(faults)
{
	int (*run)(struct subject *s);
	unsigned int which;
	struct blink_tree_ioc_create how;
};

static int control(struct subject *s, unsigned long cmd, void *arg)
{
	return fault_nth(&s->inject, s->nth, s->device, cmd, arg);
}

static int on_tree(struct subject *s, unsigned long cmd, void *arg)
{
	return fault_nth(&s->inject, s->nth, s->tree, cmd, arg);
}

static void wrong_if(struct subject *s, bool wrong, const char *what)
{
	if (wrong)
		s->wrong = what;
}

static int run_info(struct subject *s)
{
	struct blink_tree_ioc_info info = {};
	int ret = control(s, BLINK_TREE_IOC_INFO, &info);

	wrong_if(s, !ret && info.known != sizeof(info), "no info");
	return ret;
}

static int run_create(struct subject *s)
{
	struct blink_tree_ioc_create create = s->how;
	int ret;

	create.mode = 0600;
	ret = control(s, BLINK_TREE_IOC_CREATE, &create);
	if (ret >= 0)
		close(ret);
	return ret;
}

static int run_create_named(struct subject *s)
{
	struct blink_tree_ioc_create create = { .mode = 0600, .name = OTHER };
	int ret = control(s, BLINK_TREE_IOC_CREATE, &create);
	int unlinked = tree_unlink(s->device, OTHER);

	if (ret >= 0)
		close(ret);
	wrong_if(s, unlinked != (ret < 0 ? -ENOENT : 0),
		 "a name without a creator, or the reverse");
	return ret;
}

static int run_open(struct subject *s)
{
	struct blink_tree_ioc_open open = { .flags = BLINK_TREE_OPEN_READ,
					    .name = NAME };
	int ret = control(s, BLINK_TREE_IOC_OPEN, &open);

	if (ret >= 0)
		close(ret);
	return ret;
}

static int run_unlink(struct subject *s)
{
	struct blink_tree_ioc_unlink unlink = { .name = OTHER };
	int ret;

	close(tree_create(s->device, OTHER, 0600, 0));
	ret = control(s, BLINK_TREE_IOC_UNLINK, &unlink);
	wrong_if(s, tree_unlink(s->device, OTHER) != (ret ? 0 : -ENOENT),
		 "unlinked in spite of an error, or the reverse");
	return ret;
}

static int run_list(struct subject *s)
{
	struct blink_tree_ioc_list list = {
		.capacity = ARRAY_SIZE(s->listed),
		.trees = ptr_to_u64(s->listed),
		.entry_size = sizeof(s->listed[0]),
	};
	int ret = control(s, BLINK_TREE_IOC_LIST, &list);

	wrong_if(s, !ret && !list.count, "nothing listed");
	return ret;
}

/* Operations on key 10, which has a value, and on 9 and 11, which are not there. */
static int run_op(struct subject *s)
{
	const unsigned int opcode = s->which;
	const bool adds = opcode == BLINK_TREE_OP_INSERT ||
			  opcode == BLINK_TREE_OP_GET_OR_INSERT ||
			  opcode == BLINK_TREE_OP_ADD;
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = adds || opcode == BLINK_TREE_OP_FLOOR ? 11 :
		       opcode == BLINK_TREE_OP_CEILING	     ? 9 :
							       10,
		.value = 1,
		.old = value_of(10),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_OP, &op), there;
	__u64 value;

	/* There is room: none of them needs memory of its own. */
	wrong_if(s, ret && ret != -EFAULT, "an error that is none of its own");
	there = lookup(s->tree, 10, &value);
	wrong_if(s,
		 there ? opcode != BLINK_TREE_OP_ERASE :
			 value != value_of(10) && (adds || value != 1),
		 "key 10 lost or with another value");
	wrong_if(s, !ret && opcode == BLINK_TREE_OP_ERASE && !there,
		 "key 10 still there");
	wrong_if(s, !ret && adds && lookup(s->tree, 11, &value),
		 "key 11 not there");
	store(s->tree, 10, value_of(10));
	erase(s->tree, 11);
	return ret;
}

/*
 * A pop of @key, which is beyond all others. Another key is never lost; @key is
 * lost if the answer could not be written.
 */
static int run_pop(struct subject *s)
{
	const unsigned int opcode = s->which;
	const __u64 key = 10 * KEYS;
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = opcode == BLINK_TREE_OP_POP_MAX ? U64_MAX : key,
	};
	__u64 value;
	int ret;

	insert(s->tree, key, value_of(key));
	ret = on_tree(s, BLINK_TREE_IOC_OP, &op);
	wrong_if(s, ret && ret != -EFAULT, "an error that is none of its own");
	wrong_if(s, !ret && (op.key != key || op.old != value_of(key)),
		 "another key popped");
	wrong_if(s, !ret && lookup(s->tree, key, &value) != -ENOENT,
		 "popped and still there");
	erase(s->tree, key);
	wrong_if(s, entries_of(s->tree) != KEYS, "another key lost");
	return ret;
}

/* Several leaves: an error comes before the first one is erased or after the last. */
static int run_erase_range(struct subject *s)
{
	struct number_erase erase;
	__u64 left;
	int ret;

	number_erase_init(&erase, 10 * KEYS, 10 * KEYS + KEYS - 1);
	fill(s->tree, 10 * KEYS, KEYS, 1);
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_ERASE, &erase.arg);
	left = entries_of(s->tree) - KEYS;
	wrong_if(s, !ret && (erase.arg.count != KEYS || left),
		 "not all erased");
	wrong_if(s, ret && left && left != KEYS,
		 "some erased in spite of an error");
	apply(s->tree, BLINK_TREE_OP_ERASE, 10 * KEYS, KEYS, 1);
	return ret;
}

/* New keys in a stretch of their own, as many as make leaves split. */
static int run_batch(struct subject *s)
{
	struct blink_tree_ioc_batch batch = {
		.count = BATCH,
		.ops = ptr_to_u64(s->ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	unsigned int i, there = 0;
	bool hole = false;
	__u64 value;
	int ret;

	for (i = 0; i < BATCH; i++)
		s->ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.key = 10 * KEYS + i,
		};
	ret = on_tree(s, BLINK_TREE_IOC_BATCH, &batch);
	for (i = 0; i < BATCH; i++) {
		bool found = !lookup(s->tree, 10 * KEYS + i, &value);

		hole |= found && there < i;
		there += found;
		erase(s->tree, 10 * KEYS + i);
	}
	wrong_if(s, !ret && batch.done != BATCH, "an end without a reason");
	wrong_if(s, hole, "not one operation after the other");
	wrong_if(s, there < batch.done, "counted as done but not done");
	return ret;
}

/* How many of the commit's operations took effect: those of run_commit(). */
static unsigned int committed(struct subject *s)
{
	unsigned int i, there = 0;
	__u64 value;

	for (i = 0; i < BLINK_TREE_COMMIT_MAX; i++)
		there += !lookup(s->tree, s->ops[i].key, &value) &&
			 value == s->ops[i].value;
	return there;
}

/* Keys among those of one leaf, which splits, and a new value for the last of all. */
static int run_commit(struct subject *s)
{
	const unsigned int nr = BLINK_TREE_COMMIT_MAX;
	const __u64 last = 10 * (KEYS - 1);
	struct blink_tree_ioc_batch batch = {
		.flags = BLINK_TREE_BATCH_COMMIT,
		.count = nr,
		.ops = ptr_to_u64(s->ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	unsigned int i, there;
	int ret;

	for (i = 0; i < nr; i++)
		s->ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_STORE,
			.key = i ? 10 * i + 1 : last,
			.value = 7,
		};
	ret = on_tree(s, BLINK_TREE_IOC_BATCH, &batch);
	there = committed(s);
	wrong_if(s, there && there != nr, "a commit in part");
	wrong_if(s, !ret && batch.done != nr, "an end without a reason");
	wrong_if(s, batch.done && (batch.done != nr || !there),
		 "counted as done but not done");
	wrong_if(s, ret == -ENOMEM && there, "done in spite of an error");
	apply(s->tree, BLINK_TREE_OP_ERASE, 11, nr - 1, 10);
	store(s->tree, last, value_of(last));
	return ret;
}

static int run_scan(struct subject *s)
{
	struct blink_tree_ioc_scan arg = {
		.flags = s->which,
		.capacity = KEYS,
		.first = 1,
		.last = U64_MAX - 1,
		.entries = ptr_to_u64(s->entries),
		.entry_size = sizeof(s->entries[0]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_SCAN, &arg);

	wrong_if(s, ret && (arg.first != 1 || arg.last != U64_MAX - 1),
		 "an error moved the range");
	wrong_if(s, !ret && arg.count != KEYS - 1, "not all there");
	return ret;
}

static int run_count(struct subject *s)
{
	__u64 bounds[2];
	struct blink_tree_ioc_record_scan arg = {
		.flags = BLINK_TREE_RECORD_SCAN_COUNT,
		.first = ptr_to_u64(&bounds[0]),
		.last = ptr_to_u64(&bounds[1]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_RECORD_SCAN, &arg);

	wrong_if(s, !ret && arg.count != KEYS, "not all counted");
	return ret;
}

static int run_stats(struct subject *s)
{
	struct blink_tree_ioc_stats stats = {};
	int ret = on_tree(s, BLINK_TREE_IOC_STATS, &stats);

	wrong_if(s, !ret && stats.entries != KEYS, "other figures");
	return ret;
}

static int run_levels(struct subject *s)
{
	struct blink_tree_ioc_levels arg = {
		.capacity = ARRAY_SIZE(s->levels),
		.levels = ptr_to_u64(s->levels),
		.level_size = sizeof(s->levels[0]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_LEVELS, &arg);

	wrong_if(s, !ret && arg.count < 2, "other figures");
	return ret;
}

static int run_hot_leaves(struct subject *s)
{
	struct blink_tree_ioc_hot_leaves arg = {
		.capacity = ARRAY_SIZE(s->leaves),
		.leaves = ptr_to_u64(s->leaves),
		.leaf_size = sizeof(s->leaves[0]),
		.count = 99,
	};
	int ret = on_tree(s, BLINK_TREE_IOC_HOT_LEAVES, &arg);

	wrong_if(s, arg.count != (ret ? 99 : 0),
		 "hot leaves where one thread writes, or a count of none");
	return ret;
}

static int run_verify(struct subject *s)
{
	struct blink_tree_ioc_verify verify = {};
	int ret = on_tree(s, BLINK_TREE_IOC_VERIFY, &verify);

	wrong_if(s, !ret && (verify.violation || verify.entries != KEYS),
		 "another report");
	return ret;
}

/* A stream of insertions, or a load; the first failure has ended it. */
static int run_stream(struct subject *s)
{
	const unsigned int fill = s->which;
	__u64 done;
	int ret, row;

	plan(&s->s, BLINK_TREE_OP_INSERT, STRINGS, TRIAL);
	stream_arm(&s->s, ROOM, fill);
	ret = on_tree(s, BLINK_TREE_IOC_RECORDS, &s->s.arg);
	done = s->s.arg.done;
	wrong_if(s, !ret && done != TRIAL, "an end without a reason");
	if (!ret && !fill) {
		wrong_if(s, !each_as_told(&s->s), "another result");
	} else {
		row = row_of(&s->s);
		wrong_if(s, row < 0, "not one key after the other");
		wrong_if(s, done != JUNK && row < (int)done,
			 "counted but not done");
		wrong_if(s, fill && ret == -ENOMEM && row != (int)done,
			 "another number was loaded");
	}
	do_all(&s->s, BLINK_TREE_OP_ERASE, STRINGS);
	return ret;
}

/* A stream of insertions that is one commit. */
static int run_commit_stream(struct subject *s)
{
	const int nr = BLINK_TREE_COMMIT_MAX;
	int ret, row;

	plan(&s->s, BLINK_TREE_OP_INSERT, STRINGS, nr);
	stream_arm(&s->s, ROOM, 0);
	s->s.arg.flags = BLINK_TREE_RECORDS_COMMIT;
	s->s.arg.done = 0;
	ret = on_tree(s, BLINK_TREE_IOC_RECORDS, &s->s.arg);
	row = s->s.arg.done;
	wrong_if(s, row != (ret ? row : nr), "an end without a reason");
	wrong_if(s, row && row != nr, "counted in part");
	wrong_if(s, row > row_of(&s->s), "counted but not done");
	row = row_of(&s->s);
	wrong_if(s, row && row != nr, "a commit in part");
	wrong_if(s, ret == -ENOMEM && row, "done in spite of an error");
	do_all(&s->s, BLINK_TREE_OP_ERASE, STRINGS);
	return ret;
}

static int run_string_scan(struct subject *s)
{
	const unsigned int flags = s->which;
	const bool count = flags & BLINK_TREE_RECORD_SCAN_COUNT;
	struct range range, before;
	int ret;

	range_init(&range, flags, nth_key(0), NO_STRING);
	if (!count) {
		range.arg.output = ptr_to_u64(s->s.output);
		range.arg.output_size = STRINGS * RESULT_WORD_MAX;
	}
	before = range;
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_SCAN, &range.arg);
	/* An answer that cannot be written can have moved it. */
	wrong_if(s,
		 ret == -ENOMEM && memcmp(range.first, before.first,
					  before.arg.first_length),
		 "an error moved the range");
	wrong_if(s, !ret && range.arg.count != STRINGS, "not all there");
	wrong_if(s,
		 !ret && !count &&
			 !all_scanned(&s->s, range.arg.output_used,
				      flags & BLINK_TREE_RECORD_SCAN_DESC),
		 "another entry");
	return ret;
}

static int run_string_erase(struct subject *s)
{
	struct blink_tree_ioc_record_erase erase;
	struct range range;
	int ret, row;

	do_all(&s->s, BLINK_TREE_OP_INSERT, STRINGS);
	range_init(&range, 0, nth_key(STRINGS), NO_STRING);
	erase = range_erasing(&range);
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_ERASE, &erase);
	row = row_of(&s->s);
	wrong_if(s, !ret && (erase.count != TRIAL || row), "not all erased");
	wrong_if(s, ret && row && row != TRIAL,
		 "some erased in spite of an error");
	do_all(&s->s, BLINK_TREE_OP_ERASE, STRINGS);
	return ret;
}

#define ADD(name, run, which, ...)        \
	FIXTURE_VARIANT_ADD(faults, name) \
	MEMBERS(run_##run, which, { __VA_ARGS__ })

ADD(info, info, 0);
ADD(create, create, 0);
ADD(create_named, create_named, 0);
ADD(open, open, 0);
ADD(unlink, unlink, 0);
ADD(list, list, 0);
ADD(lookup, op, BLINK_TREE_OP_LOOKUP);
ADD(insert, op, BLINK_TREE_OP_INSERT);
ADD(store, op, BLINK_TREE_OP_STORE);
ADD(replace, op, BLINK_TREE_OP_REPLACE);
ADD(erase, op, BLINK_TREE_OP_ERASE);
ADD(cmpxchg, op, BLINK_TREE_OP_CMPXCHG);
ADD(get_or_insert, op, BLINK_TREE_OP_GET_OR_INSERT);
ADD(add, op, BLINK_TREE_OP_ADD);
ADD(floor, op, BLINK_TREE_OP_FLOOR);
ADD(ceiling, op, BLINK_TREE_OP_CEILING);
ADD(pop_min, pop, BLINK_TREE_OP_POP_MIN);
ADD(pop_max, pop, BLINK_TREE_OP_POP_MAX);
ADD(erase_range, erase_range, 0);
ADD(batch, batch, 0);
ADD(commit, commit, 0);
ADD(scan, scan, 0);
ADD(scan_desc, scan, BLINK_TREE_SCAN_DESC);
ADD(count, count, 0);
ADD(stats, stats, 0);
ADD(levels, levels, 0);
ADD(hot_leaves, hot_leaves, 0);
ADD(verify, verify, 0);

/* The same where each NUMA node has an index, or all of a tree; and with strings. */
#define COMPRESS .flags = BLINK_TREE_CREATE_COMPRESS

ADD(create_inner, create, 0, MODE_INNER);
ADD(create_full, create, 0, MODE_FULL);
ADD(batch_inner, batch, 0, MODE_INNER);
ADD(batch_full, batch, 0, MODE_FULL);
ADD(batch_compress, batch, 0, COMPRESS);
ADD(batch_full_compress, batch, 0, MODE_FULL, COMPRESS);
ADD(commit_full, commit, 0, MODE_FULL);
ADD(commit_full_compress, commit, 0, MODE_FULL, COMPRESS);
ADD(erase_range_full, erase_range, 0, MODE_FULL);
ADD(stream, stream, 0, MODE_BYTES);
ADD(stream_inner, stream, 0, MODE_BYTES, MODE_INNER);
ADD(stream_full, stream, 0, MODE_BYTES, MODE_FULL);
ADD(commit_stream, commit_stream, 0, MODE_BYTES);
ADD(commit_stream_full, commit_stream, 0, MODE_BYTES, MODE_FULL);
ADD(load, stream, 90, MODE_BYTES);
ADD(load_full, stream, 90, MODE_BYTES, MODE_FULL);
ADD(string_scan, string_scan, 0, MODE_BYTES);
ADD(string_scan_desc, string_scan, BLINK_TREE_RECORD_SCAN_DESC, MODE_BYTES);
ADD(string_count, string_scan, BLINK_TREE_RECORD_SCAN_COUNT, MODE_BYTES);
ADD(string_erase, string_erase, 0, MODE_BYTES);
ADD(string_erase_full, string_erase, 0, MODE_BYTES, MODE_FULL);

FIXTURE_SETUP(faults)
{
	struct blink_tree_ioc_create create = variant->how;
	struct subject *s = &self->subject;
	const char *missing = fault_open(&s->inject);

	if (missing)
		SKIP(return, "%s", missing);
	s->device = device_open();
	ASSERT_GE(s->device, 0);
	tree_unlink(s->device, OTHER);
	tree_unlink(s->device, NAME);
	s->how = variant->how;
	s->which = variant->which;
	create.mode = 0600;
	snprintf(create.name, sizeof(create.name), "%s", NAME);
	s->tree = call(s->device, BLINK_TREE_IOC_CREATE, &create);
	ASSERT_GE(s->tree, 0);
	s->entries_always = KEYS;
	if (create.key != BLINK_TREE_KEY_BYTES) {
		ASSERT_EQ(0, fill(s->tree, 0, KEYS, 10));
		return;
	}
	ASSERT_EQ(0, stream_open(&s->s, s->tree, create.key));
	ASSERT_EQ(0, do_all(&s->s, BLINK_TREE_OP_INSERT, 0));
	ASSERT_EQ(0, do_all(&s->s, BLINK_TREE_OP_INSERT, TRIAL));
	s->entries_always = STRINGS;
}

FIXTURE_TEARDOWN(faults)
{
	struct subject *s = &self->subject;

	tree_unlink(s->device, NAME);
	close(s->tree);
	close(s->device);
	fault_close(&s->inject);
}

TEST_F(faults, at_every_point)
{
	struct subject *s = &self->subject;
	unsigned int hits = 0;
	int ret;

	for (s->nth = 1; s->nth <= POINTS; s->nth++) {
		ret = variant->run(s);
		EXPECT_EQ(NULL, s->wrong)
		TH_LOG("fault %u, returned %d: %s", s->nth, ret, s->wrong);
		if (!s->inject.hit)
			break;
		hits++;
		EXPECT_TRUE(ret >= 0 || ret == -ENOMEM || ret == -EFAULT)
		TH_LOG("fault %u, returned %d", s->nth, ret);
	}
	fprintf(stderr, "# %u fault points\n", hits);
	EXPECT_GE(POINTS, s->nth);
	EXPECT_LE(0, ret);
	/* At least copying the structure in can fail. */
	EXPECT_LE(1, hits);
	EXPECT_EQ(0, tree_check(s->tree, s->entries_always));
}

TEST_HARNESS_MAIN
