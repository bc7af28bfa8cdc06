/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: payers
 *
 * All trees that user space creates are charged to one budget of the module.
 * Unless their creator has CAP_SYS_RESOURCE, they are also charged to the
 * budget of their *payer*, the user who created them; this budget exists while
 * the user has trees. So one user leaves memory for other users, all users together leave
 * some for services with CAP_SYS_RESOURCE, and all trees together leave memory for the
 * system, even without a limit of a memory cgroup.
 *
 * The creator still pays when a tree gets another owner.
 */
#ifndef BLINK_CHARDEV_PAYER_H
#define BLINK_CHARDEV_PAYER_H

#include <linux/types.h>

struct blink_budget;
struct seq_file;

/* Module parameters, in bytes, 0 for no limit. */
extern u64 blink_max_bytes;
extern u64 blink_user_max_bytes;
/* Their default values, in percent of the memory. */
#define BLINK_MAX_BYTES_PERCENT 50
#define BLINK_USER_MAX_BYTES_PERCENT 25
/* Of max_bytes, a share of 2^-5 is not for users: a thirty-second. */
#define BLINK_RESERVE_SHIFT 5

int blink_memory_parse(const char *text, u64 *limit);

struct blink_budget *blink_payer_get(void);
void blink_payer_put(struct blink_budget *payer);
bool blink_payer_is_user(const struct blink_budget *payer);
void blink_payers_show(struct seq_file *m);
void blink_payers_init(void);
void blink_payers_exit(void);

#endif /* BLINK_CHARDEV_PAYER_H */
