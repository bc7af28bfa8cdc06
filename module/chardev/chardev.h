/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BLINK_CHARDEV_CHARDEV_H
#define BLINK_CHARDEV_CHARDEV_H

#ifdef CONFIG_BLINK_TREE_DEV
int blink_chardev_init(void);
void blink_chardev_exit(void);
void blink_chardev_check(void);
#else
static inline int blink_chardev_init(void)
{
	return 0;
}

static inline void blink_chardev_exit(void)
{
}

static inline void blink_chardev_check(void)
{
}
#endif

#endif /* BLINK_CHARDEV_CHARDEV_H */
