// SPDX-License-Identifier: GPL-2.0
/*
 * The rights of users: each caller with each attribute and each way to a tree, cell by
 * cell; calls of which one part is refused; and three names where the middle one goes.
 */
#include <stdio.h>
#include <string.h>

#include <linux/blink_tree.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"

#define READ BLINK_TREE_OPEN_READ
#define WRITE BLINK_TREE_OPEN_WRITE

/* Of the tree: no user is called as its group. A container maps neither. */
#define OWNER 100
#define GROUP 200
#define OWN_GROUP 300
#define CONTAINED 1000
#define NOBODY 65534

enum {
	BY_OWNER = 1 << 0,
	BY_MEMBER = 1 << 1,
	BY_OTHER = 1 << 2,
	BY_FOWNER = 1 << 3,
	BY_CHOWN = 1 << 4,
	BY_DAC = 1 << 5,
	BY_ROOT = 1 << 6,
	BY_CONTAINED = 1 << 7,
};

static struct user_namespace container = {
	.level = 1,
	.parent = &init_user_ns,
	.least = CONTAINED,
};

static const struct caller {
	unsigned int bit;
	unsigned int uid;
	unsigned int group;
	unsigned int caps;
	bool contained;
} callers[] = {
	{ BY_OWNER, OWNER, OWN_GROUP, 0, false },
	{ BY_MEMBER, 7, GROUP, 0, false },
	{ BY_OTHER, 8, OWN_GROUP, 0, false },
	{ BY_FOWNER, 9, -1, 1 << CAP_FOWNER, false },
	{ BY_CHOWN, 9, -1, 1 << CAP_CHOWN, false },
	{ BY_DAC, 9, -1, 1 << CAP_DAC_OVERRIDE, false },
	{ BY_ROOT, 0, -1, 0, false },
	/* All capabilities, in a user namespace that knows neither owner nor group. */
	{ BY_CONTAINED, CONTAINED, -1, -1, true },
};

long set_attr(int tree, unsigned int uid, struct blink_tree_ioc_attr how)
{
	long ret;

	fuzz_uid = uid;
	ret = call(tree, BLINK_TREE_IOC_ATTR, &how);
	fuzz_uid = 0;
	return ret;
}

static void become(const struct caller *caller)
{
	fuzz_uid = caller->uid;
	fuzz_group = caller->group;
	fuzz_caps = caller->caps;
	fuzz_ns = caller->contained ? &container : &init_user_ns;
}

static void become_root(void)
{
	become(&(struct caller){ .group = -1 });
}

/* A tree of OWNER and GROUP. */
static int make(const char *name, unsigned int mode, __u64 max_entries)
{
	struct blink_tree_ioc_create how = { .mode = mode,
					     .max_entries = max_entries };
	int tree;

	snprintf(how.name, sizeof(how.name), "%s", name);
	fuzz_umask = 0;
	tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	fuzz_umask = 022;
	tap_check(tree > 0);
	tap_check(!set_attr(
		tree, 0,
		(struct blink_tree_ioc_attr){ .flags = BLINK_TREE_ATTR_UID |
						       BLINK_TREE_ATTR_GID,
					      .uid = OWNER,
					      .gid = GROUP }));
	return tree;
}

static void end(int tree)
{
	struct blink_tree_ioc_attr attr;

	become_root();
	tap_check(!attr_of(tree, &attr));
	if (attr.name[0])
		tap_check(!unlink_tree(attr.name));
	fuzz_close(tree);
}

