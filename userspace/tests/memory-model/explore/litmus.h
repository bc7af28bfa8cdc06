/* SPDX-License-Identifier: GPL-2.0 */
/* Litmus tests as C, by userspace/tests/memory-model/litmus. */
#ifndef EXPLORE_LITMUS_H
#define EXPLORE_LITMUS_H

#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "explore.h"

/* As the tests call them. */
#define spinlock_t arch_spinlock_t
#define spin_lock(lock) arch_spin_lock(lock)
#define spin_unlock(lock) arch_spin_unlock(lock)

/**
 * struct litmus - a test
 * @name: its file's
 * @nr: processes
 * @set_up: makes what they share
 * @body: the code of each
 * @exists: whether the registers are what the test asks for
 * @happens: they must be so in some execution; otherwise in none
 */
struct litmus {
	const char *name;
	unsigned int nr;
	void (*set_up)(void);
	void (*body)(unsigned int fiber);
	bool (*exists)(void);
	bool happens;
};

/* Ends with an element without a name. */
extern const struct litmus litmus_tests[];

#define LITMUS_REGISTERS 6
extern u64 litmus_register[FIBERS_MAX][LITMUS_REGISTERS];

int litmus_run_all(void);

#endif /* EXPLORE_LITMUS_H */
