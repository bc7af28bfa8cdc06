// SPDX-License-Identifier: GPL-2.0
/*
 * The runtime of the instrumentation: accesses to watched memory go to memory.c, all
 * others happen directly.
 */
#include <linux/kernel.h>
#include <string.h>

#include "explore.h"
#include "memory.h"
#include "runtime.h"

void __tsan_read1(void *at)
{
	memory_plain(at, 1, false);
}

void __tsan_write1(void *at)
{
	memory_plain(at, 1, true);
}

void __tsan_read2(void *at)
{
	memory_plain(at, 2, false);
}

void __tsan_write2(void *at)
{
	memory_plain(at, 2, true);
}

void __tsan_read4(void *at)
{
	memory_plain(at, 4, false);
}

void __tsan_write4(void *at)
{
	memory_plain(at, 4, true);
}

void __tsan_read8(void *at)
{
	memory_plain(at, 8, false);
}

void __tsan_write8(void *at)
{
	memory_plain(at, 8, true);
}

void __tsan_read16(void *at)
{
	memory_plain(at, 16, false);
}

void __tsan_write16(void *at)
{
	memory_plain(at, 16, true);
}

void __tsan_unaligned_read8(void *at)
{
	memory_plain(at, 8, false);
}

void __tsan_unaligned_write8(void *at)
{
	memory_plain(at, 8, true);
}

void __tsan_unaligned_read16(void *at)
{
	memory_plain(at, 16, false);
}

void __tsan_unaligned_write16(void *at)
{
	memory_plain(at, 16, true);
}

void __tsan_read_range(void *at, unsigned long bytes)
{
	memory_plain(at, bytes, false);
}

void __tsan_write_range(void *at, unsigned long bytes)
{
	memory_plain(at, bytes, true);
}

void __tsan_init(void)
{
}

/* liburcu calls these since 0.15. The memory that they order is not watched. */
void __tsan_acquire(void *at)
{
}

void __tsan_release(void *at)
{
}

void __tsan_atomic_thread_fence(int order)
{
	if (search_running())
		memory_fence(order);
}

/* A load that is not watched: no other fiber runs at the same time. */
static u64 peek(const void *at, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, at, size);
	return value;
}

static u64 load(const void *at, unsigned int size, int order)
{
	return memory_watched(at) ? memory_load(at, size, order) :
				    peek(at, size);
}

static void store(void *at, unsigned int size, u64 value, int order)
{
	if (memory_watched(at))
		memory_store(at, size, value, order);
	else
		memcpy(at, &value, size);
}

/* How an atomic instruction makes the new value of the old one. */
enum how { EXCHANGE, ADD, SUB };

static u64 changed(enum how how, u64 old, u64 value)
{
	switch (how) {
	case ADD:
		return old + value;
	case SUB:
		return old - value;
	default:
		return value;
	}
}

static u64 modify(enum how how, void *at, unsigned int size, u64 value,
		  int order)
{
	unsigned int location;
	u16 view;
	u64 old;

	if (memory_watched(at)) {
		old = memory_modify_begin(at, size, order, &location, &view);
		memory_modify_end(at, size, changed(how, old, value), order,
				  location, view);
	} else {
		old = peek(at, size);
		value = changed(how, old, value);
		memcpy(at, &value, size);
	}
	return old;
}

/* Sets what was @expected to what is there if that is not the same. */
static int compare(void *at, unsigned int size, void *expected, u64 value,
		   int order)
{
	bool watched = memory_watched(at);
	unsigned int location;
	u16 view;
	u64 is;

	is = watched ? memory_modify_begin(at, size, order, &location, &view) :
		       peek(at, size);
	if (is != peek(expected, size)) {
		memcpy(expected, &is, size);
		return 0;
	}
	if (watched)
		memory_modify_end(at, size, value, order, location, view);
	else
		memcpy(at, &value, size);
	return 1;
}

/* The functions that the compiler calls for objects of so many bits. */
#define ATOMICS(bits, type)                                                   \
	type __tsan_atomic##bits##_load(void *at, int order)                  \
	{                                                                     \
		return load(at, sizeof(type), order);                         \
	}                                                                     \
	void __tsan_atomic##bits##_store(void *at, type value, int order)     \
	{                                                                     \
		store(at, sizeof(type), value, order);                        \
	}                                                                     \
	type __tsan_atomic##bits##_exchange(void *at, type value, int order)  \
	{                                                                     \
		return modify(EXCHANGE, at, sizeof(type), value, order);      \
	}                                                                     \
	type __tsan_atomic##bits##_fetch_add(void *at, type value, int order) \
	{                                                                     \
		return modify(ADD, at, sizeof(type), value, order);           \
	}                                                                     \
	type __tsan_atomic##bits##_fetch_sub(void *at, type value, int order) \
	{                                                                     \
		return modify(SUB, at, sizeof(type), value, order);           \
	}                                                                     \
	int __tsan_atomic##bits##_compare_exchange_strong(                    \
		void *at, void *old, type value, int order, int failed)       \
	{                                                                     \
		return compare(at, sizeof(type), old, value, order);          \
	}                                                                     \
	int __tsan_atomic##bits##_compare_exchange_weak(                      \
		void *at, void *old, type value, int order, int failed)       \
	{                                                                     \
		return compare(at, sizeof(type), old, value, order);          \
	}

ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)
