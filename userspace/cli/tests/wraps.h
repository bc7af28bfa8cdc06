/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of the C library that a test wraps (ld --wrap). */
#ifndef BLINKTREE_CLI_TESTS_WRAPS_H
#define BLINKTREE_CLI_TESTS_WRAPS_H

#include <sys/types.h>

int __real_ioctl(int fd, unsigned long request, ...);
int __real_fsync(int fd);
int __real_close(int fd);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
ssize_t __real_readlinkat(int fd, const char *path, char *text, size_t size);
ssize_t __real_write(int fd, const void *bytes, size_t len);

#endif /* BLINKTREE_CLI_TESTS_WRAPS_H */
