// SPDX-License-Identifier: GPL-2.0
/* The lines that phase one prefetches in our tree. */
#include "note_prefetch.h"

#include "lab/schemes/two_phase.c"

#define SCHEMES "two-phase:%u"
#define NODE_BYTES 0

static unsigned int slots_of(const void *data, const struct blink_node *node)
{
	return blink_node_slots(node);
}

#include "check_phase_one.h"
