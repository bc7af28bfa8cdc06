/* SPDX-License-Identifier: GPL-2.0 */
/* Keys from a file: a number on each line, decimal, or hexadecimal after 0x. */
#ifndef BENCH_KEY_FILE_H
#define BENCH_KEY_FILE_H

#include "lab/workloads.h"

/*
 * Read the keys of a file. Returns 0; -EINVAL, with the number of the line in @line, for
 * a line that is not a number of 63 bits; -EINVAL, with 0 in @line, if a key is there
 * twice; another error if the file cannot be read. The caller frees @keys->key.
 */
int key_file_read(const char *path, struct lab_keys *keys, unsigned long *line);

#endif /* BENCH_KEY_FILE_H */
