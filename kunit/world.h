/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The services that the suites need from the place they run in: kernel/world.c is for
 * the kernel, userspace/tests/core/world.c for the userspace build.
 */
#ifndef BLINK_KUNIT_WORLD_H
#define BLINK_KUNIT_WORLD_H

#include <linux/blink_tree.h>

struct kunit;
struct kunit_suite;
struct threads;

int world_enter_suite(struct kunit_suite *suite);
void world_leave_suite(struct kunit_suite *suite);
int world_enter_test(struct kunit *test);

struct blink_tree_params world_params(struct kunit *test);
u64 world_seed(struct kunit *test);
unsigned long world_work(unsigned long amount);

unsigned int world_cpus(void);
bool world_run_threads(struct threads *threads);

#endif /* BLINK_KUNIT_WORLD_H */
