/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's basic types; glibc includes this header too, as the UAPI's. */
#ifndef SHIM_LINUX_TYPES_H
#define SHIM_LINUX_TYPES_H

#include_next <linux/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef unsigned __int128 u128;
typedef __s32 s32;
typedef __s64 s64;
#define gfp_t unsigned int

struct rcu_head {
	struct rcu_head *next;
	void (*func)(struct rcu_head *head);
};

#define shim_attribute(x) __attribute__((x))
#define __alias(symbol) shim_attribute(__alias__(#symbol))
#define __aligned(bytes) shim_attribute(__aligned__(bytes))
#define __noreturn shim_attribute(__noreturn__)
#define __printf(format, args) shim_attribute(__format__(printf, format, args))

#endif /* SHIM_LINUX_TYPES_H */
