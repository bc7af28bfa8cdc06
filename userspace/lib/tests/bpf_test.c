// SPDX-License-Identifier: GPL-2.0
/* The number by which BPF programs name a tree, over an ioctl that is made up. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include "../../tests/common/tap.h"
#include "blinktree.h"

/* The errno of the next ioctl, or 0. */
static int error;

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct blink_tree_ioc_bpf_handle *arg;
	va_list list;

	(void)fd;
	if (request == BLINK_TREE_IOC_ATTR)
		return 0;
	va_start(list, request);
	arg = va_arg(list, struct blink_tree_ioc_bpf_handle *);
	va_end(list);
	tap_check(request == BLINK_TREE_IOC_BPF_HANDLE && !arg->flags);
	errno = error;
	if (error)
		return -1;
	arg->handle = 1ULL << 32 | 5;
	return 0;
}

int main(void)
{
	struct blinktree *tree = NULL;
	__u64 handle = 7;

	tap_begin(1);
	tap_check(!blinktree_from_fd(open("/dev/null", O_RDONLY), &tree));
	error = EPERM;
	tap_check(blinktree_bpf_handle(tree, &handle) == -EPERM);
	/* A module that is older than the ioctl. */
	error = ENOTTY;
	tap_check(blinktree_bpf_handle(tree, &handle) == -EOPNOTSUPP);
	tap_check(handle == 7);
	error = 0;
	tap_check(!blinktree_bpf_handle(tree, &handle));
	tap_check(handle == (1ULL << 32 | 5));
	blinktree_close(tree);
	tap_case("a tree has a number for BPF programs");
	return tap_exit(1);
}
