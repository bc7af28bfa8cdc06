/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that the compiler calls with -fsanitize=thread, as far as needed here. */
#ifndef EXPLORE_RUNTIME_H
#define EXPLORE_RUNTIME_H

#include <linux/types.h>

void __tsan_read1(void *at);
void __tsan_write1(void *at);
void __tsan_read2(void *at);
void __tsan_write2(void *at);
void __tsan_read4(void *at);
void __tsan_write4(void *at);
void __tsan_read8(void *at);
void __tsan_write8(void *at);
void __tsan_read16(void *at);
void __tsan_write16(void *at);
void __tsan_unaligned_read8(void *at);
void __tsan_unaligned_write8(void *at);
void __tsan_unaligned_read16(void *at);
void __tsan_unaligned_write16(void *at);
void __tsan_read_range(void *at, unsigned long bytes);
void __tsan_write_range(void *at, unsigned long bytes);
void __tsan_init(void);
void __tsan_acquire(void *at);
void __tsan_release(void *at);
void __tsan_atomic_thread_fence(int order);

#endif /* EXPLORE_RUNTIME_H */
