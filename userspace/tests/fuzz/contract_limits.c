// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory trees may take: each one, those of a user, all of them. Users
 * of namespaces, and trees that get another owner.
 */
#include <string.h>

#include <linux/blink_tree.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"

#include "chardev/payer.h"
#include "chardev/registry.h"
#include "core/tree/tree.h"

#define ALICE 1000
#define BOB 1001
#define FOR_TREES (300UL << 10)

static long create_limited(unsigned int uid, __u64 max_bytes)
{
	struct blink_tree_ioc_create arg = {
		.mode = 0600,
		.name = "m",
		.max_bytes = max_bytes,
	};
	long ret;

	fuzz_uid = uid;
	ret = call(device, BLINK_TREE_IOC_CREATE, &arg);
	fuzz_uid = 0;
	return ret;
}

static long create_as(unsigned int uid)
{
	long ret;

	fuzz_uid = uid;
	ret = create("", 0600);
	fuzz_uid = 0;
	return ret;
}

static long insert(int tree, __u64 key)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = key,
		.value = key,
	};

	return call(tree, BLINK_TREE_IOC_OP, &op);
}

/* Insert until it is refused; how many keys there are then, or 0. */
static __u64 fill(int tree, long err)
{
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};
	__u64 key = 0;
	long ret;

	while (!(ret = insert(tree, key)) || ret == -EEXIST)
		key++;
	tap_check(ret == err);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	return ret == err && !verify.violation && stats.entries == key ? key :
									 0;
}

/* When all memory that was given back is free. */
static void end(int tree)
{
	fuzz_close(tree);
	rcu_barrier();
}

void limit_of_the_tree(void)
{
	struct blink_tree_ioc_attr attr;
	struct blink_tree_ioc_stats stats = {};
	unsigned int older =
		_IOC(_IOC_READ | _IOC_WRITE, BLINK_TREE_IOC_TYPE,
		     _IOC_NR(BLINK_TREE_IOC_CREATE),
		     offsetof(struct blink_tree_ioc_create, max_bytes));
	struct blink_tree_ioc_create arg = {};
	int tree = create_limited(ALICE, FOR_TREES);

	tap_check(tree > 0 && fill(tree, -ENOSPC) > 1000);
	tap_check(!attr_of(tree, &attr) && attr.max_bytes == FOR_TREES);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(stats.max_bytes == FOR_TREES);
	tap_check(stats.bytes > FOR_TREES * 95 / 100);
	tap_check(stats.bytes < FOR_TREES * 105 / 100);
	tap_check(!unlink_tree("m"));
	end(tree);
	tap_check(create_limited(ALICE, 1000) == -ENOSPC);
	tap_check(open_tree("m", BLINK_TREE_OPEN_READ) == -ENOENT);
	/* A caller of before there were limits sets none. */
	arg.max_bytes = 1000;
	tree = call(device, older, &arg);
	tap_check(tree > 0 && !attr_of(tree, &attr) && !attr.max_bytes);
	end(tree);
	tap_case("a tree keeps its max_bytes");
}

void limit_of_the_user(void)
{
	__u64 unlimited = blink_user_max_bytes, keys;
	int trees[4], many[300], i;

	blink_user_max_bytes = FOR_TREES;
	for (i = 0; i < 4; i++)
		trees[i] = create_as(i < 2 ? ALICE : i < 3 ? BOB : 0);
	keys = fill(trees[0], -EDQUOT);
	tap_check(keys > 1000);
	/* It is the other tree's limit too, and no new tree is created. */
	tap_check(fill(trees[1], -EDQUOT) < keys / 4);
	tap_check(create_as(ALICE) == -EDQUOT);
	tap_check(fill(trees[2], -EDQUOT) > keys);
	for (i = 0; i < 100000; i++)
		if (insert(trees[3], i))
			break;
	tap_check(i == 100000);
	for (i = 0; i < 4; i++)
		end(trees[i]);
	/* Descriptors run out before, unless there is little memory. */
	blink_user_max_bytes = FOR_TREES / 5;
	for (i = 0; i < 300; i++) {
		many[i] = create_as(ALICE);
		if (many[i] < 0)
			break;
	}
	tap_check(i > 1 && i < 20 && many[i] == -EDQUOT);
	while (i--)
		end(many[i]);
	blink_user_max_bytes = unlimited;
	blink_payers_exit();
	tap_case("a user has so much memory for all trees, and others theirs");
}

void limit_of_all_trees(void)
{
	__u64 unlimited = blink_max_bytes, keys;
	int trees[2] = { create_as(ALICE), create_as(0) };

	blink_max_bytes = FOR_TREES;
	keys = fill(trees[0], -ENOMEM);
	tap_check(keys > 1000);
	tap_check(fill(trees[1], -ENOMEM) < keys / 4);
	tap_check(create_as(BOB) == -ENOMEM);
	end(trees[0]);
	tap_check(fill(trees[1], -ENOMEM) > keys / 2);
	end(trees[1]);
	blink_max_bytes = unlimited;
	blink_payers_exit();
	tap_case("all trees together leave memory for the rest");
}

