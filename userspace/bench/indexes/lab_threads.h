/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of the laboratory in a program: what only the program can ask for. */
#ifndef COMPARE_LAB_THREADS_H
#define COMPARE_LAB_THREADS_H

/* Let one of so many of their allocations fail (0: none). */
extern unsigned int lab_threads_fail_one_in;

#endif /* COMPARE_LAB_THREADS_H */
