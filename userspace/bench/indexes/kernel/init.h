/* SPDX-License-Identifier: GPL-2.0 */
/* The initialisation that a kernel does when it boots, or loads our module. */
#ifndef COMPARE_KERNEL_INIT_H
#define COMPARE_KERNEL_INIT_H

/* Once, by the initial thread, before any index is created. */
void standin_init(void);

#endif /* COMPARE_KERNEL_INIT_H */