/* The attributes that a call sets, and the callers that may; others get EPERM. */
static const struct {
	struct blink_tree_ioc_attr attr;
	unsigned int by;
} settings[] = {
	{ { .flags = BLINK_TREE_ATTR_MODE, .mode = 0600 },
	  BY_OWNER | BY_FOWNER | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_NAME, .name = "new" },
	  BY_OWNER | BY_FOWNER | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_MAX_ENTRIES, .max_entries = 9 },
	  BY_OWNER | BY_FOWNER | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_MAX_BYTES, .max_bytes = 1 << 20 },
	  BY_OWNER | BY_FOWNER | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_UID, .uid = OWNER },
	  BY_OWNER | BY_CHOWN | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_UID, .uid = CONTAINED },
	  BY_CHOWN | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_GID, .gid = GROUP },
	  BY_OWNER | BY_CHOWN | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_GID, .gid = OWN_GROUP },
	  BY_OWNER | BY_CHOWN | BY_ROOT },
	{ { .flags = BLINK_TREE_ATTR_GID, .gid = CONTAINED },
	  BY_CHOWN | BY_ROOT },
	/* Both are needed where one capability is for one of them. */
	{ { .flags = BLINK_TREE_ATTR_GID | BLINK_TREE_ATTR_MODE,
	    .gid = CONTAINED,
	    .mode = 0600 },
	  BY_ROOT },
};

/* The attributes after a call that set some. */
static struct blink_tree_ioc_attr after(struct blink_tree_ioc_attr attr,
					const struct blink_tree_ioc_attr *set)
{
	if (set->flags & BLINK_TREE_ATTR_UID)
		attr.uid = set->uid;
	if (set->flags & BLINK_TREE_ATTR_GID)
		attr.gid = set->gid;
	if (set->flags & BLINK_TREE_ATTR_MODE)
		attr.mode = set->mode;
	if (set->flags & BLINK_TREE_ATTR_NAME)
		memcpy(attr.name, set->name, sizeof(attr.name));
	if (set->flags & BLINK_TREE_ATTR_MAX_ENTRIES)
		attr.max_entries = set->max_entries;
	if (set->flags & BLINK_TREE_ATTR_MAX_BYTES)
		attr.max_bytes = set->max_bytes;
	return attr;
}

/* Set as a caller; whether the result is right, and all attributes after it. */
static bool sets(int tree, const struct caller *caller,
		 const struct blink_tree_ioc_attr *set, long want)
{
	struct blink_tree_ioc_attr call_attr = *set, before, now;
	long ret;

	tap_check(!attr_of(tree, &before));
	if (!want)
		before = after(before, set);
	become(caller);
	ret = call(tree, BLINK_TREE_IOC_ATTR, &call_attr);
	become_root();
	tap_check(!attr_of(tree, &now));
	return tap_check(ret == want) &&
	       tap_check(!memcmp(&before, &now, sizeof(now)));
}

static void settings_by(const struct caller *caller)
{
	unsigned int i;
	int tree;

	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		struct blink_tree_ioc_attr set = settings[i].attr;
		long want = settings[i].by & caller->bit ? 0 : -EPERM;

		/* A container has no user or group of such a number. */
		if (caller->contained &&
		    ((set.flags & BLINK_TREE_ATTR_UID && set.uid < CONTAINED) ||
		     (set.flags & BLINK_TREE_ATTR_GID && set.gid < CONTAINED)))
			want = -EINVAL;
		tree = make("old", 0640, 1000);
		if (!sets(tree, caller, &set, want))
			printf("# setting %u by %u\n", i, caller->bit);
		end(tree);
	}
}

static void ways_by(const struct caller *caller)
{
	static const struct {
		unsigned int access;
		unsigned int by;
	} opens[] = {
		{ READ, BY_OWNER | BY_MEMBER | BY_DAC | BY_ROOT },
		{ WRITE, BY_OWNER | BY_DAC | BY_ROOT },
		{ READ | WRITE, BY_OWNER | BY_DAC | BY_ROOT },
	};
	const long refused = caller->contained ? -ENOENT : -EACCES;
	unsigned int i;
	long tree, ret;

	tree = make("old", 0640, 0);
	for (i = 0; i < ARRAY_SIZE(opens); i++) {
		become(caller);
		ret = open_tree("old", opens[i].access);
		become_root();
		if (!tap_check(opens[i].by & caller->bit ? ret > 0 :
							   ret == refused))
			printf("# open %u by %u\n", i, caller->bit);
		fuzz_close(ret > 0 ? ret : -1);
	}
	become(caller);
	ret = unlink_tree("old");
	become_root();
	if (!tap_check(ret == (caller->bit & (BY_OWNER | BY_FOWNER | BY_ROOT) ?
				       0 :
			       caller->contained ? -ENOENT :
						   -EPERM)))
		printf("# unlink by %u\n", caller->bit);
	end(tree);
}

