// SPDX-License-Identifier: GPL-2.0
/* Keys that are strings: the source that depends on values of bytes, compiled for them. */
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_value.h>

#include "stream.h"
#include "tally.h"

#define BLINK_NAME(name) blink_bytes_##name
#define BLINK_TREE_NAME(name) blink_tree_bytes_##name
#include "../core/kind/names.h"
#define blink_stream_u64 blink_stream_bytes
#define blink_stream_values_u64 blink_stream_values_bytes

#include "stream_values.c"
