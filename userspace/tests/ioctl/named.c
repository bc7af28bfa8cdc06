// SPDX-License-Identifier: GPL-2.0
/*
 * Names: creating, opening, unlinking and listing trees, and how long a tree
 * lives. Names of this suite start with PREFIX; those of others are passed
 * over, so that it can run beside them.
 */
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

#include "blink_test.h"

#define PREFIX "selftest.named."
#define ROOM 64
#define RW (BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE)

FIXTURE(named)
{
	int device;
};

/* Forget what an earlier run may have left. */
static void unlink_all(int device)
{
	struct blink_tree_list_entry entry;
	struct blink_tree_ioc_list arg = {
		.capacity = 1,
		.trees = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};

	while (!call(device, BLINK_TREE_IOC_LIST, &arg) && arg.count) {
		if (!strncmp(entry.name, PREFIX, strlen(PREFIX)))
			tree_unlink(device, entry.name);
	}
}

FIXTURE_SETUP(named)
{
	umask(022);
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	unlink_all(self->device);
}

FIXTURE_TEARDOWN(named)
{
	unlink_all(self->device);
	close(self->device);
}

/* The entries of this suite, @page at a time; how many, or an error. */
static int list(int device, struct blink_tree_list_entry *found,
		unsigned int page)
{
	struct blink_tree_list_entry entries[ROOM];
	struct blink_tree_ioc_list arg = {
		.capacity = page,
		.trees = ptr_to_u64(entries),
		.entry_size = sizeof(entries[0]),
	};
	unsigned int i, nr = 0;
	int ret;

	do {
		arg.count = UINT32_MAX;
		ret = call(device, BLINK_TREE_IOC_LIST, &arg);
		if (ret)
			return ret;
		if (arg.count > page ||
		    (arg.count && arg.cursor != entries[arg.count - 1].id))
			return -EBADMSG;
		for (i = 0; i < arg.count && nr < ROOM; i++) {
			if (!strncmp(entries[i].name, PREFIX, strlen(PREFIX)))
				found[nr++] = entries[i];
		}
	} while (arg.count == page);
	return nr;
}

TEST_F(named, outlives_its_descriptors)
{
	int tree = tree_create(self->device, PREFIX "a", 0600, 0);
	__u64 value;

	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, fill(tree, 0, 1000, 3));
	close(tree);
	tree = tree_open(self->device, PREFIX "a", RW);
	ASSERT_GE(tree, 0);
	EXPECT_EQ(0, lookup(tree, 999 * 3, &value));
	EXPECT_EQ(value_of(999 * 3), value);
	EXPECT_EQ(0, tree_check(tree, 1000));
	close(tree);
}

TEST_F(named, unlinked_while_open_stays_usable)
{
	struct blink_tree_list_entry found[ROOM];
	int old = tree_create(self->device, PREFIX "a", 0600, 0), new;
	__u64 value;

	ASSERT_GE(old, 0);
	ASSERT_EQ(0, fill(old, 0, 1000, 3));
	ASSERT_EQ(0, tree_unlink(self->device, PREFIX "a"));
	EXPECT_EQ(0, list(self->device, found, ROOM));
	EXPECT_EQ(0, insert(old, 1, 1));

	new = tree_create(self->device, PREFIX "a", 0600, 0);
	ASSERT_GE(new, 0);
	EXPECT_EQ(-ENOENT, lookup(new, 1, &value));
	EXPECT_EQ(1, list(self->device, found, ROOM));
	EXPECT_EQ(0, tree_check(old, 1001));
	EXPECT_EQ(0, tree_check(new, 0));
	close(old);
	EXPECT_EQ(0, tree_check(new, 0));
	close(new);
}

