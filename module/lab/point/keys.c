// SPDX-License-Identifier: GPL-2.0
/* The keys of order=file. They stay until there are others. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../keys.h"
#include "point.h"

static struct lab_keys file_keys = { .order = LAB_FILE };

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* -EINVAL if a key is there twice, or has more than 63 bits. */
static int check_keys(const u64 *key, u64 nr)
{
	u64 *sorted = kvcalloc(nr, sizeof(*sorted), LAB_GFP), i;
	int ret = 0;

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, key, nr * sizeof(*sorted));
	sort(sorted, nr, sizeof(*sorted), compare, NULL);
	for (i = 0; i < nr && !ret; i++) {
		if (sorted[i] > LAB_KEY_MAX ||
		    (i && sorted[i] == sorted[i - 1]))
			ret = -EINVAL;
	}
	kvfree(sorted);
	return ret;
}

/*
 * Copy the keys of order=file, or free them if @nr is 0. No point runs at the same
 * time.
 *
 * Returns 0; -EINVAL if a key is there twice or has more than 63 bits; -ENOMEM. After
 * an error the keys are those that they were.
 */
int lab_point_set_keys(const u64 *key, u64 nr)
{
	u64 *copy = NULL;
	int ret = nr ? check_keys(key, nr) : 0;

	if (!ret && nr) {
		copy = kvcalloc(nr, sizeof(*copy), LAB_GFP);
		ret = copy ? 0 : -ENOMEM;
	}
	if (ret)
		return ret;
	if (nr)
		memcpy(copy, key, nr * sizeof(*copy));
	kvfree(file_keys.key);
	file_keys.key = copy;
	file_keys.nr = nr;
	return 0;
}

/* The keys of order=file, none at first. lab_point_set_keys() does not run at the same time. */
const struct lab_keys *lab_point_keys(void)
{
	return &file_keys;
}
