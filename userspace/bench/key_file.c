// SPDX-License-Identifier: GPL-2.0
/* Keys from a file (key_file.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_file.h"
#include "lab/keys.h"

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static int check_distinct(const u64 *key, u64 nr)
{
	u64 *sorted = malloc((nr + 1) * sizeof(*sorted)), i;
	int error = 0;

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, key, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare);
	for (i = 1; i < nr; i++) {
		if (sorted[i] == sorted[i - 1])
			error = -EINVAL;
	}
	free(sorted);
	return error;
}

/* Unlike strtoull(), take no sign and no space before the number. */
static bool parse_key(const char *text, u64 *key)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*key = strtoull(text, &end, strncmp(text, "0x", 2) ? 10 : 16);
	return !errno && *key <= LAB_KEY_MAX && (!*end || !strcmp(end, "\n"));
}

static int read_lines(FILE *file, struct lab_keys *keys, u64 **key,
		      unsigned long *line)
{
	u64 room = 0, *more;
	char text[64];

	while (fgets(text, sizeof(text), file)) {
		++*line;
		if (keys->nr == room) {
			room = 2 * room + 1024;
			more = realloc(*key, room * sizeof(*more));
			if (!more)
				return -ENOMEM;
			*key = more;
		}
		if (!parse_key(text, &(*key)[keys->nr++]))
			return -EINVAL;
	}
	return ferror(file) ? -EIO : 0;
}

int key_file_read(const char *path, struct lab_keys *keys, unsigned long *line)
{
	FILE *file = fopen(path, "re");
	u64 *key = NULL;
	int error;

	*keys = (struct lab_keys){ .order = LAB_FILE };
	*line = 0;
	if (!file)
		return -errno;
	error = read_lines(file, keys, &key, line);
	fclose(file);
	if (!error && keys->nr) {
		*line = 0;
		error = check_distinct(key, keys->nr);
	}
	keys->key = key;
	if (error)
		free(key);
	return error;
}
