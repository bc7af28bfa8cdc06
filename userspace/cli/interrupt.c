// SPDX-License-Identifier: GPL-2.0
/* Signals that end a long command. */
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"
#include "util.h"

static bool signalled;

static void take_signal(int signal)
{
	(void)signal;
	__atomic_store_n(&signalled, true, __ATOMIC_RELAXED);
}

void interrupt_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGXCPU };
	const struct sigaction action = { .sa_handler = take_signal,
					  .sa_flags = SA_RESETHAND };
	struct sigaction present;
	size_t i;

	/* The parent can have ignored a signal, as nohup does. */
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		if (!sigaction(signals[i], NULL, &present) &&
		    present.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

bool interrupted(void)
{
	return __atomic_load_n(&signalled, __ATOMIC_RELAXED);
}
