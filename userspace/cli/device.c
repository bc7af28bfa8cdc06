// SPDX-License-Identifier: GPL-2.0
/* Turn errors of the system into advice for the user. */
#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/stat.h>

#include "account.h"
#include "device.h"
#include "util.h"

/* Say which users can open the device; the caller cannot. */
static void explain_access(const char *device)
{
	const struct group *group;
	struct stat stat_;

	if (stat(device, &stat_))
		return;
	group = getgrgid(stat_.st_gid);
	message("its mode is %03o, its group %s", stat_.st_mode & 0777,
		group ? group->gr_name : "unknown");
	if (group && stat_.st_gid && stat_.st_mode & 0020)
		message("join the group: usermod -aG %s USER, then log in again",
			group->gr_name);
	else
		message("become root, or install 60-blink_tree.rules for a group");
}

/* Name the file in which the administrator sets a limit. */
static void explain_parameter(const char *whose, const char *name)
{
	message("the limit of %s is in /sys/module/blink_tree/parameters/%s",
		whose, name);
}

static void explain_device(const char *device, int error)
{
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		message("%s: no such device: the module is not loaded", device);
		message("load it: modprobe blink_tree, or insmod blink_tree.ko");
		break;
	case EACCES:
	case EPERM:
		message("%s: %s", device, strerror(error));
		explain_access(device);
		break;
	case ENOTTY:
		message("%s: not the device of blink_tree", device);
		break;
	case EPROTO:
		message("%s: the module lacks an ioctl that this program needs",
			device);
		message("install a module of the same version: %s",
			blinktree_version());
		break;
	default:
		message("%s: %s", device, strerror(error));
	}
}

struct blinktree_ctl *device_open(const struct args *args)
{
	const char *device = args->device ?: BLINK_TREE_DEVICE;
	struct blinktree_ctl *ctl;
	int err = blinktree_ctl_open(device, &ctl);

	if (!err)
		return ctl;
	explain_device(device, -err);
	return NULL;
}

enum status device_tree_error(const char *name, int error)
{
	switch (error) {
	case ENOENT:
		message("%s: no such tree (see: %s list; %s create %s)", name,
			PROGRAM, PROGRAM, name);
		break;
	case EEXIST:
		message("%s: there is a tree of this name already", name);
		break;
	case EACCES:
		message("%s: the mode of the tree denies the access (see: %s list)",
			name, PROGRAM);
		break;
	case EPERM:
		message("%s: only the tree's owner and root may do that", name);
		break;
	case EBADF:
		message("%s: the mode of the device allows only to list and open trees",
			name);
		break;
	case E2BIG:
		message("%s: the module is older than this program and lacks an option",
			name);
		break;
	case ENOSPC:
		message("%s: max_bytes is too small for an empty tree", name);
		break;
	case EDQUOT:
	case ENOMEM:
		return device_failed(name, error);
	case ENAMETOOLONG:
		message("%s: a name has at most %d bytes", name,
			BLINK_TREE_NAME_MAX - 1);
		return STATUS_USAGE;
	case EINVAL:
		message("%s: a name has letters, digits and ._@:+-, and no - or . at its start",
			name);
		return STATUS_USAGE;
	default:
		message("%s: %s", name, strerror(error));
	}
	return STATUS_SYSTEM;
}

int device_open_named(const struct args *args, struct blinktree_ctl *ctl,
		      const char *name, unsigned int flags,
		      struct blinktree **tree)
{
	struct account owner;

	if (!args->owner)
		return blinktree_open(ctl, name, flags, tree);
	if (!account_find(args->owner, &owner))
		return -ESRCH;
	return blinktree_open_owned(ctl, name, flags, owner.uid, tree);
}

enum status device_not_opened(const struct args *args, const char *name,
			      int error)
{
	/* account_find() has told. */
	if (args->owner && error == ESRCH)
		return STATUS_USAGE;
	if (args->owner && error == EPERM)
		message("%s: the tree does not belong to %s (see: %s list)",
			name, args->owner, PROGRAM);
	else if (args->owner && error == EOPNOTSUPP)
		message("%s: the module is older than this program and cannot compare the owner",
			name);
	else
		return device_tree_error(name, error);
	return STATUS_SYSTEM;
}

/* Open the tree with the first of these flags that its mode allows. */
static enum status open_tree(const struct args *args, const unsigned int *flags,
			     size_t nr, struct blinktree **tree)
{
	struct blinktree_ctl *ctl = device_open(args);
	enum status status = STATUS_OK;
	int err = -EACCES;
	size_t i;

	if (!ctl)
		return STATUS_SYSTEM;
	for (i = 0; i < nr && err == -EACCES; i++)
		err = device_open_named(args, ctl, args->words[0], flags[i],
					tree);
	if (err)
		status = device_not_opened(args, args->words[0], -err);
	blinktree_ctl_close(ctl);
	return status;
}

enum status device_open_tree(const struct args *args, unsigned int flags,
			     struct blinktree **tree)
{
	return open_tree(args, &flags, 1, tree);
}

enum status device_open_tree_as_allowed(const struct args *args,
					struct blinktree **tree)
{
	static const unsigned int flags[] = {
		BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
		BLINK_TREE_OPEN_READ,
		BLINK_TREE_OPEN_WRITE,
	};

	return open_tree(args, flags, ARRAY_SIZE(flags), tree);
}

enum status device_failed(const char *what, int error)
{
	switch (error) {
	case ENOSPC:
		message("%s: the tree has reached its max_entries or max_bytes (see: %s stat)",
			what, PROGRAM);
		break;
	case EDQUOT:
		message("%s: the trees of one user have reached their limit",
			what);
		explain_parameter("one user", "user_max_bytes");
		break;
	case ENOMEM:
		message("%s: no memory, or a limit is reached (see also your control group)",
			what);
		explain_parameter("all trees", "max_bytes");
		break;
	default:
		message("%s: %s", what, strerror(error));
	}
	return STATUS_SYSTEM;
}
