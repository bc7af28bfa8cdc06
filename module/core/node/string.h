/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of strings (../key/bytes.h). */
#ifndef BLINK_CORE_STRING_H
#define BLINK_CORE_STRING_H

#include "../key/key.h"

struct blink_tree;

int blink_entry_make(struct blink_tree *tree, blink_key_t key, u64 value,
		     gfp_t gfp, u64 *entry);
void blink_string_free(struct blink_tree *tree, struct blink_string *string);
void blink_string_drop(struct blink_tree *tree, struct blink_string *string);
void blink_string_put(struct blink_tree *tree, struct blink_string *string);

#endif /* BLINK_CORE_STRING_H */
