/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_LINUX_SORT_H
#define TESTS_LINUX_SORT_H

#include <stdlib.h>

#define sort(base, nr, size, compare, swap) qsort(base, nr, size, compare)

#endif /* TESTS_LINUX_SORT_H */
