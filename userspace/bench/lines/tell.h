/* SPDX-License-Identifier: GPL-2.0 */
/* Messages to the plugin, from the programs whose lines it counts (lab/marks.h). */
#ifndef LINES_TELL_H
#define LINES_TELL_H

/* Begin to count. */
void lines_begin(void);

/* End, tell which lines are objects of the slab allocator, and let the plugin report. */
void lines_end(void);

/* An instruction of blink_ask(): from each member the distance to its begin, or end. */
struct ask {
	int begin;
	int end;
};

extern const struct ask asks_begin[] __asm__("__start_blink_asks");
extern const struct ask asks_end[] __asm__("__stop_blink_asks");

#endif /* LINES_TELL_H */
