// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to the plugin: when to count, and which memory nodes are in.
 *
 * The nodes of each index are objects of the slab allocator, and no other memory that
 * an operation uses is: not the stack, the tree, what belongs to a CPU, nor the
 * caller's arrays. The tag of a line is the level of its node. All objects of other
 * indexes than blink_tree have the tag 0.
 */
#include <linux/kernel.h>

#include "core/node/node.h"
#include "lab/marks.h"
#include "slab.h"
#include "tell.h"

static unsigned int level_of(const char *name, const void *object)
{
	const struct blink_node *node = object;

	return strcmp(name, "blink_inner") ? 0 : node->level;
}

static void tell_object(const char *name, const void *object, unsigned int size)
{
	const char *end = (const char *)object + size;
	const char *line =
		(const char *)((unsigned long)object & -BLINK_LINE_BYTES);
	unsigned int tag = level_of(name, object);

	for (; line < end; line += BLINK_LINE_BYTES)
		blink_tell(line, tag);
}

void lines_begin(void)
{
	blink_mark(BLINK_MARK_COUNT);
}

void lines_end(void)
{
	blink_mark(BLINK_MARK_PAUSE);
	slab_each(tell_object);
	blink_mark(BLINK_MARK_DUMP);
}