TEST_F(named, list_tells_what_was_asked_for)
{
	struct blink_tree_list_entry found[ROOM];
	struct blink_tree_ioc_stats stats;
	int a, b;

	a = tree_create(self->device, PREFIX "a", 0640, 77);
	b = tree_create(self->device, PREFIX "b", 0777, 0);
	ASSERT_GE(a, 0);
	ASSERT_GE(b, 0);
	ASSERT_EQ(0, fill(a, 0, 50, 1));
	ASSERT_EQ(0, tree_stats(a, &stats));
	ASSERT_EQ(2, list(self->device, found, ROOM));
	EXPECT_STREQ(PREFIX "a", found[0].name);
	EXPECT_EQ(0640, found[0].mode);
	EXPECT_EQ(geteuid(), found[0].uid);
	EXPECT_EQ(getegid(), found[0].gid);
	EXPECT_EQ(50, found[0].entries);
	EXPECT_EQ(77, found[0].max_entries);
	EXPECT_EQ(stats.bytes, found[0].bytes);
	EXPECT_EQ(RW, found[0].access);
	EXPECT_STREQ(PREFIX "b", found[1].name);
	/* 0777 less the umask. */
	EXPECT_EQ(0755, found[1].mode);
	EXPECT_EQ(0, found[1].max_entries);
	EXPECT_LT(found[0].id, found[1].id);
	close(a);
	close(b);
}

TEST_F(named, list_pages_are_the_same_at_any_size)
{
	struct blink_tree_list_entry all[ROOM], found[ROOM];
	char name[BLINK_TREE_NAME_MAX];
	unsigned int page, i;

	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), PREFIX "%u", i * 7 % 20);
		close(tree_create(self->device, name, 0600, 0));
	}
	ASSERT_EQ(20, list(self->device, all, ROOM));
	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), PREFIX "%u", i * 7 % 20);
		EXPECT_STREQ(name, all[i].name);
		if (i)
			EXPECT_LT(all[i - 1].id, all[i].id);
	}
	for (page = 1; page <= 21; page++) {
		ASSERT_EQ(20, list(self->device, found, page));
		EXPECT_EQ(0, memcmp(all, found, 20 * sizeof(all[0])));
	}
}

/* Also the greatest id is not used again once its tree is gone. */
TEST_F(named, ids_are_never_used_again)
{
	struct blink_tree_list_entry before[ROOM], after[ROOM];

	close(tree_create(self->device, PREFIX "a", 0600, 0));
	close(tree_create(self->device, PREFIX "b", 0600, 0));
	ASSERT_EQ(2, list(self->device, before, ROOM));
	ASSERT_EQ(0, tree_unlink(self->device, PREFIX "b"));
	close(tree_create(self->device, PREFIX "b", 0600, 0));
	ASSERT_EQ(2, list(self->device, after, ROOM));
	EXPECT_EQ(before[0].id, after[0].id);
	EXPECT_LT(before[1].id, after[1].id);
}

