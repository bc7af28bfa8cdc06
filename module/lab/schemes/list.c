// SPDX-License-Identifier: GPL-2.0
/* The schemes that this kernel can have; list.h describes them. */
#include <linux/blink_tree.h>
#include <linux/kconfig.h>

#include "lab_index.h"

const struct lab_scheme lab_schemes[] = {
	LAB_SCHEMES(LAB_SCHEME)
#if IS_ENABLED(CONFIG_BTREE)
		LAB_SCHEMES_BTREE(LAB_SCHEME)
#endif
			LAB_SCHEMES_KERNEL(LAB_SCHEME) LAB_SCHEMES_END,
};
