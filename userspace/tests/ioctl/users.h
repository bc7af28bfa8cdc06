/* SPDX-License-Identifier: GPL-2.0 */
/* Becoming another user, or root without some capability. */
#ifndef BLINK_TEST_USERS_H
#define BLINK_TEST_USERS_H

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534

/* Become a user with a group and, if @extra is not 0, another one. */
static inline int become(uid_t uid, gid_t gid, gid_t extra)
{
	return setgroups(extra ? 1 : 0, &extra) || setgid(gid) || setuid(uid);
}

/* Have those of the permitted capabilities below 32 that are in the mask, and no others. */
static inline int keep_capabilities(__u32 mask)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -errno;
	data[0].permitted &= mask;
	data[0].effective = data[0].permitted;
	return syscall(SYS_capset, &head, data) ? -errno : 0;
}

#endif /* BLINK_TEST_USERS_H */
