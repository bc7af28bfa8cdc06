/* SPDX-License-Identifier: GPL-2.0 */
/* The sources that follow note what they prefetch. */
#ifndef BLINK_NOTE_PREFETCH_H
#define BLINK_NOTE_PREFETCH_H

#include <linux/prefetch.h>

static void note(const void *line);

#undef prefetch
#define prefetch(address) note(address)

#endif /* BLINK_NOTE_PREFETCH_H */
