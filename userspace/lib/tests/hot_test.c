// SPDX-License-Identifier: GPL-2.0
/* The leaves that writers wait for, over an ioctl that is made up. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include "../../tests/common/tap.h"
#include "blinktree.h"

/* Leaves with heat: the hottest one has as much as there are. */
#define LEAVES 5

/* The errno of the next ioctl, or 0; the size of an element that it got. */
static int error;
static __u32 size;

static void write_leaves(struct blink_tree_ioc_hot_leaves *arg)
{
	char *leaves = (char *)(uintptr_t)arg->leaves;

	for (; arg->count < arg->capacity && arg->count < LEAVES; arg->count++)
		*(__u32 *)(leaves + arg->count * arg->leaf_size) =
			LEAVES - arg->count;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct blink_tree_ioc_hot_leaves *arg;
	va_list list;

	(void)fd;
	if (request == BLINK_TREE_IOC_ATTR)
		return 0;
	va_start(list, request);
	arg = va_arg(list, struct blink_tree_ioc_hot_leaves *);
	va_end(list);
	tap_check(request == BLINK_TREE_IOC_HOT_LEAVES && !arg->flags);
	size = arg->leaf_size;
	errno = error;
	if (error)
		return -1;
	write_leaves(arg);
	return 0;
}

static void read_leaves(struct blinktree *tree)
{
	struct blink_tree_hot_leaf leaves[LEAVES + 1] = {};
	const size_t known = sizeof(leaves[0]);

	tap_check(blinktree_hot_leaves(tree, leaves, LEAVES + 1, known) ==
		  LEAVES);
	tap_check(size == known);
	tap_check(leaves[0].heat == LEAVES && leaves[LEAVES - 1].heat == 1);
	tap_check(!leaves[LEAVES].heat);
	tap_check(blinktree_hot_leaves(tree, leaves, 2, known) == 2);
	/* The program knows less than the library. */
	tap_check(blinktree_hot_leaves(tree, leaves, 2, 8) == 2 && size == 8);
	error = EINVAL;
	tap_check(blinktree_hot_leaves(tree, leaves, 0, known) == -EINVAL);
	/* A module that is older than the ioctl. */
	error = ENOTTY;
	tap_check(blinktree_hot_leaves(tree, leaves, 1, known) == -EOPNOTSUPP);
}

int main(void)
{
	struct blinktree *tree = NULL;

	tap_begin(1);
	tap_check(!blinktree_from_fd(open("/dev/null", O_RDONLY), &tree));
	read_leaves(tree);
	blinktree_close(tree);
	tap_case("hot leaves are as many as the kernel writes");
	return tap_exit(1);
}
