// SPDX-License-Identifier: GPL-2.0
/* Reading the ends of a range (ends.h). */
#include <string.h>

#include "ends.h"

static bool read_prefix(const struct target *target, const char *text,
			struct ends *ends)
{
	const char *why;

	ends->prefix = target->kinds.key == BLINK_TREE_KEY_BYTES;
	if (ends->prefix)
		why = key_parse(target->kinds.key, text, strlen(text),
				&ends->first);
	else
		why = key_parse_prefix(target->kinds.key, text, &ends->first,
				       &ends->last);
	if (why)
		message("--prefix '%s': %s", text, why);
	return !why;
}

bool ends_ascend(const struct ends *ends)
{
	return key_is_none(&ends->first) || key_is_none(&ends->last) ||
	       key_compare(&ends->first, &ends->last) <= 0;
}

bool ends_read(const struct args *args, const struct target *target,
	       struct ends *ends)
{
	*ends = (struct ends){};
	if (args->prefix)
		return read_prefix(target, args->prefix, ends);
	if (args->first &&
	    !target_key(target, "--from", args->first, &ends->first))
		return false;
	if (args->last && !target_key(target, "--to", args->last, &ends->last))
		return false;
	if (ends_ascend(ends))
		return true;
	message("--from is greater than --to");
	return false;
}

struct blinktree_range ends_range(struct ends *ends, unsigned int flags)
{
	if (ends->prefix)
		flags |= BLINK_TREE_RECORD_SCAN_PREFIX;
	/* No range ends with the string without bytes, so it ends before the next one. */
	if (ends->last.string && !ends->last.length) {
		flags |= BLINK_TREE_RECORD_SCAN_LAST_OPEN;
		ends->last.bytes[ends->last.length++] = '\0';
	}
	return (struct blinktree_range){
		.flags = flags,
		.first = ends->first.bytes,
		.first_length = ends->first.length,
		.last = ends->last.bytes,
		.last_length = ends->last.length,
	};
}
