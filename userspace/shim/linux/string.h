/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <linux/kernel.h>
#include <stdlib.h>

#include "../shim.h"

#ifdef SHIM_COMPARES
/* The core compares nothing but strings like this. */
static inline int shim_memcmp(const void *a, const void *b, size_t size)
{
	shim_self->compares++;
	return memcmp(a, b, size);
}

#define memcmp shim_memcmp
#endif

/* The place of a word in an array that ends with NULL, or -EINVAL. */
static inline int match_string(const char *const *words, size_t nr,
			       const char *word)
{
	size_t i;

	for (i = 0; i < nr && words[i]; i++)
		if (!strcmp(words[i], word))
			return i;
	return -EINVAL;
}

/* Takes no sign and no blanks, as in the kernel. */
static inline int kstrtou64(const char *text, unsigned int base, u64 *number)
{
	unsigned long long value;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, base);
	if (*end)
		return -EINVAL;
	if (errno)
		return -ERANGE;
	*number = value;
	return 0;
}

static inline int kstrtou32(const char *text, unsigned int base, u32 *number)
{
	u64 value = 0;
	int ret = kstrtou64(text, base, &value);

	if (!ret && value > U32_MAX)
		return -ERANGE;
	if (!ret)
		*number = value;
	return ret;
}

/* Whether two texts are equal, but for a newline at the end of one. */
static inline bool sysfs_streq(const char *a, const char *b)
{
	size_t len = strcspn(a, "\n");

	return len == strcspn(b, "\n") && !strncmp(a, b, len) &&
	       !a[len + !!a[len]] && !b[len + !!b[len]];
}

/* The first byte that is not @c, or NULL. */
static inline void *memchr_inv(const void *bytes, int c, size_t nr)
{
	const unsigned char *byte = bytes;

	for (; nr; nr--, byte++) {
		if (*byte != c)
			return (void *)byte;
	}
	return NULL;
}

#endif /* SHIM_LINUX_STRING_H */
