/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of keys.h, by the names of those whose place they take. A source that
 * is compiled for 128-bit keys (module/core/kind/names.h) calls functions for such
 * keys anyway. One that defines KEYS_OWN_NAMES first calls each function by its own
 * name.
 */
#ifndef BLINK_KUNIT_KEYS_NAMES_H
#define BLINK_KUNIT_KEYS_NAMES_H

#include "keys.h"

#ifndef KEYS_OWN_NAMES
#define blink_tree_create keys_create

#ifndef BLINK_COMPILE_U128
#define blink_cursor keys_cursor
#define blink_finger keys_finger

#define blink_tree_add keys_add
#define blink_tree_add_saturate keys_add_saturate
#define blink_tree_batch keys_batch
#define blink_tree_ceiling keys_ceiling
#define blink_tree_cmperase keys_cmperase
#define blink_tree_cmpxchg keys_cmpxchg
#define blink_tree_commit keys_commit
#define blink_tree_count_range keys_count_range
#define blink_tree_erase keys_erase
#define blink_tree_erase_range keys_erase_range
#define blink_tree_floor keys_floor
#define blink_tree_get_or_insert keys_get_or_insert
#define blink_tree_insert keys_insert
#define blink_tree_load keys_load
#define blink_tree_lookup keys_lookup
#define blink_tree_op keys_op
#define blink_tree_pop_max keys_pop_max
#define blink_tree_pop_min keys_pop_min
#define blink_tree_replace keys_replace
#define blink_tree_scan keys_scan
#define blink_tree_store keys_store
#define blink_cursor_init keys_cursor_init
#define blink_cursor_init_desc keys_cursor_init_desc
#define blink_cursor_next keys_cursor_next
#define blink_finger_ceiling keys_finger_ceiling
#define blink_finger_floor keys_finger_floor
#define blink_finger_init keys_finger_init
#define blink_finger_next keys_finger_next
#define blink_finger_pause keys_finger_pause
#define blink_finger_prev keys_finger_prev
#endif
#endif

#endif /* BLINK_KUNIT_KEYS_NAMES_H */
