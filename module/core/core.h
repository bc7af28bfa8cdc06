/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of the core that the rest of the module uses besides the public
 * API.
 */
#ifndef BLINK_CORE_CORE_H
#define BLINK_CORE_CORE_H

#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

struct blink_budget;
struct blink_tree;
struct blink_tree_params;

int blink_core_init(void);
void blink_core_exit(void);

/* create.c */
struct blink_tree *blink_tree_create_for(const struct blink_tree_params *params,
					 struct blink_budget *payer, long more,
					 gfp_t gfp);
enum blink_tree_key blink_tree_key_kind(const struct blink_tree *tree);
bool blink_tree_byte_values(const struct blink_tree *tree);
bool blink_tree_counted(const struct blink_tree *tree);
void blink_tree_set_max_entries(struct blink_tree *tree, u64 max_entries);
void blink_tree_set_max_bytes(struct blink_tree *tree, u64 max_bytes);

#endif /* BLINK_CORE_CORE_H */
