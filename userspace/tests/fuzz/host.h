/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the tests of the contract run: beside the sources of the module in this process,
 * with stand-ins for the kernel's part (shim/), or in a kernel with the module, which
 * has no stand-ins: there a test cannot choose what fails or when a signal comes.
 */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#ifdef CONTRACT_IN_KERNEL
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#define STAND_INS false
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define FUZZ_FILES 16

/* The calls of the stand-ins, as system calls; results are as in the kernel. */
int fuzz_open_device(int flags);
long fuzz_ioctl(int fd, unsigned int cmd, unsigned long arg, bool compat);
int fuzz_dup(int fd);
void fuzz_close(int fd);
const void *memchr_inv(const void *from, int byte, size_t bytes);

/* No test that looks at it runs there. */
#define fuzz_queued 0U

static inline void fail_allocation(unsigned int nth)
{
	(void)nth;
}

static inline bool allocation_failed(void)
{
	return true;
}

static inline bool interrupt(bool each_time)
{
	return !each_time;
}

static inline long live_objects(void)
{
	return 0;
}
#else
#include "shim/chardev.h"
#include "shim/files.h"

#define STAND_INS true

/* From now on only the allocation after so many others fails; 0: none. */
static inline void fail_allocation(unsigned int nth)
{
	shim_self->fail_nth = nth;
}

/* Whether the one that should fail was asked for, if any was to. */
static inline bool allocation_failed(void)
{
	return !shim_self->fail_nth;
}

/* Have a signal each time that a call looks for one, or none; false if it cannot be had. */
static inline bool interrupt(bool each_time)
{
	fuzz_signal_in = each_time;
	return true;
}

/* The objects that the module has, when what waited for readers is free. */
static inline long live_objects(void)
{
	rcu_barrier();
	return shim_live_objects();
}
#endif

#endif /* FUZZ_HOST_H */
