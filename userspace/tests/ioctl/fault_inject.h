/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making the kernel fail in one call of this thread: at its *nth* fault point, an
 * allocation or a copy from or to user memory.
 */
#ifndef BLINK_FAULT_INJECT_H
#define BLINK_FAULT_INJECT_H

#include <sys/mount.h>

#include "blink_test.h"

#define FAULT_DEBUGFS "/sys/kernel/debug/"

struct fault_inject {
	int nth_fd;
	bool hit;
};

static inline int fault_set(const char *knob, const char *value)
{
	return write_file(FAULT_DEBUGFS, knob, value);
}

/*
 * Let failures reach allocations that may sleep, quietly, and only where this
 * thread asks for them. Returns what the kernel lacks, or NULL.
 */
static inline const char *fault_open(struct fault_inject *inject)
{
	inject->nth_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (inject->nth_fd < 0)
		return "the kernel has no fail-nth (CONFIG_FAULT_INJECTION)";
	if (access(FAULT_DEBUGFS "failslab", F_OK))
		mount("none", FAULT_DEBUGFS, "debugfs", 0, NULL);
	if (fault_set("failslab/ignore-gfp-wait", "N") ||
	    fault_set("failslab/task-filter", "Y") ||
	    fault_set("failslab/times", "-1") ||
	    fault_set("failslab/verbose", "0"))
		return "the kernel has no failslab (CONFIG_FAILSLAB)";
	fault_set("fail_page_alloc/ignore-gfp-wait", "N");
	fault_set("fail_page_alloc/verbose", "0");
	if (fault_set("fail_usercopy/verbose", "0"))
		return "the kernel has no CONFIG_FAULT_INJECTION_USERCOPY";
	return NULL;
}

static inline void fault_close(struct fault_inject *inject)
{
	fault_set("failslab/task-filter", "N");
	fault_set("failslab/ignore-gfp-wait", "Y");
	close(inject->nth_fd);
}

/*
 * Whether the failure that was armed came. Reading that back has a fault point
 * itself, which may be the one: then it did not come before.
 */
static inline bool fault_disarm(struct fault_inject *inject)
{
	char left[16] = "";

	if (pread(inject->nth_fd, left, sizeof(left) - 1, 0) < 0)
		return false;
	if (!strtoul(left, NULL, 10))
		return true;
	/* This may fail, but it disarms in any case. */
	(void)!pwrite(inject->nth_fd, "0", 1, 0);
	return false;
}

/* A call that fails at its @nth fault point, if it has so many. */
static inline int fault_nth(struct fault_inject *inject, unsigned int nth,
			    int fd, unsigned long cmd, void *arg)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth), ret;

	if (pwrite(inject->nth_fd, text, len, 0) != len)
		return -EIO;
	ret = call(fd, cmd, arg);
	inject->hit = fault_disarm(inject);
	return ret;
}

#endif /* BLINK_FAULT_INJECT_H */
