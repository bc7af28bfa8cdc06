/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))

#endif /* SHIM_LINUX_MATH_H */
