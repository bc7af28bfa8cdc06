// SPDX-License-Identifier: GPL-2.0
/* The calls that the tests of the contract make. */
#include <string.h>

#include "contract.h"
#include "memory.h"

__u64 array_address(void)
{
	return memory_address(0, PLACE_START, 0, true);
}

void *array(size_t bytes)
{
	size_t room = bytes;
	void *alias = memory_alias(array_address(), &room);

	return memset(alias, 0, bytes);
}

long call_at(enum place place, int fd, unsigned int cmd, void *arg)
{
	__u64 address = memory_address(0, place, 0, false);
	size_t bytes = _IOC_SIZE(cmd);
	void *alias = memory_alias(address, &bytes);
	long ret;

	memcpy(alias, arg, bytes);
	ret = fuzz_ioctl(fd, cmd, address, false);
	memcpy(arg, alias, bytes);
	return ret;
}

long call(int fd, unsigned int cmd, void *arg)
{
	return call_at(PLACE_START, fd, cmd, arg);
}

long call_records(int tree, const void *input, size_t size, void *output,
		  size_t room, struct blink_tree_ioc_records *arg)
{
	char *to = array(size + room);
	long ret;

	memcpy(to, input, size);
	arg->input = array_address();
	arg->input_size = size;
	if (!(arg->flags & BLINK_TREE_RECORDS_LOAD)) {
		arg->output = array_address() + size;
		arg->output_size = room;
	}
	ret = call(tree, BLINK_TREE_IOC_RECORDS, arg);
	memcpy(output, to + size, room);
	return ret;
}

/* A name of the greatest length may lack its end: that is for the ioctl to see. */
static void set_name(char to[BLINK_TREE_NAME_MAX], const char *name)
{
	memcpy(to, name, strnlen(name, BLINK_TREE_NAME_MAX));
}

long create(const char *name, unsigned int mode)
{
	struct blink_tree_ioc_create arg = { .mode = mode };

	set_name(arg.name, name);
	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

long open_tree(const char *name, unsigned int flags)
{
	struct blink_tree_ioc_open arg = { .flags = flags };

	set_name(arg.name, name);
	return call(device, BLINK_TREE_IOC_OPEN, &arg);
}

long unlink_tree(const char *name)
{
	struct blink_tree_ioc_unlink arg = {};

	set_name(arg.name, name);
	return call(device, BLINK_TREE_IOC_UNLINK, &arg);
}

long attr_of(int tree, struct blink_tree_ioc_attr *arg)
{
	*arg = (struct blink_tree_ioc_attr){};
	return call(tree, BLINK_TREE_IOC_ATTR, arg);
}
