/* SPDX-License-Identifier: GPL-2.0 */
/* The table of the instructions of blink_ask() (lab/marks.h). */
#ifndef LINES_ASK_H
#define LINES_ASK_H

/**
 * struct ask - an instruction
 * @begin: the distance from this member to its begin
 * @end: the distance from this member to its end
 */
struct ask {
	int begin;
	int end;
};

extern const struct ask asks_begin[] __asm__("__start_blink_asks");
extern const struct ask asks_end[] __asm__("__stop_blink_asks");

#endif /* LINES_ASK_H */
