// SPDX-License-Identifier: GPL-2.0
/* Finding a scheme in the list, and creating an index of it. */
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "lab_index.h"

/* The scheme of a name, or NULL. */
const struct lab_scheme *lab_scheme_find(const char *name)
{
	const struct lab_scheme *scheme;

	for (scheme = lab_schemes; scheme->name; scheme++) {
		if (!strcmp(scheme->name, name))
			return scheme;
	}
	return NULL;
}

/*
 * Create an index.
 *
 * Returns 0; -EINVAL if the scheme cannot have nodes of the size; -ENOMEM; or another
 * error of the scheme.
 */
int lab_index_create(struct lab_index *index, const struct lab_scheme *scheme,
		     const struct lab_params *params)
{
	if (params->node_bytes && !(scheme->promises & LAB_SIZES))
		return -EINVAL;
	index->ops = scheme->ops;
	index->data = scheme->ops->create(scheme->ops, params);
	return index->data ? PTR_ERR_OR_ZERO(index->data) : -ENOMEM;
}
