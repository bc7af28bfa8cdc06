// SPDX-License-Identifier: GPL-2.0
/* Starting child processes, and waiting for them. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../bench/thread.h"
#include "workers.h"

static void be_worker(struct job *job, unsigned int worker, work_fn *work,
		      void *context)
{
	struct blinktree *tree;

	/* The kernel kills the worker if the main job ends. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	thread_pin(worker);
	tree = open_tree(job);
	work(job, tree, worker, context);
	blinktree_close(tree);
}

void workers_start(struct workers *workers, struct job *job, unsigned int nr,
		   work_fn *work, void *context)
{
	unsigned int i;

	fflush(stdout);
	workers->nr = nr;
	for (i = 0; i < nr; i++) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork: %m");
		if (!pid) {
			be_worker(job, i, work, context);
			_exit(EXIT_SUCCESS);
		}
		/* Only the parent writes this: the child can share this memory. */
		workers->pids[i] = pid;
	}
}

void workers_check(const struct workers *workers)
{
	unsigned int i;

	for (i = 0; i < workers->nr; i++) {
		if (waitpid(workers->pids[i], NULL, WNOHANG))
			fail("process %u ended early", i);
	}
}

void workers_wait(const struct workers *workers)
{
	unsigned int i, failed = 0;

	for (i = 0; i < workers->nr; i++) {
		int status;

		if (waitpid(workers->pids[i], &status, 0) < 0)
			fail("waitpid: %m");
		if (WIFSIGNALED(status))
			fprintf(stderr, "worker %u died of signal %d\n", i,
				WTERMSIG(status));
		failed += !!status;
	}
	if (failed)
		fail("%u of %u processes failed", failed, workers->nr);
}