void rights_by_cells(void)
{
	struct caller contained = callers[ARRAY_SIZE(callers) - 1];
	struct blink_tree_ioc_attr mode = { .flags = BLINK_TREE_ATTR_MODE,
					    .mode = 0600 };
	unsigned int i;
	int tree;

	for (i = 0; i < ARRAY_SIZE(callers); i++) {
		settings_by(&callers[i]);
		ways_by(&callers[i]);
	}
	/* The capabilities of a container count for trees of its users and groups. */
	tree = make("old", 0, 0);
	tap_check(!set_attr(
		tree, 0,
		(struct blink_tree_ioc_attr){ .flags = BLINK_TREE_ATTR_UID,
					      .uid = CONTAINED + 1 }));
	tap_check(sets(tree, &contained, &mode, -EPERM));
	tap_check(!set_attr(
		tree, 0,
		(struct blink_tree_ioc_attr){ .flags = BLINK_TREE_ATTR_GID,
					      .gid = CONTAINED + 1 }));
	tap_check(sets(tree, &contained, &mode, 0));
	end(tree);
	tap_case("each user has its rights to each attribute, and no more");
}

/* Each field that a call can set, and each that can be refused, by the owner. */
static const struct blink_tree_ioc_attr goods[] = {
	{ .flags = BLINK_TREE_ATTR_UID, .uid = OWNER },
	{ .flags = BLINK_TREE_ATTR_GID, .gid = OWN_GROUP },
	{ .flags = BLINK_TREE_ATTR_MODE, .mode = 0600 },
	{ .flags = BLINK_TREE_ATTR_NAME, .name = "new" },
	{ .flags = BLINK_TREE_ATTR_MAX_ENTRIES, .max_entries = 9 },
	{ .flags = BLINK_TREE_ATTR_MAX_BYTES, .max_bytes = 1 << 20 },
};

static const struct {
	struct blink_tree_ioc_attr attr;
	long error;
} bads[] = {
	{ { .flags = BLINK_TREE_ATTR_UID, .uid = 7 }, -EPERM },
	{ { .flags = BLINK_TREE_ATTR_UID, .uid = -1 }, -EINVAL },
	{ { .flags = BLINK_TREE_ATTR_GID, .gid = 7 }, -EPERM },
	{ { .flags = BLINK_TREE_ATTR_GID, .gid = -1 }, -EINVAL },
	{ { .flags = BLINK_TREE_ATTR_MODE, .mode = 01000 }, -EINVAL },
	{ { .flags = BLINK_TREE_ATTR_NAME, .name = "taken" }, -EEXIST },
	{ { .flags = BLINK_TREE_ATTR_NAME, .name = "a b" }, -EINVAL },
	{ { .flags = BLINK_TREE_ATTR_MAX_ENTRIES, .max_entries = 9 },
	  -EOPNOTSUPP },
};

/* Two fields in one call. */
static struct blink_tree_ioc_attr both(const struct blink_tree_ioc_attr *a,
				       const struct blink_tree_ioc_attr *b)
{
	struct blink_tree_ioc_attr attr = after(*a, b);

	attr.flags |= b->flags;
	return attr;
}

