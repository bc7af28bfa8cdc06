/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before a source of tests that is compiled for keys of 128 bits, as the core
 * is (module/core/kind/u128.c). Its keys are small numbers: all have the same upper half.
 */
#ifndef TESTS_U128_H
#define TESTS_U128_H

#include <linux/blink_range.h>
#include <linux/blink_tree.h>
#include <linux/blink_tree_u128.h>
#include <linux/blink_tree_value.h>

#define BLINK_COMPILE_U128
#define BLINK_NAME(name) blink_u128_##name
#define BLINK_TREE_NAME(name) blink_tree_u128_##name
#include "core/kind/names.h"

/* The core does not call these. */
#define blink_tree_get_or_insert blink_tree_u128_get_or_insert
#define blink_finger_init blink_u128_finger_init
#define blink_finger_pause blink_u128_finger_pause

#endif /* TESTS_U128_H */
