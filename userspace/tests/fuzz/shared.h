/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that the processes of a fuzzer share. *Workers* execute programs, each with
 * rights of its own; their parent watches them, and has all there is to know
 * of them also when one is killed in the middle of a call.
 */
#ifndef FUZZ_SHARED_H
#define FUZZ_SHARED_H

#include "kcov.h"
#include "program.h"

#define WORKERS 2
#define CORPUS_MAX 4096
#define RECENT 16

/**
 * struct worker_state - the report of a worker
 * @executions: programs that it executed
 * @ioctls: ioctls that it made
 * @calls: system calls of any kind
 * @complaint: why it stopped, empty if nothing was wrong
 * @recent: its last programs; that of number @executions is under way
 */
struct worker_state {
	__u64 executions;
	__u64 ioctls;
	__u64 calls;
	char complaint[200];
	struct program recent[RECENT];
};

/**
 * struct shared - all of it
 * @stop: workers are to end
 * @seen: the coverage so far
 * @nr_corpus: programs in @corpus, maybe more than fit
 * @corpus: programs that did something new
 * @workers: by worker
 */
struct shared {
	bool stop;
	struct seen seen;
	unsigned int nr_corpus;
	struct program corpus[CORPUS_MAX];
	struct worker_state workers[WORKERS];
};

/**
 * struct plan - the task of the workers
 * @seed: of all random choices
 * @seconds: how long; 0: execute what was given, once
 * @plain: do not ask the kernel what it did
 * @nr_given: programs that were given
 * @given: these
 * @private: the id of the tree of root's
 */
struct plan {
	__u64 seed;
	unsigned int seconds;
	bool plain;
	unsigned int nr_given;
	struct program *given;
	__u64 private;
};

/* worker.c: be a worker; returns an exit status. */
int worker_main(struct shared *shared, const struct plan *plan,
		unsigned int id);

/*
 * files.c: 0, or -1 after something was said. A crash is what each worker did
 * last, the program under way at its end.
 */
int complain(const char *what);
int read_programs(struct plan *plan, const char *path);
int write_corpus(const struct shared *shared, const char *path);
int write_crash(const struct shared *shared, const char *path);

/* private.c: make it, and return the device or -1; whether it is as it was. */
int private_make(__u64 *id);
bool private_intact(int device);
void private_unlink(int device);

/* watch.c: watch the kernel's log for complaints from now on. */
int watch_open(void);

/* Whether there is one; @text is the headline then. */
bool watch_report(int fd, char *text, size_t bytes);

#endif /* FUZZ_SHARED_H */