void attributes_all_or_none(void)
{
	const struct caller *owner = &callers[0];
	struct blink_tree_ioc_attr set;
	int taken = make("taken", 0600, 0), tree;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(bads); i++) {
		/* Without a limit of entries the tree refuses one later. */
		bool counted = bads[i].error != -EOPNOTSUPP;

		for (j = 0; j < ARRAY_SIZE(goods); j++) {
			if (goods[j].flags == bads[i].attr.flags)
				continue;
			tree = make("old", 0640, counted ? 1000 : 0);
			set = both(&goods[j], &bads[i].attr);
			if (!sets(tree, owner, &set, bads[i].error))
				printf("# good %u, bad %u\n", j, i);
			end(tree);
		}
	}
	for (j = 0; j < ARRAY_SIZE(goods); j++) {
		tree = make("old", 0640, 1000);
		for (i = 0; i < ARRAY_SIZE(goods); i++) {
			set = both(&goods[i], &goods[j]);
			tap_check(sets(tree, owner, &set, 0));
		}
		end(tree);
	}
	end(taken);
	tap_case("attributes are set together, or none of them");
}

static __u64 id_of(int tree)
{
	struct blink_tree_ioc_attr attr;

	tap_check(!attr_of(tree, &attr));
	return attr.id;
}

/* The ids of all trees, one in each call; after @gone calls the second one goes. */
static unsigned int list_ids(__u64 *ids, unsigned int gone)
{
	struct blink_tree_list_entry *entry = array(sizeof(*entry));
	struct blink_tree_ioc_list arg = {
		.capacity = 1,
		.trees = array_address(),
		.entry_size = sizeof(*entry),
	};
	unsigned int nr = 0;

	while (!call(device, BLINK_TREE_IOC_LIST, &arg) && arg.count &&
	       nr < 4) {
		tap_check(arg.cursor == entry->id);
		ids[nr++] = entry->id;
		if (nr == gone)
			tap_check(!unlink_tree("b"));
	}
	arg.cursor = ~0ULL;
	tap_check(!call(device, BLINK_TREE_IOC_LIST, &arg) && !arg.count &&
		  arg.cursor == ~0ULL);
	return nr;
}

/* Whether a name, or none, leads to the tree. */
static bool leads(const char *name, __u64 id)
{
	int tree = open_tree(name, READ);
	bool right = id ? tree > 0 && id_of(tree) == id : tree == -ENOENT;

	fuzz_close(tree > 0 ? tree : -1);
	return right;
}

void three_names(void)
{
	static const char *const others[] = { "0", "bb", "z" };
	__u64 ids[3], listed[4];
	unsigned int i, gone;
	int trees[3];

	for (gone = 0; gone <= 3; gone++) {
		trees[0] = make("a", 0600, 0);
		trees[1] = make("b", 0600, 0);
		trees[2] = make("c", 0600, 0);
		for (i = 0; i < 3; i++)
			ids[i] = id_of(trees[i]);
		for (i = 0; i < ARRAY_SIZE(others); i++) {
			struct blink_tree_ioc_attr set = {
				.flags = BLINK_TREE_ATTR_NAME,
			};

			snprintf(set.name, sizeof(set.name), "%s", others[i]);
			tap_check(!set_attr(trees[1], 0, set));
			tap_check(leads("a", ids[0]) && leads("c", ids[2]));
			tap_check(leads("b", 0) && leads(others[i], ids[1]));
			snprintf(set.name, sizeof(set.name), "%s",
				 i & 1 ? "a" : "c");
			tap_check(set_attr(trees[1], 0, set) == -EEXIST);
			snprintf(set.name, sizeof(set.name), "%s", "b");
			tap_check(!set_attr(trees[1], 0, set));
			tap_check(leads("b", ids[1]) && leads(others[i], 0));
		}
		if (!gone)
			tap_check(!unlink_tree("b"));
		/* One that goes before its turn is not listed. */
		i = list_ids(listed, gone);
		tap_check(i == (gone < 2 ? 2 : 3));
		tap_check(listed[0] == ids[0] && listed[i - 1] == ids[2]);
		tap_check(leads("a", ids[0]) && leads("b", 0) &&
			  leads("c", ids[2]));
		tap_check(!unlink_tree("a") && leads("c", ids[2]) &&
			  !unlink_tree("c"));
		for (i = 0; i < 3; i++)
			fuzz_close(trees[i]);
	}
	tap_case("the middle one of three names goes, and no other");
}

