/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: payers
 *
 * All trees that user space creates are charged to one budget, the module's; and
 * to that of their *payer*, unless their creator has CAP_SYS_RESOURCE: a user's
 * budget, which is there as long as there are trees of the user. So one user
 * leaves room for others, and all together do for everything else, also where no
 * memory cgroup has a limit.
 *
 * The creator goes on paying when a tree gets another owner.
 */
#ifndef BLINK_CHARDEV_PAYER_H
#define BLINK_CHARDEV_PAYER_H

#include <linux/types.h>

struct blink_budget;

/* Module parameters, in bytes, 0 for no limit. */
extern u64 blink_max_bytes;
extern u64 blink_user_max_bytes;
/* What they are until they are set, in percent of the memory. */
#define BLINK_MAX_BYTES_PERCENT 50
#define BLINK_USER_MAX_BYTES_PERCENT 25

u64 blink_memory_share(unsigned int percent);

struct blink_budget *blink_payer_get(void);
void blink_payer_put(struct blink_budget *payer);
void blink_payers_init(void);
void blink_payers_exit(void);

#endif /* BLINK_CHARDEV_PAYER_H */
