/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_ALIGN_H
#define SHIM_LINUX_ALIGN_H

/* @a is a power of two. */
#define ALIGN(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))

#endif /* SHIM_LINUX_ALIGN_H */
