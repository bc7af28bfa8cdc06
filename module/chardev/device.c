// SPDX-License-Identifier: GPL-2.0
/*
 * The misc device and the *control* ioctls: information about the module, the
 * names of trees, and how a process gets a descriptor of a tree.
 */
#include <linux/bits.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uidgid.h>

#include "../core/node/node.h"
#include "../core/tree/topology.h"
#include "../core/tree/tree.h"
#include "../version.h"
#include "device.h"
#include "handle.h"
#include "ioctl.h"
#include "list.h"
#include "registry.h"
#include "tree_file.h"

/*
 * Give the caller a descriptor of an object. The descriptor takes over the
 * caller's reference. A name is published when no other step can fail, so that
 * no process finds an object that its creator did not get. It is published
 * before the descriptor is installed, because another thread could close the
 * descriptor at once.
 */
static long object_fd(struct blink_object *object, unsigned int flags,
		      bool publish)
{
	struct file *file;
	int fd, err;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		blink_object_put(object);
		return fd;
	}
	file = blink_tree_file(object, flags);
	if (IS_ERR(file)) {
		blink_object_put(object);
		err = PTR_ERR(file);
		goto err_fd;
	}
	if (publish) {
		err = blink_registry_publish(object);
		if (err)
			goto err_file;
	}
	fd_install(fd, file);
	return fd;

err_file:
	fput(file);
err_fd:
	put_unused_fd(fd);
	return err;
}

#define CREATE_FLAGS \
	(BLINK_TREE_CREATE_COMPRESS | BLINK_TREE_CREATE_BYTE_VALUES)

/* The flags of the core for those of CREATE. */
static u32 tree_flags(u32 flags)
{
	return (flags & BLINK_TREE_CREATE_COMPRESS ? BLINK_TREE_COMPRESS : 0) |
	       (flags & BLINK_TREE_CREATE_BYTE_VALUES ? BLINK_TREE_BYTE_VALUES :
							0);
}

static long create_call(struct blink_call *call)
{
	const struct blink_tree_ioc_create *arg = &call->arg.create;
	const struct blink_tree_params params = {
		.flags = tree_flags(arg->flags),
		.max_entries = arg->max_entries,
		.replication = arg->replication,
		.locking = arg->locking,
		.placement = arg->placement,
		.max_bytes = arg->max_bytes,
		.key = arg->key,
	};
	struct blink_object *object;

	if (arg->flags & ~CREATE_FLAGS || arg->mode & ~0777 ||
	    arg->__reserved || arg->key > BLINK_TREE_KEY_BYTES ||
	    !blink_name_valid(arg->name))
		return -EINVAL;
	object = blink_object_create(arg->name, arg->mode, &params);
	if (IS_ERR(object))
		return PTR_ERR(object);
	return object_fd(object, O_RDWR, arg->name[0]);
}

static long open_call(struct blink_call *call)
{
	static const unsigned int flags[] = {
		[BLINK_TREE_OPEN_READ] = O_RDONLY,
		[BLINK_TREE_OPEN_WRITE] = O_WRONLY,
		[BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE] = O_RDWR,
	};
	const struct blink_tree_ioc_open *arg = &call->arg.open;
	u32 access = arg->flags & ~BLINK_TREE_OPEN_OWNER;
	struct blink_object *object;
	kuid_t owner = INVALID_UID;

	if (!access || access >= ARRAY_SIZE(flags) ||
	    !blink_name_valid(arg->name))
		return -EINVAL;
	if (arg->flags & BLINK_TREE_OPEN_OWNER) {
		owner = make_kuid(current_user_ns(), arg->uid);
		if (!uid_valid(owner))
			return -EINVAL;
	} else if (arg->uid) {
		return -EINVAL;
	}
	object = blink_registry_open(arg->name, arg->id, access, owner);
	if (IS_ERR(object))
		return PTR_ERR(object);
	return object_fd(object, flags[access], false);
}

static long unlink_call(struct blink_call *call)
{
	const struct blink_tree_ioc_unlink *arg = &call->arg.unlink;

	if (arg->flags || arg->__reserved || !blink_name_valid(arg->name))
		return -EINVAL;
	return blink_registry_unlink(arg->name, arg->id);
}

static long info_call(struct blink_call *call);

static const struct blink_ioctl control_ioctls[] = {
	BLINK_IOCTL(BLINK_TREE_IOC_INFO, struct blink_tree_ioc_info, known, 0,
		    info_call),
	BLINK_IOCTL(BLINK_TREE_IOC_CREATE, struct blink_tree_ioc_create, name,
		    FMODE_WRITE, create_call),
	BLINK_IOCTL(BLINK_TREE_IOC_OPEN, struct blink_tree_ioc_open, name, 0,
		    open_call),
	BLINK_IOCTL(BLINK_TREE_IOC_UNLINK, struct blink_tree_ioc_unlink, name,
		    FMODE_WRITE, unlink_call),
	BLINK_IOCTL(BLINK_TREE_IOC_LIST, struct blink_tree_ioc_list, __reserved,
		    0, blink_list_call),
};

static u64 features(void)
{
	u64 mask = BLINK_TREE_FEATURE_COMPRESS | BLINK_TREE_FEATURE_U128 |
		   BLINK_TREE_FEATURE_MULTI | BLINK_TREE_FEATURE_BYTES |
		   BLINK_TREE_FEATURE_BYTE_VALUES |
		   BLINK_TREE_FEATURE_OPEN_OWNER;

	return blink_handles_enabled() ? mask | BLINK_TREE_FEATURE_BPF : mask;
}

static long info_call(struct blink_call *call)
{
	struct blink_tree_ioc_info *arg = &call->arg.info;
	int homes[BLINK_INDEX_MAX];

	if (arg->flags)
		return -EINVAL;
	*arg = (struct blink_tree_ioc_info){
		.known = sizeof(*arg),
		.ioctls = blink_tree_ioctls() |
			  blink_ioctl_mask(control_ioctls,
					   ARRAY_SIZE(control_ioctls)),
		.opcodes = GENMASK_ULL(BLINK_TREE_OP_NR - 1, 0),
		.features = features(),
		.name_max = BLINK_TREE_NAME_MAX,
		.numa_nodes = blink_topology_homes(homes, ARRAY_SIZE(homes)),
		.leaf_slots = BLINK_LEAF_SLOTS,
		.inner_slots = BLINK_INNER_SLOTS,
		.leaf_bytes = BLINK_LEAF_BYTES,
		.inner_bytes = BLINK_INNER_BYTES,
		.version = BLINK_VERSION,
	};
	return blink_reply(call);
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return blink_ioctl(file, cmd, (void __user *)arg, control_ioctls,
			   ARRAY_SIZE(control_ioctls));
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "blink_tree",
	.fops = &device_fops,
	.mode = 0600,
};

/* Register the device, after everything else was set up. */
int __init blink_device_init(void)
{
	return misc_register(&device);
}

void blink_device_exit(void)
{
	misc_deregister(&device);
}
