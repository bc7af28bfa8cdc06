/* SPDX-License-Identifier: GPL-2.0 */
/* Which kernels the module supports; whatever differs between them. */
#ifndef BLINK_COMPAT_H
#define BLINK_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "blink_tree needs Linux 6.12 or later"
#endif
#ifndef CONFIG_64BIT
#error "blink_tree needs a 64-bit kernel"
#endif

#endif /* BLINK_COMPAT_H */
