/* SPDX-License-Identifier: GPL-2.0 */
/* Messages to the plugin, from the programs whose lines it counts (lab/marks.h). */
#ifndef LINES_TELL_H
#define LINES_TELL_H

/* Begin to count. */
void lines_begin(void);

/* End, tell which lines are objects of the slab allocator, and let the plugin report. */
void lines_end(void);

#endif /* LINES_TELL_H */
