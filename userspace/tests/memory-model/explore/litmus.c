// SPDX-License-Identifier: GPL-2.0
/*
 * Exploring litmus tests: all schedules and all outcomes of loads. This is not
 * the kernel's memory model: there is less that can happen here. So it shows that
 * what is to happen sometimes does, and that this checker would see it.
 */
#include <linux/kernel.h>

#include "litmus.h"

u64 litmus_register[FIBERS_MAX][LITMUS_REGISTERS];

static const struct litmus *litmus;
static u64 happened;

static void check(void)
{
	happened += litmus->exists();
}

static bool litmus_run(unsigned int number)
{
	static const int nid[FIBERS_MAX];
	struct search search = {
		.nr = litmus->nr,
		.nid = nid,
		.body = litmus->body,
		.check = check,
		.bounds = { 64, 64 },
	};

	happened = 0;
	litmus->set_up();
	search_run(&search);
	printf("%s %u - %s: %s # %llu of %llu executions\n",
	       !happened == litmus->happens ? "not ok" : "ok", number,
	       litmus->name, litmus->happens ? "Sometimes" : "Never", happened,
	       search.executions);
	return !happened != litmus->happens;
}

int litmus_run_all(void)
{
	unsigned int nr = 0, failed = 0;

	for (litmus = litmus_tests; litmus->name; litmus++)
		nr++;
	printf("TAP version 13\n1..%u\n", nr);
	nr = 0;
	for (litmus = litmus_tests; litmus->name; litmus++)
		failed += !litmus_run(++nr);
	return failed || !nr;
}
