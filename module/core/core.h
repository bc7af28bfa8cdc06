/* SPDX-License-Identifier: GPL-2.0 */
/* What the rest of the module needs of the core besides the public API. */
#ifndef BLINK_CORE_CORE_H
#define BLINK_CORE_CORE_H

#include <linux/types.h>

struct blink_tree;

int blink_core_init(void);
void blink_core_exit(void);

/* tree.c */
bool blink_tree_counted(const struct blink_tree *tree);
void blink_tree_set_max_entries(struct blink_tree *tree, u64 max_entries);
void blink_tree_set_max_bytes(struct blink_tree *tree, u64 max_bytes);

#endif /* BLINK_CORE_CORE_H */
