/* SPDX-License-Identifier: GPL-2.0 */
/* What the compiler calls with -fsanitize=thread, as far as it does here. */
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
void __tsan_atomic_thread_fence(int order);

u8 __tsan_atomic8_load(u8 *at, int order);
void __tsan_atomic8_store(u8 *at, u8 value, int order);
u8 __tsan_atomic8_exchange(u8 *at, u8 value, int order);
u8 __tsan_atomic8_fetch_add(u8 *at, u8 value, int order);
u8 __tsan_atomic8_fetch_sub(u8 *at, u8 value, int order);
int __tsan_atomic8_compare_exchange_strong(u8 *at, u8 *old, u8 value, int order,
					   int failed);
int __tsan_atomic8_compare_exchange_weak(u8 *at, u8 *old, u8 value, int order,
					 int failed);
u16 __tsan_atomic16_load(u16 *at, int order);
void __tsan_atomic16_store(u16 *at, u16 value, int order);
u16 __tsan_atomic16_exchange(u16 *at, u16 value, int order);
u16 __tsan_atomic16_fetch_add(u16 *at, u16 value, int order);
u16 __tsan_atomic16_fetch_sub(u16 *at, u16 value, int order);
int __tsan_atomic16_compare_exchange_strong(u16 *at, u16 *old, u16 value,
					    int order, int failed);
int __tsan_atomic16_compare_exchange_weak(u16 *at, u16 *old, u16 value,
					  int order, int failed);
u32 __tsan_atomic32_load(u32 *at, int order);
void __tsan_atomic32_store(u32 *at, u32 value, int order);
u32 __tsan_atomic32_exchange(u32 *at, u32 value, int order);
u32 __tsan_atomic32_fetch_add(u32 *at, u32 value, int order);
u32 __tsan_atomic32_fetch_sub(u32 *at, u32 value, int order);
int __tsan_atomic32_compare_exchange_strong(u32 *at, u32 *old, u32 value,
					    int order, int failed);
int __tsan_atomic32_compare_exchange_weak(u32 *at, u32 *old, u32 value,
					  int order, int failed);
u64 __tsan_atomic64_load(u64 *at, int order);
void __tsan_atomic64_store(u64 *at, u64 value, int order);
u64 __tsan_atomic64_exchange(u64 *at, u64 value, int order);
u64 __tsan_atomic64_fetch_add(u64 *at, u64 value, int order);
u64 __tsan_atomic64_fetch_sub(u64 *at, u64 value, int order);
int __tsan_atomic64_compare_exchange_strong(u64 *at, u64 *old, u64 value,
					    int order, int failed);
int __tsan_atomic64_compare_exchange_weak(u64 *at, u64 *old, u64 value,
					  int order, int failed);

#endif /* EXPLORE_RUNTIME_H */
