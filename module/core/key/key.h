/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: kinds of keys
 *
 * The core is written once, for the type blink_key_t, and compiled for each *layout* of
 * keys. The directories node, index, op and inspect are compiled once for each of
 * them: as they are, for keys of 64 bits; and by u128.c and bytes.c, which include them,
 * for keys of 128 bits and for strings, with other names (names.h). The rest of the core
 * is compiled once for all trees. It calls the functions of a layout by struct blink_kind
 * (kind.h).
 *
 * A tree has one layout. The public functions that take a key check it once
 * (blink_tree_fits()). Nothing below them asks for the layout.
 */
#ifndef BLINK_CORE_KEY_KEY_H
#define BLINK_CORE_KEY_KEY_H

#if defined(BLINK_COMPILE_BYTES)
#include "bytes.h"
#elif defined(BLINK_COMPILE_U128)
#include "u128.h"
#else
#include "u64.h"
#endif

#endif /* BLINK_CORE_KEY_KEY_H */
