/* SPDX-License-Identifier: GPL-2.0 */
/* A process that measures: it begins with untouched memory. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "indexes/heap.h"

/*
 * Run this program again with other words, up to a NULL, until it ends. It writes its
 * sample to its output as it is. False if it failed.
 */
static inline bool child_run(char *const *words, void *sample, size_t bytes)
{
	int pipes[2], status;
	ssize_t got;
	pid_t pid;

	if (pipe(pipes))
		return false;
	pid = fork();
	if (!pid) {
		setenv(HEAP_VARIABLE, HEAP_HUGE, 1);
		dup2(pipes[1], STDOUT_FILENO);
		execv("/proc/self/exe", words);
		_exit(127);
	}
	close(pipes[1]);
	got = pid < 0 ? -1 : read(pipes[0], sample, bytes);
	close(pipes[0]);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status &&
	       got == (ssize_t)bytes;
}

#endif /* BENCH_CHILD_H */
