/* SPDX-License-Identifier: GPL-2.0 */
/* Child processes that do the same work at the same time, one per CPU. */
#ifndef BLINKTREE_MAIN_JOB_WORKERS_H
#define BLINKTREE_MAIN_JOB_WORKERS_H

#include <sys/types.h>

#include "job.h"

#define WORKERS_MAX 256

struct workers {
	pid_t pids[WORKERS_MAX];
	unsigned int nr;
};

/* @tree: the worker's own handle; @worker: its number, from 0 on. */
typedef void work_fn(struct job *job, struct blinktree *tree,
		     unsigned int worker, void *context);

/* Start them; they end when @work returns, or fail(). */
void workers_start(struct workers *workers, struct job *job, unsigned int nr,
		   work_fn *work, void *context);

/* If one ended already this process ends too. */
void workers_check(const struct workers *workers);

/* Wait until all ended; if one failed this process ends too. */
void workers_wait(const struct workers *workers);

#endif /* BLINKTREE_MAIN_JOB_WORKERS_H */
