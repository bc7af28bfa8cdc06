// SPDX-License-Identifier: GPL-2.0
/* The numbers of the dumps (dump.h). */
#include "dump.h"
#include "marks.h"

/*
 * Let the counters be written out, and return the number of the dump. Runs and probes
 * exclude each other.
 */
u32 lab_dump(void)
{
	static u32 dumps;

	blink_mark(BLINK_MARK_DUMP);
	return ++dumps;
}
