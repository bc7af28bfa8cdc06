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

/* @tree: the handle of this worker; @worker: its number, counted from 0. */
typedef void work_fn(struct job *job, struct blinktree *tree,
		     unsigned int worker, void *context);

/* Start the workers. A worker ends when @work returns, or in fail(). */
void workers_start(struct workers *workers, struct job *job, unsigned int nr,
		   work_fn *work, void *context);

/* End this process if a worker has ended already. */
void workers_check(const struct workers *workers);

/* Wait until all workers have ended. End this process if one failed. */
void workers_wait(const struct workers *workers);

#endif /* BLINKTREE_MAIN_JOB_WORKERS_H */
