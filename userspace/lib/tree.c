// SPDX-License-Identifier: GPL-2.0
/* Tree handles, which own a descriptor of one tree, and the names of trees. */
#include <unistd.h>

#include "internal.h"

/*
 * Call an ioctl that returns the descriptor of a tree. The handle is allocated first:
 * after the ioctl has created a named tree, no step may fail.
 */
static int call_for_tree(struct blinktree_ctl *ctl, unsigned long request,
			 void *arg, struct blinktree **tree)
{
	struct blinktree *new = malloc(sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->fd = blinktree_call(ctl->fd, request, arg);
	if (new->fd < 0) {
		int err = new->fd;

		free(new);
		return err;
	}
	*tree = new;
	return 0;
}

int blinktree_create(struct blinktree_ctl *ctl, const char *name,
		     unsigned int mode, __u64 max_entries,
		     struct blinktree **tree)
{
	struct blink_tree_ioc_create arg = {
		.mode = mode,
		.max_entries = max_entries,
	};
	int err = blinktree_copy_name(arg.name, name ?: "");

	return err ?: call_for_tree(ctl, BLINK_TREE_IOC_CREATE, &arg, tree);
}

int blinktree_create_as(struct blinktree_ctl *ctl,
			const struct blink_tree_ioc_create *how, size_t size,
			struct blinktree **tree)
{
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE,
				     BLINK_TREE_IOC_TYPE,
				     _IOC_NR(BLINK_TREE_IOC_CREATE), size);

	if (size >> _IOC_SIZEBITS)
		return -E2BIG;
	return call_for_tree(ctl, request, (void *)(uintptr_t)how, tree);
}

int blinktree_open(struct blinktree_ctl *ctl, const char *name,
		   unsigned int flags, struct blinktree **tree)
{
	struct blink_tree_ioc_open arg = { .flags = flags };
	int err = blinktree_copy_name(arg.name, name);

	return err ?: call_for_tree(ctl, BLINK_TREE_IOC_OPEN, &arg, tree);
}

int blinktree_open_owned(struct blinktree_ctl *ctl, const char *name,
			 unsigned int flags, __u32 uid, struct blinktree **tree)
{
	struct blink_tree_ioc_open arg = {
		.flags = flags | BLINK_TREE_OPEN_OWNER,
		.uid = uid,
	};
	int err = blinktree_copy_name(arg.name, name);

	/* An older module refuses the flag with EINVAL. */
	if (!err && !(ctl->info.features & BLINK_TREE_FEATURE_OPEN_OWNER))
		err = -EOPNOTSUPP;
	return err ?: call_for_tree(ctl, BLINK_TREE_IOC_OPEN, &arg, tree);
}

int blinktree_open_id(struct blinktree_ctl *ctl, __u64 id, unsigned int flags,
		      struct blinktree **tree)
{
	struct blink_tree_ioc_open arg = { .flags = flags, .id = id };

	return call_for_tree(ctl, BLINK_TREE_IOC_OPEN, &arg, tree);
}

int blinktree_from_fd(int fd, struct blinktree **tree)
{
	struct blink_tree_ioc_attr probe = {};
	struct blinktree *new;
	int err;

	/* Every descriptor of a tree returns attributes, and no other descriptor does. */
	err = blinktree_call(fd, BLINK_TREE_IOC_ATTR, &probe);
	if (err)
		return err;
	new = malloc(sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->fd = fd;
	*tree = new;
	return 0;
}

int blinktree_attr(struct blinktree *tree, struct blink_tree_ioc_attr *attr,
		   size_t size)
{
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE,
				     BLINK_TREE_IOC_TYPE,
				     _IOC_NR(BLINK_TREE_IOC_ATTR), size);

	if (size >> _IOC_SIZEBITS)
		return -E2BIG;
	return blinktree_call(tree->fd, request, attr);
}

int blinktree_bpf_handle(struct blinktree *tree, __u64 *handle)
{
	struct blink_tree_ioc_bpf_handle arg = {};
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_BPF_HANDLE, &arg);

	/* An older module does not know the ioctl. */
	if (err == -ENOTTY)
		return -EOPNOTSUPP;
	if (!err)
		*handle = arg.handle;
	return err;
}

int blinktree_fd(const struct blinktree *tree)
{
	return tree->fd;
}

void blinktree_close(struct blinktree *tree)
{
	if (!tree)
		return;
	close(tree->fd);
	free(tree);
}

int blinktree_unlink(struct blinktree_ctl *ctl, const char *name)
{
	struct blink_tree_ioc_unlink arg = {};
	int err = blinktree_copy_name(arg.name, name);

	return err ?: blinktree_call(ctl->fd, BLINK_TREE_IOC_UNLINK, &arg);
}

int blinktree_unlink_id(struct blinktree_ctl *ctl, __u64 id)
{
	struct blink_tree_ioc_unlink arg = { .id = id };

	return blinktree_call(ctl->fd, BLINK_TREE_IOC_UNLINK, &arg);
}