TEST_F(named, list_without_room)
{
	struct blink_tree_ioc_list arg = {
		.entry_size = sizeof(struct blink_tree_list_entry),
		.count = 9,
	};

	close(tree_create(self->device, PREFIX "a", 0600, 0));
	EXPECT_EQ(0, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	EXPECT_EQ(0, arg.count);
	EXPECT_EQ(0, arg.cursor);
}

/* An older caller's entries are shorter, a newer one's are longer. */
TEST_F(named, list_entries_of_another_size)
{
	struct {
		struct blink_tree_list_entry entry;
		__u64 newer;
	} *mem = calloc(ROOM, sizeof(*mem));
	struct blink_tree_ioc_list arg = {
		.capacity = ROOM,
		.trees = ptr_to_u64(mem),
		.entry_size = sizeof(*mem),
	};
	struct blink_tree_list_entry found[ROOM];

	ASSERT_NE(NULL, mem);
	memset(mem, 0xff, ROOM * sizeof(*mem));
	close(tree_create(self->device, PREFIX "a", 0600, 0));
	close(tree_create(self->device, PREFIX "b", 0600, 0));
	ASSERT_EQ(2, list(self->device, found, ROOM));
	arg.cursor = found[0].id - 1;
	ASSERT_EQ(0, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	ASSERT_EQ(2, arg.count);
	EXPECT_EQ(0, memcmp(&mem[0].entry, &found[0], sizeof(found[0])));
	EXPECT_EQ(0, memcmp(&mem[1].entry, &found[1], sizeof(found[1])));
	EXPECT_EQ(0, mem[0].newer);
	EXPECT_EQ(0, mem[1].newer);

	/* One of before there was max_bytes. */
	arg.entry_size = offsetof(struct blink_tree_list_entry, max_bytes);
	arg.cursor = found[0].id - 1;
	memset(mem, 0xff, sizeof(*mem));
	ASSERT_EQ(0, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	EXPECT_EQ(0, memcmp(&mem[0].entry, &found[0], arg.entry_size));
	EXPECT_EQ(found[1].id, *(__u64 *)((char *)mem + arg.entry_size));

	arg.entry_size--;
	EXPECT_EQ(-EINVAL, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	arg.entry_size = 0;
	EXPECT_EQ(-EINVAL, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	free(mem);
}

TEST_F(named, list_to_a_bad_address)
{
	struct blink_tree_ioc_list arg = {
		.capacity = 2,
		.entry_size = sizeof(struct blink_tree_list_entry),
	};
	struct blink_tree_list_entry found[ROOM];
	char *end = guard_alloc(1);

	ASSERT_NE(NULL, end);
	close(tree_create(self->device, PREFIX "a", 0600, 0));
	close(tree_create(self->device, PREFIX "b", 0600, 0));
	ASSERT_EQ(2, list(self->device, found, ROOM));
	arg.cursor = found[0].id - 1;
	EXPECT_EQ(-EFAULT, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	arg.trees = ptr_to_u64(end - sizeof(struct blink_tree_list_entry));
	EXPECT_EQ(-EFAULT, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	arg.capacity = 1;
	EXPECT_EQ(0, call(self->device, BLINK_TREE_IOC_LIST, &arg));
	EXPECT_EQ(1, arg.count);
}

/* A tree whose creator gets no descriptor must not keep the name. */
TEST_F(named, no_descriptor_left_is_emfile)
{
	struct blink_tree_list_entry found[ROOM];
	struct rlimit limit, none;

	close(tree_create(self->device, PREFIX "a", 0600, 0));
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = dup(self->device);
	close(none.rlim_cur);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(-EMFILE, tree_create(self->device, PREFIX "b", 0600, 0));
	EXPECT_EQ(-EMFILE, tree_create(self->device, "", 0600, 0));
	EXPECT_EQ(-EMFILE, tree_open(self->device, PREFIX "a", RW));
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	EXPECT_EQ(1, list(self->device, found, ROOM));
	EXPECT_STREQ(PREFIX "a", found[0].name);
}

#define RACERS 4
#define ROUNDS 50

static int race(int id, void *arg)
{
	int device = device_open(), tree, i, wins = 0;
	int *won = arg;

	for (i = 0; i < ROUNDS; i++) {
		tree = tree_create(device, PREFIX "race", 0600, 0);
		if (tree == -EEXIST)
			continue;
		if (tree < 0 || insert(tree, id, i))
			return 1;
		/* No other process can have it as long as it is ours. */
		if (entries_of(tree) != 1 || tree_unlink(device, PREFIX "race"))
			return 1;
		close(tree);
		wins++;
	}
	won[id] = wins;
	return 0;
}

static int come_and_go(int id, void *arg)
{
	bool *done = arg, nameless = false;
	struct blink_tree_list_entry found[ROOM];
	int device = device_open(), i;

	for (i = 0; id && i < 20 * ROUNDS; i++) {
		close(tree_create(device, PREFIX "fleeting", 0600, 0));
		tree_unlink(device, PREFIX "fleeting");
	}
	if (id)
		__atomic_store_n(done, true, __ATOMIC_RELAXED);
	while (!__atomic_load_n(done, __ATOMIC_RELAXED)) {
		struct blink_tree_ioc_list list = {
			.capacity = ROOM,
			.trees = ptr_to_u64(found),
			.entry_size = sizeof(found[0]),
		};

		if (call(device, BLINK_TREE_IOC_LIST, &list))
			return 1;
		for (i = 0; i < (int)list.count; i++)
			nameless |= !found[i].name[0];
	}
	return nameless;
}

/* A tree that is unlinked while it is listed is left out, or has its name. */
TEST_F(named, no_nameless_tree_is_listed)
{
	bool *done = shared_alloc(sizeof(*done));

	ASSERT_NE(NULL, done);
	EXPECT_EQ(0, in_children(2, come_and_go, done));
}

TEST_F(named, one_winner_of_a_name)
{
	int *won = shared_alloc(RACERS * sizeof(int));
	struct blink_tree_list_entry found[ROOM];
	int i, sum = 0;

	ASSERT_NE(NULL, won);
	EXPECT_EQ(0, in_children(RACERS, race, won));
	for (i = 0; i < RACERS; i++)
		sum += won[i];
	EXPECT_LE(1, sum);
	EXPECT_EQ(0, list(self->device, found, ROOM));
}

TEST_HARNESS_MAIN
