/* SPDX-License-Identifier: GPL-2.0 */
/* The dumps of the counters (marks.h). */
#ifndef BLINK_LAB_DUMP_H
#define BLINK_LAB_DUMP_H

#include <linux/types.h>

u32 lab_dump(void);

#endif /* BLINK_LAB_DUMP_H */