/* Users have all they can get, and a service gets the rest. */
void reserve_of_services(void)
{
	__u64 unlimited = blink_max_bytes, keys;
	int alice = create_as(ALICE), bob = create_as(BOB), service;

	/* A few leaves are left, and the limit can change at any time. */
	blink_max_bytes = 32 * FOR_TREES;
	keys = fill(alice, -ENOMEM);
	tap_check(fill(bob, -ENOMEM) < keys / 4);
	tap_check(create_as(BOB) == -ENOMEM);
	service = create_as(0);
	tap_check(service > 0);
	tap_check(fill(service, -ENOMEM) > keys / 40);
	blink_max_bytes = 0;
	tap_check(!insert(bob, 1ULL << 60));
	end(service);
	end(bob);
	end(alice);
	blink_max_bytes = unlimited;
	blink_payers_exit();
	tap_case("users leave a part of the memory to services");
}

/* Whether a line about memory begins so, and goes on so after the bytes in use. */
static bool shows(const char *begin, const char *rest)
{
	const char *at = strstr(fuzz_shown, begin);

	if (!at)
		return false;
	at += strlen(begin);
	at += strspn(at, "0123456789");
	return !strncmp(at, rest, strlen(rest));
}

/* Each payer, with trees that have no name. */
void users_are_shown(void)
{
	struct user_namespace container = {
		.parent = fuzz_ns,
		.ns.inum = 4711,
	};
	struct user_namespace other = { .parent = fuzz_ns, .ns.inum = 4712 };
	struct user_namespace *host = fuzz_ns;
	__u64 max = blink_max_bytes, user_max = blink_user_max_bytes;
	int trees[5] = { create_as(ALICE), create_as(BOB), create("", 0) };
	int unnamed, i;

	fuzz_ns = &container;
	trees[3] = create_as(100002);
	fuzz_ns = &other;
	trees[4] = create_as(100002);
	fuzz_ns = host;
	fuzz_uid = BOB;
	unnamed = create("", 0);
	fuzz_uid = 0;
	blink_max_bytes = 6400000;
	blink_user_max_bytes = 5000000;
	fuzz_shown[0] = '\0';
	blink_payers_show(NULL);
	tap_check(shows("module: used=", " limit=6400000\n"));
	tap_check(shows("users: used=", " limit=6200000\n"));
	tap_check(shows("user 1000: used=", " limit=5000000 trees=1\n"));
	tap_check(shows("user 1001: used=", " limit=5000000 trees=2\n"));
	tap_check(shows("namespace 4711: used=", " limit=5000000 trees=1\n"));
	tap_check(shows("namespace 4712: used=", " limit=5000000 trees=1\n"));
	tap_check(!shows("user 0:", ""));
	blink_max_bytes = max;
	blink_user_max_bytes = user_max;
	fuzz_close(unnamed);
	for (i = 0; i < 5; i++)
		end(trees[i]);
	fuzz_shown[0] = '\0';
	blink_payers_show(NULL);
	tap_check(shows("users: used=", " limit=") &&
		  !strstr(fuzz_shown, "user 1"));
	blink_payers_exit();
	tap_case("users and their memory are shown");
}

#define TOTAL ((long long)(totalram_pages() << PAGE_SHIFT))

/* Texts, and which limits they are; or errors. */
static const struct {
	const char *text;
	long long limit;
} limits[] = {
	{ "0", 0 },
	{ "0%", 0 },
	{ "1%", TOTAL / 100 },
	{ "50%\n", TOTAL / 2 },
	{ "99%", TOTAL * 99 / 100 },
	{ "100%", TOTAL },
	{ "4711\n", 4711 },
	{ "9223372036854775807", S64_MAX },
	{ "9223372036854775808", -ERANGE },
	/* As 50% is, before the memory is known. */
	{ "18446744073709551565", -ERANGE },
	{ "18446744073709551616", -ERANGE },
	{ "101%", -EINVAL },
	{ "50%%", -EINVAL },
	{ "%", -EINVAL },
	{ "", -EINVAL },
};

/* Parameters that are set before the amount of memory is known, and afterwards. */
void shares_become_bytes(void)
{
	long long early[ARRAY_SIZE(limits)], late;
	u64 parsed[ARRAY_SIZE(limits)];
	__u64 max = blink_max_bytes;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++)
		early[i] = blink_memory_parse(limits[i].text, &parsed[i]);
	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		if (!early[i]) {
			blink_max_bytes = parsed[i];
			blink_payers_init();
			early[i] = blink_max_bytes;
		}
		late = blink_memory_parse(limits[i].text, &parsed[i]);
		if (!late)
			late = parsed[i];
		if (!tap_check(early[i] == limits[i].limit) ||
		    !tap_check(late == limits[i].limit))
			printf("# limit %u: %lld, %lld\n", i, early[i], late);
	}
	blink_max_bytes = max;
	tap_case("limits that are percentages become bytes");
}

