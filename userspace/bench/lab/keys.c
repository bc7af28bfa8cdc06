// SPDX-License-Identifier: GPL-2.0
/* The file of keys (key_file.h), with messages about its mistakes. */
#include <errno.h>
#include <string.h>

#include "backend.h"
#include "key_file.h"

enum status keys_read(const char *path, struct lab_keys *keys)
{
	unsigned long line;
	int error = key_file_read(path, keys, &line);

	if (!error)
		return STATUS_OK;
	if (error != -EINVAL)
		message("%s: %s", path, strerror(-error));
	else if (line)
		message("%s: line %lu: not a key of 63 bits", path, line);
	else
		message("%s: a key is there twice", path);
	return error == -EINVAL ? STATUS_USAGE : STATUS_SYSTEM;
}
