// SPDX-License-Identifier: GPL-2.0
/* The tests of the contract in a kernel with the module: system calls. */
#include "contract.h"
#include "memory.h"

int device;

void contract_begin(void)
{
	device = fuzz_open_device(O_RDWR);
	if (device < 0 || memory_map()) {
		perror(BLINK_TREE_DEVICE);
		exit(EXIT_FAILURE);
	}
}

int fuzz_open_device(int flags)
{
	return open(BLINK_TREE_DEVICE, flags | O_CLOEXEC);
}

long fuzz_ioctl(int fd, unsigned int cmd, unsigned long arg, bool compat)
{
	const int ret = ioctl(fd, cmd, arg);

	(void)compat;
	return ret < 0 ? -errno : ret;
}

int fuzz_dup(int fd)
{
	return dup(fd);
}

void fuzz_close(int fd)
{
	close(fd);
}

const void *memchr_inv(const void *from, int byte, size_t bytes)
{
	const unsigned char *at = from;

	while (bytes && *at == (unsigned char)byte)
		at++, bytes--;
	return bytes ? at : NULL;
}
