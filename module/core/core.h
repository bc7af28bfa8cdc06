/* SPDX-License-Identifier: GPL-2.0 */
/* What the rest of the module needs of the core besides the public API. */
#ifndef BLINK_CORE_CORE_H
#define BLINK_CORE_CORE_H

int blink_core_init(void);
void blink_core_exit(void);

#endif /* BLINK_CORE_CORE_H */
