/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints, only on slow paths: the split and the merge of a node, and a
 * change of an index's height.
 */
/* clang-format does not understand TRACE_EVENT(). */
/* clang-format off */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM blink_tree

#if !defined(BLINK_OBS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define BLINK_OBS_TRACE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

TRACE_EVENT(blink_tree_split,
	TP_PROTO(const void *tree, unsigned int level, u64 separator),
	TP_ARGS(tree, level, separator),
	TP_STRUCT__entry(
		__field(const void *, tree)
		__field(unsigned int, level)
		__field(u64, separator)
	),
	TP_fast_assign(
		__entry->tree = tree;
		__entry->level = level;
		__entry->separator = separator;
	),
	TP_printk("tree=%p level=%u separator=%llu", __entry->tree,
		  __entry->level, __entry->separator)
);

TRACE_EVENT(blink_tree_merge,
	TP_PROTO(const void *tree, unsigned int level, u64 separator),
	TP_ARGS(tree, level, separator),
	TP_STRUCT__entry(
		__field(const void *, tree)
		__field(unsigned int, level)
		__field(u64, separator)
	),
	TP_fast_assign(
		__entry->tree = tree;
		__entry->level = level;
		__entry->separator = separator;
	),
	TP_printk("tree=%p level=%u separator=%llu", __entry->tree,
		  __entry->level, __entry->separator)
);

TRACE_EVENT(blink_tree_root,
	TP_PROTO(const void *tree, unsigned int index, unsigned int level),
	TP_ARGS(tree, index, level),
	TP_STRUCT__entry(
		__field(const void *, tree)
		__field(unsigned int, index)
		__field(unsigned int, level)
	),
	TP_fast_assign(
		__entry->tree = tree;
		__entry->index = index;
		__entry->level = level;
	),
	TP_printk("tree=%p index=%u level=%u", __entry->tree, __entry->index,
		  __entry->level)
);

#endif /* BLINK_OBS_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH obs
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
