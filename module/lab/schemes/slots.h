/* SPDX-License-Identifier: GPL-2.0 */
/* Words of a node, which readers of some schemes look at while they move. */
#ifndef BLINK_LAB_SCHEMES_SLOTS_H
#define BLINK_LAB_SCHEMES_SLOTS_H

#include <linux/compiler.h>
#include <linux/types.h>

static inline void slot_insert(u64 *slot, unsigned int count, unsigned int pos,
			       u64 word)
{
	unsigned int i;

	for (i = count; i > pos; i--)
		WRITE_ONCE(slot[i], slot[i - 1]);
	WRITE_ONCE(slot[pos], word);
}

static inline void slot_remove(u64 *slot, unsigned int count, unsigned int pos)
{
	unsigned int i;

	for (i = pos; i + 1 < count; i++)
		WRITE_ONCE(slot[i], slot[i + 1]);
}

static inline void slot_copy(u64 *to, const u64 *from, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		WRITE_ONCE(to[i], from[i]);
}

#endif /* BLINK_LAB_SCHEMES_SLOTS_H */
