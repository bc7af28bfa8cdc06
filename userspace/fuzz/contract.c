// SPDX-License-Identifier: GPL-2.0
/*
 * The contract of the ioctls, in TAP, where no kernel is needed to see it: the
 * sources of module/chardev and of the core in this process, as the target of
 * libFuzzer has them. What takes processes, credentials of the kernel, or time
 * is for the selftests.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "../lib/tests/tap.h"
#include "memory.h"
#include "shim/chardev.h"
#include "shim/files.h"

#include "chardev/device.h"
#include "core/core.h"

#define NOBODY 65534

static int device;

/* An ioctl with a structure that is in the memory of user space meanwhile. */
static long call(int fd, unsigned int cmd, void *arg)
{
	__u64 address = memory_address(0, PLACE_START, 0, false);
	size_t bytes = _IOC_SIZE(cmd);
	void *alias = memory_alias(address, &bytes);
	long ret;

	memcpy(alias, arg, bytes);
	ret = fuzz_ioctl(fd, cmd, address, false);
	memcpy(arg, alias, bytes);
	return ret;
}

static long create(const char *name, unsigned int mode)
{
	struct blink_ioc_create arg = { .mode = mode };

	strncpy(arg.name, name, sizeof(arg.name));
	return call(device, BLINK_IOC_CREATE, &arg);
}

static long open_tree(const char *name, unsigned int flags)
{
	struct blink_ioc_open arg = { .flags = flags };

	strncpy(arg.name, name, sizeof(arg.name));
	return call(device, BLINK_IOC_OPEN, &arg);
}

static long unlink_tree(const char *name)
{
	struct blink_ioc_unlink arg = {};

	strncpy(arg.name, name, sizeof(arg.name));
	return call(device, BLINK_IOC_UNLINK, &arg);
}

static bool name_refused(const char *name)
{
	return create(name, 0600) == -EINVAL &&
	       open_tree(name, BLINK_OPEN_READ) == -EINVAL &&
	       unlink_tree(name) == -EINVAL;
}

static void bad_names(void)
{
	static const char *const bad[] = {
		"-",	".",   "..",	     "-rf",	 ".hidden", "a/b",
		"a b",	"$(a)", "`a`",	     "a;b",	 "a\"b",    "a'b",
		"a\\b", "a*",  "~a",	     "a\xc3\xa4", "\xff",   "\x9b[2J",
		"a\n",	"\x7f", "\xe2\x80\xae", "a=b",	 "a,b",	    "a%",
	};
	unsigned int i;
	char name[2] = "";

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!tap_check(name_refused(bad[i])))
			printf("# name %u\n", i);
	}
	for (i = 1; i < 256; i++) {
		bool inner = i < 128 && (isalnum(i) || strchr("._@:+-", i));
		long fd;

		name[0] = i;
		fd = create(name, 0600);
		if (inner && !strchr(".-", i))
			tap_check(fd > 0 && !unlink_tree(name));
		else
			tap_check(fd == -EINVAL);
		fuzz_close(fd > 0 ? fd : -1);
	}
	tap_case("names have a safe alphabet");
}

int main(void)
{
	shim_nodes = 2;
	shim_rcu_waits = true;
	if (memory_map() || blink_core_init() || blink_device_init())
		abort();
	device = fuzz_open_device();
	tap_begin(1);
	bad_names();
	return tap_exit(1);
}
