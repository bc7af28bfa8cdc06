/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_LINUX_DELAY_H
#define TESTS_LINUX_DELAY_H

#include <unistd.h>

#define mdelay(ms) usleep((ms) * 1000)

#endif /* TESTS_LINUX_DELAY_H */
