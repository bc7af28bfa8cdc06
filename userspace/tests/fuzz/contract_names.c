// SPDX-License-Identifier: GPL-2.0
/* The owners that OPEN can ask for, and names in user namespaces. */
#include <stdio.h>
#include <string.h>

#include <linux/blink_tree.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"

static long open_owned(const char *name, unsigned int flags, unsigned int uid)
{
	struct blink_tree_ioc_open arg = { .flags = flags, .uid = uid };
	long tree;

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	tree = call(device, BLINK_TREE_IOC_OPEN, &arg);
	fuzz_close(tree > 0 ? tree : -1);
	return tree > 0 ? 0 : tree;
}

/* The tree of a squatter is refused as one, whatever its mode is. */
void owners_demanded(void)
{
	const unsigned int owned = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_OWNER;
	const unsigned int squatter = 7, user = 8;
	unsigned int mode;
	long tree;

	for (mode = 0; mode <= 0666; mode += 0666) {
		fuzz_uid = squatter;
		tree = create("n", mode);
		tap_check(open_owned("n", owned, user) == -EPERM);
		fuzz_uid = user;
		tap_check(open_owned("n", owned, user) == -EPERM);
		tap_check(open_owned("n", owned, 0) == -EPERM);
		tap_check(open_owned("n", owned, squatter) ==
			  (mode ? 0 : -EACCES));
		fuzz_uid = 0;
		tap_check(open_owned("n", owned, 0) == -EPERM);
		tap_check(!open_owned("n", owned, squatter));
		tap_check(!set_attr(tree, 0,
				    (struct blink_tree_ioc_attr){
					    .flags = BLINK_TREE_ATTR_UID,
					    .uid = user }));
		tap_check(open_owned("n", owned, squatter) == -EPERM);
		tap_check(!open_owned("n", owned, user));
		tap_check(!unlink_tree("n"));
		fuzz_close(tree);
	}
	tap_check(open_owned("n", owned, 0) == -ENOENT);
	tap_check(open_owned("n", owned, -1) == -EINVAL);
	tap_check(open_owned("n", BLINK_TREE_OPEN_OWNER, 0) == -EINVAL);
	tap_check(open_owned("n", BLINK_TREE_OPEN_READ, 1) == -EINVAL);
	tap_check(open_owned("n", owned | 8, 0) == -EINVAL);
	tap_case("a tree of another owner than the one demanded is refused");
}

/* How many names are listed after an id; sets @first to the id of the first. */
static unsigned int listed_after(__u64 id, unsigned int flags, __u64 *first)
{
	struct blink_tree_list_entry *entries = array(8 * sizeof(*entries));
	struct blink_tree_ioc_list arg = {
		.flags = flags,
		.cursor = id,
		.capacity = 8,
		.trees = array_address(),
		.entry_size = sizeof(*entries),
	};

	tap_check(!call(device, BLINK_TREE_IOC_LIST, &arg));
	*first = entries[0].id;
	return arg.count;
}

void names_of_namespaces(void)
{
	struct user_namespace *host = fuzz_ns;
	struct user_namespace container = { .level = 1, .parent = host };
	struct blink_tree_ioc_unlink unlink = {};
	struct blink_tree_ioc_open open = { .flags = BLINK_TREE_OPEN_READ };
	struct blink_tree_ioc_attr attr;
	__u64 ids[2], first;
	int trees[3];

	trees[0] = create("n", 0600);
	tap_check(!attr_of(trees[0], &attr));
	ids[0] = attr.id;
	fuzz_ns = &container;
	tap_check(open_tree("n", BLINK_TREE_OPEN_READ) == -ENOENT);
	tap_check(unlink_tree("n") == -ENOENT);
	trees[1] = create("n", 0600);
	tap_check(trees[1] > 0 && !attr_of(trees[1], &attr));
	ids[1] = attr.id;
	tap_check(ids[0] < ids[1]);
	tap_check(listed_after(0, 0, &first) == 1 && first == ids[1]);
	fuzz_ns = host;
	tap_check(listed_after(0, 0, &first) == 1 && first == ids[0]);
	tap_check(listed_after(0, BLINK_TREE_LIST_BELOW, &first) == 2);
	/* From above, and not from below, a number is enough. */
	open.id = ids[1];
	unlink.id = ids[0];
	trees[2] = call(device, BLINK_TREE_IOC_OPEN, &open);
	tap_check(trees[2] > 0);
	fuzz_close(trees[2]);
	fuzz_ns = &container;
	tap_check(call(device, BLINK_TREE_IOC_UNLINK, &unlink) == -ENOENT);
	fuzz_ns = host;
	tap_check(!call(device, BLINK_TREE_IOC_UNLINK, &unlink));
	tap_check(unlink_tree("n") == -ENOENT);
	unlink.id = ids[1];
	tap_check(!call(device, BLINK_TREE_IOC_UNLINK, &unlink));
	fuzz_ns = &container;
	tap_check(unlink_tree("n") == -ENOENT);
	fuzz_ns = host;
	fuzz_close(trees[0]);
	tap_check(container.references == 1);
	fuzz_close(trees[1]);
	tap_check(!container.references);
	tap_case("names belong to a user namespace");
}
