// SPDX-License-Identifier: GPL-2.0
/* Keys of 128 bits: the sources that depend on keys that are numbers, compiled for them. */
#include <linux/blink_range.h>
#include <linux/blink_tree_u128.h>
#include <linux/blink_tree_value.h>

#include "bounds.h"
#include "stream.h"
#include "tally.h"
#include "tree_file.h"

#define BLINK_COMPILE_U128
#define BLINK_NAME(name) blink_u128_##name
#define BLINK_TREE_NAME(name) blink_tree_u128_##name
#include "../core/kind/names.h"
#define blink_bounds_u64 blink_bounds_u128
#define blink_range_u64_execute blink_range_u128_execute
#define blink_range_u64_search blink_range_u128_search
#define blink_stream_u64 blink_stream_u128
#define blink_stream_values_u64 blink_stream_values_u128

#include "bounds_numbers.c"
#include "range_numbers.c"
#include "stream_numbers.c"
#include "stream_values.c"
