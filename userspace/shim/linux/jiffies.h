/* SPDX-License-Identifier: GPL-2.0 */
/* The time, which stands still unless a test says otherwise. */
#ifndef SHIM_LINUX_JIFFIES_H
#define SHIM_LINUX_JIFFIES_H

#include <linux/compiler.h>

#define HZ 1000
#define jiffies READ_ONCE(shim_jiffies)
#define time_before(a, b) ((long)((a) - (b)) < 0)

#endif /* SHIM_LINUX_JIFFIES_H */
