// SPDX-License-Identifier: GPL-2.0
/* From errors of the system to advice for the user. */
#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/stat.h>

#include "device.h"
#include "util.h"

/* Who may use the device, as far as the caller is not among them. */
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
		message("become a member: usermod -aG %s USER, and log in anew",
			group->gr_name);
	else
		message("become root, or install 60-blink_tree.rules for a group");
}

/* Where the administrator sets a limit. */
static void explain_parameter(const char *name)
{
	message("the limit is in /sys/module/blink_tree/parameters/%s", name);
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
		message("%s: the module is too old for this program, or too different",
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
		message("%s: the tree's mode does not let you (see: %s list)",
			name, PROGRAM);
		break;
	case EPERM:
		message("%s: only the tree's owner and root may do that", name);
		break;
	case E2BIG:
		message("%s: the module is older than this program, and does not know that",
			name);
		break;
	case ENOSPC:
		message("%s: no tree can do with so few bytes", name);
		break;
	case EDQUOT:
	case ENOMEM:
		return device_failed(name, error);
	case ENAMETOOLONG:
		message("%s: a name has at most %d bytes", name,
			BLINK_TREE_NAME_MAX - 1);
		return STATUS_USAGE;
	case EINVAL:
		message("%s: a name is of letters, digits and ._@:+-, with no - or . first",
			name);
		return STATUS_USAGE;
	default:
		message("%s: %s", name, strerror(error));
	}
	return STATUS_SYSTEM;
}

/* With the first of some flags that the tree's mode lets us have. */
static struct blinktree *open_tree(const struct args *args,
				   const unsigned int *flags, size_t nr)
{
	struct blinktree_ctl *ctl = device_open(args);
	struct blinktree *tree = NULL;
	int err = -EACCES;
	size_t i;

	if (!ctl)
		return NULL;
	for (i = 0; i < nr && err == -EACCES; i++)
		err = blinktree_open(ctl, args->words[0], flags[i], &tree);
	if (err)
		device_tree_error(args->words[0], -err);
	blinktree_ctl_close(ctl);
	return tree;
}

struct blinktree *device_open_tree(const struct args *args, unsigned int flags)
{
	return open_tree(args, &flags, 1);
}

struct blinktree *device_open_tree_as_allowed(const struct args *args)
{
	static const unsigned int flags[] = {
		BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
		BLINK_TREE_OPEN_READ,
		BLINK_TREE_OPEN_WRITE,
	};

	return open_tree(args, flags, ARRAY_SIZE(flags));
}

enum status device_failed(const char *what, int error)
{
	switch (error) {
	case ENOSPC:
		message("%s: the tree has its max_entries or max_bytes (see: %s stat)",
			what, PROGRAM);
		break;
	case EDQUOT:
		message("%s: the trees of one user may take no more memory",
			what);
		explain_parameter("user_max_bytes");
		break;
	case ENOMEM:
		message("%s: no memory (see the limit of your control group)",
			what);
		explain_parameter("max_bytes");
		break;
	default:
		message("%s: %s", what, strerror(error));
	}
	return STATUS_SYSTEM;
}
