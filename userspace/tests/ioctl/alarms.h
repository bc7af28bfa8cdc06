/* SPDX-License-Identifier: GPL-2.0 */
/* Signals that come again and again, to end calls early. */
#ifndef BLINK_TEST_ALARMS_H
#define BLINK_TEST_ALARMS_H

#include <errno.h>
#include <signal.h>
#include <sys/time.h>

static inline void alarm_handled(int sig)
{
	(void)sig;
}

/* Let SIGALRM have a handler, with these flags (SA_RESTART or 0), that does nothing. */
static inline int alarm_handle(int flags)
{
	const struct sigaction action = { .sa_handler = alarm_handled,
					  .sa_flags = flags };

	return sigaction(SIGALRM, &action, NULL) ? -errno : 0;
}

/* Send one after each @usec microseconds, or no more if that is 0. */
static inline int alarm_every(unsigned int usec)
{
	const struct itimerval timer = {
		.it_value.tv_usec = usec,
		.it_interval.tv_usec = usec,
	};

	return setitimer(ITIMER_REAL, &timer, NULL) ? -errno : 0;
}

#endif /* BLINK_TEST_ALARMS_H */
