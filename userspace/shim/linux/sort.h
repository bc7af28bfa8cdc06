/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SORT_H
#define SHIM_LINUX_SORT_H

#include <stdlib.h>

#define sort(base, nr, size, compare, swap) qsort(base, nr, size, compare)

#endif /* SHIM_LINUX_SORT_H */
