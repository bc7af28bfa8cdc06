// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_LOAD: entries that it adds, and early ends. However it ends, the
 * entries counted as done are there, and no others.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

#define KEYS 20000

FIXTURE(load)
{
	int tree;
	struct blink_tree_entry *entries;
};

FIXTURE_VARIANT(load)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(load);

FIXTURE_SETUP(load)
{
	unsigned int i;

	self->tree = tree_new_as(&variant->how);
	ASSERT_GE(self->tree, 0);
	self->entries = calloc(KEYS, sizeof(*self->entries));
	ASSERT_NE(NULL, self->entries);
	for (i = 0; i < KEYS; i++) {
		self->entries[i].key = i;
		self->entries[i].value = value_of(i);
	}
}

FIXTURE_TEARDOWN(load)
{
	free(self->entries);
	close(self->tree);
}

static int load(int tree, const struct blink_tree_entry *entries,
		unsigned int nr, unsigned int fill, unsigned int *done)
{
	struct blink_tree_ioc_load arg = {
		.count = nr,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.fill = fill,
	};
	int ret = call(tree, BLINK_TREE_IOC_LOAD, &arg);

	*done = arg.done;
	return ret;
}

/* Whether the tree has the keys below @nr and no others. */
static bool has_just(int tree, __u64 nr)
{
	__u64 key, value;

	if (tree_check(tree, nr))
		return false;
	for (key = 0; key < nr; key++)
		if (lookup(tree, key, &value) || value != value_of(key))
			return false;
	return true;
}

TEST_F(load, adds_all)
{
	unsigned int done;

	ASSERT_EQ(0, load(self->tree, self->entries, KEYS, 70, &done));
	EXPECT_EQ(KEYS, done);
	EXPECT_TRUE(has_just(self->tree, KEYS));
}

TEST_F(load, empty)
{
	unsigned int done;

	EXPECT_EQ(0, load(self->tree, (void *)-4096L, 0, 100, &done));
	EXPECT_EQ(0, done);
}

TEST_F(load, full_leaves_take_less_memory)
{
	struct blink_tree_ioc_stats half = {}, full = {};
	int other = tree_new_as(&variant->how);
	unsigned int done;

	ASSERT_GE(other, 0);
	ASSERT_EQ(0, load(self->tree, self->entries, KEYS, 50, &done));
	ASSERT_EQ(0, load(other, self->entries, KEYS, 100, &done));
	ASSERT_EQ(0, tree_stats(self->tree, &half));
	ASSERT_EQ(0, tree_stats(other, &full));
	EXPECT_LT(19 * full.bytes, 10 * half.bytes);
	close(other);
}

TEST_F(load, key_that_is_there_ends_it)
{
	unsigned int done;

	ASSERT_EQ(0, insert(self->tree, 12345, value_of(12345)));
	EXPECT_EQ(-EEXIST, load(self->tree, self->entries, KEYS, 100, &done));
	EXPECT_EQ(12345, done);
	EXPECT_TRUE(has_just(self->tree, 12346));
}

TEST_F(load, impossible_fill_is_einval)
{
	unsigned int done;

	EXPECT_EQ(-EINVAL, load(self->tree, self->entries, 1, 0, &done));
	EXPECT_EQ(-EINVAL, load(self->tree, self->entries, 1, 101, &done));
	EXPECT_TRUE(has_just(self->tree, 0));
}

TEST_F(load, unreadable_entries_are_efault)
{
	size_t room = page_size() / sizeof(struct blink_tree_entry);
	struct blink_tree_entry *end = (void *)guard_alloc(1);
	struct blink_tree_entry *entries = end - room;
	unsigned int done;

	ASSERT_NE(NULL, end);
	memcpy(entries, self->entries, page_size());
	EXPECT_EQ(-EFAULT, load(self->tree, entries, room + 1, 100, &done));
	EXPECT_GE(room, done);
	EXPECT_TRUE(has_just(self->tree, done));
}

TEST_F(load, limit_is_enospc)
{
	struct blink_tree_ioc_create how = variant->how;
	unsigned int done;
	int tree;

	how.max_entries = 777;
	tree = tree_new_as(&how);
	ASSERT_GE(tree, 0);
	EXPECT_EQ(-ENOSPC, load(tree, self->entries, KEYS, 100, &done));
	EXPECT_EQ(777, done);
	EXPECT_TRUE(has_just(tree, 777));
	close(tree);
}

TEST_F(load, read_only_is_ebadf)
{
	const char *name = "selftest.load";
	int device = device_open(), tree, reader;
	unsigned int done;

	ASSERT_GE(device, 0);
	tree_unlink(device, name);
	tree = tree_create(device, name, 0600, 0);
	reader = tree_open(device, name, BLINK_TREE_OPEN_READ);
	ASSERT_GE(tree, 0);
	ASSERT_GE(reader, 0);
	EXPECT_EQ(-EBADF, load(reader, self->entries, 1, 100, &done));
	EXPECT_TRUE(has_just(tree, 0));
	tree_unlink(device, name);
	close(reader);
	close(tree);
	close(device);
}

TEST_HARNESS_MAIN
