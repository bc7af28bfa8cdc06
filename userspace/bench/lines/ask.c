// SPDX-License-Identifier: GPL-2.0
/*
 * Prefetches of addresses where no memory is. blink_ask() loads from the address, and
 * this would end the program. The handler of the signal finds the instruction in the
 * table of them all, and the program goes on behind it, as after a prefetch. Its own
 * instructions are not counted.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>

#include "lab/marks.h"
#include "tell.h"

static unsigned long target(const int *distance)
{
	return (unsigned long)distance + *distance;
}

/* Whether the program goes on behind the instruction. */
static bool go_behind(greg_t *ip)
{
	const struct ask *ask;

	for (ask = asks_begin; ask < asks_end; ask++) {
		if (target(&ask->begin) == (unsigned long)*ip) {
			*ip = target(&ask->end);
			return true;
		}
	}
	return false;
}

static void go_on(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	blink_mark(BLINK_MARK_WAIT);
	/* Otherwise the instruction is executed again, and ends the program. */
	if (!go_behind(&interrupted->uc_mcontext.gregs[REG_RIP]))
		signal(number, SIG_DFL);
	blink_mark(BLINK_MARK_WAIT | 1);
}

__attribute__((constructor)) static void begin(void)
{
	const struct sigaction action = {
		.sa_sigaction = go_on,
		.sa_flags = SA_SIGINFO,
	};

	if (sigaction(SIGSEGV, &action, NULL))
		abort();
}
