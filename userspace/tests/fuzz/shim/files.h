/* SPDX-License-Identifier: GPL-2.0 */
/* System calls on the stand-ins' descriptors, for the fuzzer. */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include <stdbool.h>

#define FUZZ_FILES 16

struct file;

int fuzz_open_device(int flags);
struct file *fuzz_file(int fd);
long fuzz_ioctl(int fd, unsigned int cmd, unsigned long arg, bool compat);
int fuzz_dup(int fd);
void fuzz_close(int fd);
void fuzz_fdinfo(int fd);

#endif /* FUZZ_FILES_H */
