/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that calls pass: for each lane some pages that can be written, a
 * hole, some that can be read only, and a hole. It is mapped twice: as the
 * kernel is told of it, with protections that may change at any moment, and
 * for ourselves, the *alias*. Its addresses have 32 bits, and are always the
 * same.
 */
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include "program.h"

#define MEMORY_WRITABLE (3UL << 12)

/* 0, or -1 and errno. */
int memory_map(void);

/* The address of a place for @bytes. */
__u64 memory_address(unsigned int lane, enum place place, size_t bytes,
		     bool array);

/* Where we can write what is at an address; @bytes is cut to what is there. */
void *memory_alias(__u64 address, size_t *bytes);

/* How much of some bytes can be read, or written, as protections are now. */
size_t memory_accessible(__u64 address, size_t bytes, bool write);

/* Change the protection of one of the pages that can be written. */
void memory_protect(unsigned int lane, unsigned int page, unsigned int how);
void memory_reset(void);
void memory_forget(__u64 address, size_t bytes);

/**
 * struct names - the names of trees in the programs of a worker
 * @private: the name of root's private tree; for root another one
 * @spared: the id of a tree that they leave alone, or 0
 */
struct names {
	const char *private;
	__u64 spared;
};

/**
 * call_prepare() - put a call's structure and array into memory
 * @call: the call
 * @names: the names of trees
 *
 * Return: the address of the structure.
 */
__u64 call_prepare(const struct call *call, const struct names *names);

#endif /* FUZZ_MEMORY_H */
