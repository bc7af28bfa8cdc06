// SPDX-License-Identifier: GPL-2.0
/* An anonymous tree: it dies with its last descriptor, here at the end. */
#include <blinktree.h>
#include <stdio.h>
#include <string.h>

static int use(struct blinktree *tree)
{
	struct blink_tree_entry entry;
	__u64 key;
	int err;

	for (key = 10; key <= 50; key += 10) {
		err = blinktree_insert(tree, key, key * key, NULL);
		if (err)
			return err;
	}
	err = blinktree_floor(tree, 34, &entry);
	if (!err)
		printf("nearest key below 34: %llu, its value: %llu\n",
		       (unsigned long long)entry.key,
		       (unsigned long long)entry.value);
	return err;
}

int main(void)
{
	struct blinktree_ctl *ctl;
	struct blinktree *tree;
	int err;

	err = blinktree_ctl_open(NULL, &ctl);
	if (err)
		goto out;
	err = blinktree_create(ctl, NULL, 0, 0, &tree);
	blinktree_ctl_close(ctl);
	if (err)
		goto out;
	err = use(tree);
	blinktree_close(tree);
out:
	if (err)
		fprintf(stderr, "ages: %s\n", strerror(-err));
	return err ? 1 : 0;
}
