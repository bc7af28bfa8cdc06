/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two worlds that measure points: kernel.c writes orders to the module blink_tree_lab,
 * and native.c executes them in processes of its own. A program has one of the two.
 */
#ifndef BENCH_LAB_BACKEND_H
#define BENCH_LAB_BACKEND_H

#include "command.h"
#include "lab/workloads.h"

/* More than the longest answer: a line of each kind of operation, with all buckets. */
#define ANSWER_MAX 1048576

/* The name of the world. */
extern const char *const backend_world;

/* Once, before the first point. A status after a message, or STATUS_OK. */
enum status backend_open(const struct args *args);
void backend_close(void);

/* The keys of a file, which the caller frees. A status after a message, or STATUS_OK. */
enum status keys_read(const char *path, struct lab_keys *keys);

/**
 * backend_measure() - measure a point
 * @order: its order
 * @answer: set to the answer, which the caller frees, or to NULL
 * @why: set to a text about an error that is not one of the order
 * @size: bytes of @why
 *
 * Return: 0, or a negative errno.
 */
int backend_measure(const char *order, char **answer, char *why, size_t size);

#endif /* BENCH_LAB_BACKEND_H */
