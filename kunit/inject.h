/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making allocations of the current task fail: the nth, or all from the nth on.
 *
 * The former is a matter of the task alone. For the latter, and for allocations
 * that may sleep, failslab has to be *armed*: it then fails every allocation of
 * the tasks that ask for it. Only user space can arm it, as kunit/run does.
 *
 * Between inject_*() and inject_end() only the tree is to be called.
 */
#ifndef BLINK_KUNIT_INJECT_H
#define BLINK_KUNIT_INJECT_H

#include <linux/types.h>

bool inject_possible(gfp_t gfp);
bool inject_armed(void);
void inject_nth(unsigned int n);
void inject_from(unsigned int n);
bool inject_end(void);

#endif /* BLINK_KUNIT_INJECT_H */
