// SPDX-License-Identifier: GPL-2.0
/* The ioctl() of the library calls a function of its tests, which returns a negative errno. */
#include <errno.h>
#include <stdarg.h>

#pragma GCC visibility push(default)
int (*ioctl_hook)(int fd, unsigned long request, void *arg);
#pragma GCC visibility pop

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *arg;
	int ret;

	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	ret = ioctl_hook(fd, request, arg);
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}
