// SPDX-License-Identifier: GPL-2.0
/* The lines that phase one prefetches in the tree of the thesis, with smaller nodes. */
#include "note_prefetch.h"

#include "lab/schemes/spiderman.c"

#define SCHEMES "spiderman:%u"
#define NODE_BYTES 1024

static unsigned int slots_of(const struct plain_tree *tree,
			     const struct plain_node *node)
{
	return tree->slots;
}

#include "check_phase_one.h"
