// SPDX-License-Identifier: GPL-2.0
/* The numbers of the dumps (dump.h). */
#include "dump.h"
#include "marks.h"

/**
 * lab_dump() - let the counters be written out
 *
 * Context: process; runs and probes exclude each other.
 * Return: the number of the dump.
 */
u32 lab_dump(void)
{
	static u32 dumps;

	blink_mark(BLINK_MARK_DUMP);
	return ++dumps;
}
