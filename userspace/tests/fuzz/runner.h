/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Executing programs in this process: a thread for each lane, of which the
 * first is the caller's own.
 */
#ifndef FUZZ_RUNNER_H
#define FUZZ_RUNNER_H

#include <pthread.h>

#include "kcov.h"
#include "memory.h"
#include "program.h"

/**
 * struct lane - a thread that makes calls
 * @id: which lane
 * @kcov: the coverage of its calls
 * @fail_fd: its fail-nth, -1 if the kernel has none
 * @fail_next: let the next ioctl fail at this fault point, 0: do not
 * @socket: two ends, to pass descriptors
 * @ioctls: how many it made
 * @calls: system calls of any kind
 * @fresh: edges that were new, in the program under way
 * @last_fresh: the last call that had one
 * @complaint: the fault of an answer of the kernel, NULL if all were right
 */
struct lane {
	unsigned int id;
	struct kcov kcov;
	int fail_fd;
	unsigned int fail_next;
	int socket[2];
	__u64 ioctls;
	__u64 calls;
	unsigned int fresh;
	unsigned int last_fresh;
	const char *complaint;
};

/**
 * struct runner - all that executes programs
 * @lanes: the lanes
 * @slots: descriptors, -1 where there is none
 * @device: the device's
 * @program: the one under way
 * @parallel: by two lanes
 * @alarms: it has alarms
 * @names: the names of trees in its programs
 * @seen: where to add what the kernel did, NULL if it does not tell
 * @gate: lanes meet there before and after a program
 */
struct runner {
	struct lane lanes[LANES];
	int slots[SLOTS];
	int device;
	const struct program *program;
	bool parallel;
	bool alarms;
	struct names names;
	struct seen *seen;
	pthread_barrier_t gate;
};

/* As root. 0, or -1 and errno. */
int runner_open(struct runner *runner, struct seen *seen, struct names names);

/* With the rights that the programs are to have. 0, or -1 and errno. */
int runner_start(struct runner *runner);

/* Execute a program; returns how many new edges there were. */
unsigned int runner_run(struct runner *runner, const struct program *program);

/* Execute a program; returns the values that the kernel compared. */
unsigned int runner_hints(struct runner *runner, const struct program *program,
			  struct hint *hints, unsigned int room);

/* call.c: one call, by the lane. */
void lane_call(struct runner *runner, struct lane *lane,
	       const struct call *call);

/* Put a descriptor into a slot, or close it; it may be an error. */
void slot_put(struct runner *runner, unsigned int slot, long fd);

/**
 * judge() - whether an answer of the kernel can be right
 * @call: one of our ioctls
 * @ret: its return value, a negative errno for an error
 * @address: of its structure
 * @alone: no other thread writes there
 *
 * Return: NULL, or what is wrong.
 */
const char *judge(const struct call *call, long ret, __u64 address, bool alone);

/* Put a pattern behind a structure; judge() looks for it after the call. */
void judge_prepare(const struct call *call, __u64 address);

#endif /* FUZZ_RUNNER_H */