/* A tree is charged for its object, too. */
void objects_are_charged(void)
{
	int tree = create("", 0);
	const struct blink_object *object = fuzz_file(tree)->private_data;
	struct blink_tree *bare = blink_tree_create(NULL, GFP_KERNEL);

	tap_check(object->tree->charge.fixed ==
		  bare->charge.fixed + (long)sizeof(*object));
	blink_tree_destroy(bare);
	end(tree);
	tap_case("the object of a tree is charged with it");
}

/* Alice as somebody else, in a namespace in a namespace of hers. */
void users_of_namespaces(void)
{
	struct user_namespace *host = fuzz_ns;
	struct user_namespace outer = { .parent = host, .owner = { ALICE } };
	struct user_namespace inner = { .parent = &outer, .owner = { 100001 } };
	struct user_namespace container = { .parent = host };
	__u64 unlimited = blink_user_max_bytes;
	int alice = create_as(ALICE), tree;

	blink_user_max_bytes = FOR_TREES;
	tap_check(fill(alice, -EDQUOT));
	fuzz_ns = &inner;
	tap_check(create_as(100002) == -EDQUOT);
	fuzz_ns = &outer;
	tap_check(create_as(100003) == -EDQUOT);
	/* That one was made by root, and has a budget of its own; one for all in it. */
	fuzz_ns = &container;
	tree = create_as(100002);
	tap_check(tree > 0);
	tap_check(fill(tree, -EDQUOT));
	tap_check(create_as(100003) == -EDQUOT);
	tap_check(container.references == 2);
	end(tree);
	tap_check(!container.references);
	fuzz_ns = host;
	end(alice);
	blink_user_max_bytes = unlimited;
	blink_payers_exit();
	tap_case("a user is one also in namespaces of the user's own");
}

void creator_pays(void)
{
	__u64 unlimited = blink_user_max_bytes;
	int tree = create_as(ALICE), other;

	blink_user_max_bytes = FOR_TREES;
	tap_check(!set_attr(tree, 0,
			    (struct blink_tree_ioc_attr){
				    .flags = BLINK_TREE_ATTR_UID,
				    .uid = BOB,
			    }));
	tap_check(fill(tree, -EDQUOT));
	tap_check(create_as(ALICE) == -EDQUOT);
	other = create_as(BOB);
	tap_check(other > 0);
	end(other);
	end(tree);
	other = create_as(ALICE);
	tap_check(other > 0);
	end(other);
	blink_user_max_bytes = unlimited;
	blink_payers_exit();
	tap_case("the creator of a tree pays for it, whoever owns it");
}

static long set_limits(int tree, unsigned int uid, unsigned int flags,
		       __u64 max_entries, __u64 max_bytes)
{
	return set_attr(tree, uid,
			(struct blink_tree_ioc_attr){
				.flags = flags,
				.max_entries = max_entries,
				.max_bytes = max_bytes,
				.mode = 0644,
				.name = "taken",
			});
}

void owner_sets_limits(void)
{
	const unsigned int entries = BLINK_TREE_ATTR_MAX_ENTRIES;
	const unsigned int bytes = BLINK_TREE_ATTR_MAX_BYTES;
	struct blink_tree_ioc_create arg = { .max_entries = 10, .name = "m" };
	struct blink_tree_ioc_attr attr;
	int tree, taken = create("taken", 0600), i;

	fuzz_uid = ALICE;
	tree = call(device, BLINK_TREE_IOC_CREATE, &arg);
	fuzz_uid = 0;
	tap_check(fill(tree, -ENOSPC) == 10);
	tap_check(set_limits(tree, BOB, bytes, 0, FOR_TREES) == -EPERM);
	tap_check(set_limits(tree, BOB, entries, 20, 0) == -EPERM);
	tap_check(!set_limits(tree, ALICE, entries, 20, 7));
	tap_check(!attr_of(tree, &attr) && attr.max_entries == 20 &&
		  !attr.max_bytes);
	tap_check(fill(tree, -ENOSPC) == 20);
	tap_check(!set_limits(tree, 0, entries | bytes, 0, FOR_TREES));
	tap_check(fill(tree, -ENOSPC) > 1000);
	/* All or nothing. */
	tap_check(set_limits(tree, ALICE,
			     entries | bytes | BLINK_TREE_ATTR_MODE |
				     BLINK_TREE_ATTR_NAME,
			     5, 5) == -EEXIST);
	tap_check(!attr_of(tree, &attr) && !attr.max_entries &&
		  attr.max_bytes == FOR_TREES && !attr.mode);
	tap_check(!unlink_tree("m"));
	end(tree);
	/* One that does not count its keys has no limit on them, ever. */
	tree = create_as(ALICE);
	tap_check(set_limits(tree, ALICE, entries | bytes, 5, 5) ==
		  -EOPNOTSUPP);
	tap_check(!attr_of(tree, &attr) && !attr.max_bytes);
	tap_check(!set_limits(tree, ALICE, bytes, 5, 5));
	for (i = 0; !insert(tree, i); i++)
		;
	tap_check(i > 1 && i < 100 && insert(tree, i) == -ENOSPC);
	end(tree);
	unlink_tree("taken");
	end(taken);
	tap_case("the owner sets limits, also below what there is");
}
