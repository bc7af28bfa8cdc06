/* SPDX-License-Identifier: GPL-2.0 */
/* A writer at each step of a reader: the interface of the files of this program. */
#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include <linux/types.h>

struct blink_tree;

/**
 * struct answer - the answer of a reading call
 * @ret: its result
 * @key: the key that it found, or the sum of all keys
 * @value: the value, likewise
 */
struct answer {
	int ret;
	u64 key;
	u64 value;
};

/**
 * struct call - a reading call
 * @name: its name
 * @run: call it, about the middle of a tree of @nr entries, or about all of it
 * @atomic: it is one atomic operation, so its answer is that before the change or that
 *	after it
 */
struct call {
	const char *name;
	struct answer (*run)(struct blink_tree *tree, unsigned int nr);
	bool atomic;
};

/**
 * struct kind - a kind of trees
 * @name: its name
 * @create: create an empty tree
 * @put: add entry number @i of a tree, or do nothing if it is present
 * @erase: remove it, if it is present
 * @calls: the calls; the last one has no name
 */
struct kind {
	const char *name;
	struct blink_tree *(*create)(void);
	void (*put)(struct blink_tree *tree, unsigned int i);
	void (*erase)(struct blink_tree *tree, unsigned int i);
	const struct call *calls;
};

/* Strings, and searches for strings whose heads equal addresses in their leaf. */
extern const struct kind kind_strings;

/* Write sections of leaves of strings. */
void steps_strings_sections(void);

#endif /* TESTS_STEPS_H */
