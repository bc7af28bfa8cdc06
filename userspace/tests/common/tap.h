/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test program in TAP. A case calls tap_check() any number of times, then
 * tap_case() reports the case. tap_exit() ends the program.
 */
#ifndef BLINKTREE_TESTS_TAP_H
#define BLINKTREE_TESTS_TAP_H

#include <stdbool.h>
#include <stdio.h>

/* In a program of several files only one of them has the state. */
#ifdef TAP_ELSEWHERE
extern unsigned int tap_cases;
extern unsigned int tap_failures;
extern bool tap_broken;
#else
unsigned int tap_cases;
unsigned int tap_failures;
bool tap_broken;
#endif

#define tap_check(condition) \
	tap_check_at(!!(condition), __FILE__, __LINE__, #condition)

static inline bool tap_check_at(bool good, const char *file, int line,
				const char *what)
{
	if (!good) {
		tap_broken = true;
		printf("# %s:%d: not true: %s\n", file, line, what);
	}
	return good;
}

static inline void tap_begin(unsigned int cases)
{
	/* A child of a test would print again what is in the buffer. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%u\n", cases);
}

static inline void tap_case(const char *name)
{
	printf("%sok %u %s\n", tap_broken ? "not " : "", ++tap_cases, name);
	tap_failures += tap_broken;
	tap_broken = false;
}

static inline int tap_exit(unsigned int planned)
{
	fflush(stdout);
	return tap_failures || tap_cases != planned;
}

#endif /* BLINKTREE_TESTS_TAP_H */