/* The entry of the only tree that there is. */
static struct blink_tree_list_entry listed(unsigned int uid)
{
	struct blink_tree_list_entry *entry = array(sizeof(*entry));
	struct blink_tree_ioc_list arg = {
		.capacity = 1,
		.trees = array_address(),
		.entry_size = sizeof(*entry),
	};

	fuzz_uid = uid;
	tap_check(!call(device, BLINK_TREE_IOC_LIST, &arg) && arg.count == 1);
	fuzz_uid = 0;
	return *entry;
}

void list_tells_what_may_be_read(void)
{
	static const unsigned int modes[] = { 0600, 0602, 0604, 0606 };
	struct blink_tree_list_entry entry;
	unsigned int i;
	int tree;

	for (i = 0; i < 4; i++) {
		struct blink_tree_ioc_op op = { BLINK_TREE_OP_INSERT };

		fuzz_umask = 0;
		tree = create("l", modes[i]);
		fuzz_umask = 022;
		tap_check(!call(tree, BLINK_TREE_IOC_OP, &op));
		entry = listed(0);
		tap_check(entry.access == 3 && entry.entries == 1 &&
			  entry.bytes);
		entry = listed(NOBODY);
		tap_check(entry.access ==
			  ((modes[i] & 4 ? BLINK_TREE_OPEN_READ : 0) |
			   (modes[i] & 2 ? BLINK_TREE_OPEN_WRITE : 0)));
		fuzz_caps = 1u << CAP_DAC_OVERRIDE;
		tap_check(listed(NOBODY).access == 3);
		fuzz_caps = 0;
		tap_check(entry.mode == modes[i] && !strcmp(entry.name, "l"));
		tap_check(entry.entries == (modes[i] & 4 ? 1 : 0));
		tap_check(!entry.bytes == !(modes[i] & 4));
		tap_check(!unlink_tree("l"));
		fuzz_close(tree);
	}
	tap_case("a list tells the size of what the caller may read");
}

#define SET(tree, uid, ...) \
	set_attr(tree, uid, (struct blink_tree_ioc_attr){ __VA_ARGS__ })

void attributes(void)
{
	struct blink_tree_ioc_attr attr;
	int tree;

	fuzz_uid = NOBODY;
	tree = create("a", 0644);
	fuzz_uid = 0;
	tap_check(!attr_of(tree, &attr) && attr.known == sizeof(attr));
	tap_check(attr.uid == NOBODY && attr.mode == 0644 && !attr.flags);
	tap_check(SET(tree, 0, .flags = 64) == -EINVAL);
	tap_check(SET(tree, NOBODY, .flags = BLINK_TREE_ATTR_NAME) == -EINVAL);
	/* A tree that has no name any more gets no other. */
	tap_check(!unlink_tree("a"));
	tap_check(SET(tree, NOBODY, .flags = BLINK_TREE_ATTR_NAME,
		      .name = "d") == -ENOENT);
	/* CAP_CHOWN gives it away, and what the owner had with it. */
	tap_check(!SET(tree, 0,
		       .flags = BLINK_TREE_ATTR_UID | BLINK_TREE_ATTR_GID,
		       .uid = 7, .gid = 8));
	tap_check(!attr_of(tree, &attr) && attr.uid == 7 && attr.gid == 8);
	tap_check(SET(tree, NOBODY, .flags = BLINK_TREE_ATTR_MODE) == -EPERM);
	fuzz_close(tree);
	tap_case("each attribute is told, and set by those who may");
}
