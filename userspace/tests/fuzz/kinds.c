// SPDX-License-Identifier: GPL-2.0
/* The kinds of calls: the fields of their structures, and their other values. */
#include <stddef.h>

#include <linux/blink_tree.h>

#include "program.h"

#define MEMBER(_class, _struct, _member, _usual)                    \
	{                                                           \
		.class = FIELD_##_class,                            \
		.offset = offsetof(struct _struct, _member),        \
		.bytes = sizeof(((struct _struct *)NULL)->_member), \
		.usual = (_usual),                                  \
	}
#define OTHER(_class, _usual) { .class = FIELD_##_class, .usual = (_usual) }

#define IOCTL(_name, _cmd, _struct, _nr)                                 \
	.name = (_name), .cmd = (_cmd), .bytes = sizeof(struct _struct), \
	.nr = (_nr)

/* The values of a recipe for an array. */
#define RECIPE OTHER(BASE, 0), OTHER(STEP, 0), OTHER(MIX, BLINK_TREE_OP_NR)

const struct kind_spec kind_specs[KINDS] = {
	[CALL_INFO] = {
		IOCTL("info", BLINK_TREE_IOC_INFO, blink_tree_ioc_info, 1),
		.fields = { MEMBER(FLAGS, blink_tree_ioc_info, flags, 0) },
	},
	[CALL_CREATE] = {
		IOCTL("create", BLINK_TREE_IOC_CREATE, blink_tree_ioc_create, 10),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_create, flags,
			       BLINK_TREE_CREATE_COMPRESS |
				       BLINK_TREE_CREATE_BYTE_VALUES),
			MEMBER(MODE, blink_tree_ioc_create, mode, 0777),
			MEMBER(LIMIT, blink_tree_ioc_create, max_entries, 0),
			MEMBER(NAME, blink_tree_ioc_create, name, 0),
			MEMBER(WORD, blink_tree_ioc_create, replication, 2),
			MEMBER(WORD, blink_tree_ioc_create, locking, 1),
			MEMBER(WORD, blink_tree_ioc_create, placement, 1),
			MEMBER(ZERO, blink_tree_ioc_create, __reserved, 0),
			MEMBER(WORD, blink_tree_ioc_create, key, 3),
			MEMBER(LIMIT, blink_tree_ioc_create, max_bytes, 0),
		},
	},
	[CALL_OPEN] = {
		IOCTL("open", BLINK_TREE_IOC_OPEN, blink_tree_ioc_open, 4),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_open, flags, 7),
			MEMBER(SMALL, blink_tree_ioc_open, uid, 0),
			MEMBER(NAME, blink_tree_ioc_open, name, 0),
			MEMBER(ZERO, blink_tree_ioc_open, id, 0),
		},
	},
	[CALL_UNLINK] = {
		IOCTL("unlink", BLINK_TREE_IOC_UNLINK, blink_tree_ioc_unlink, 4),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_unlink, flags, 0),
			MEMBER(ZERO, blink_tree_ioc_unlink, __reserved, 0),
			MEMBER(NAME, blink_tree_ioc_unlink, name, 0),
			MEMBER(ZERO, blink_tree_ioc_unlink, id, 0),
		},
	},
	[CALL_LIST] = {
		IOCTL("list", BLINK_TREE_IOC_LIST, blink_tree_ioc_list, 7),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_list, flags, 0),
			MEMBER(COUNT, blink_tree_ioc_list, capacity, 0),
			MEMBER(LISTED, blink_tree_ioc_list, trees, 0),
			MEMBER(SMALL, blink_tree_ioc_list, cursor, 8),
			MEMBER(ZERO, blink_tree_ioc_list, count, 0),
			MEMBER(BYTES, blink_tree_ioc_list, entry_size,
			       sizeof(struct blink_tree_list_entry)),
			MEMBER(ZERO, blink_tree_ioc_list, __reserved, 0),
		},
	},
	[CALL_OP] = {
		IOCTL("op", BLINK_TREE_IOC_OP, blink_tree_ioc_op, 6),
		.fields = {
			MEMBER(WORD, blink_tree_ioc_op, opcode, BLINK_TREE_OP_NR - 1),
			MEMBER(ZERO, blink_tree_ioc_op, flags, 0),
			MEMBER(ZERO, blink_tree_ioc_op, result, 0),
			MEMBER(KEY, blink_tree_ioc_op, key, 0),
			MEMBER(KEY, blink_tree_ioc_op, value, 0),
			MEMBER(KEY, blink_tree_ioc_op, old, 0),
		},
	},
	[CALL_BATCH] = {
		IOCTL("batch", BLINK_TREE_IOC_BATCH, blink_tree_ioc_batch, 8),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_batch, flags,
			       BLINK_TREE_BATCH_COMMIT),
			MEMBER(COUNT, blink_tree_ioc_batch, count, 0),
			MEMBER(OPS, blink_tree_ioc_batch, ops, 0),
			MEMBER(ZERO, blink_tree_ioc_batch, done, 0),
			MEMBER(BYTES, blink_tree_ioc_batch, op_size,
			       sizeof(struct blink_tree_ioc_op)),
			RECIPE,
		},
	},
	[CALL_SCAN] = {
		IOCTL("scan", BLINK_TREE_IOC_SCAN, blink_tree_ioc_scan, 8),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_scan, flags,
			       BLINK_TREE_SCAN_DESC | BLINK_TREE_SCAN_DONE),
			MEMBER(COUNT, blink_tree_ioc_scan, capacity, 0),
			MEMBER(KEY, blink_tree_ioc_scan, first, 0),
			MEMBER(KEY, blink_tree_ioc_scan, last, 0),
			MEMBER(ENTRIES, blink_tree_ioc_scan, entries, 0),
			MEMBER(ZERO, blink_tree_ioc_scan, count, 0),
			MEMBER(BYTES, blink_tree_ioc_scan, entry_size,
			       sizeof(struct blink_tree_entry)),
			MEMBER(ZERO, blink_tree_ioc_scan, __reserved, 0),
		},
	},
	[CALL_STATS] = {
		IOCTL("stats", BLINK_TREE_IOC_STATS, blink_tree_ioc_stats, 1),
		.fields = { MEMBER(FLAGS, blink_tree_ioc_stats, flags, 0) },
	},
	[CALL_LEVELS] = {
		IOCTL("levels", BLINK_TREE_IOC_LEVELS, blink_tree_ioc_levels, 5),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_levels, flags, 0),
			MEMBER(COUNT, blink_tree_ioc_levels, capacity, 0),
			MEMBER(LEVELS, blink_tree_ioc_levels, levels, 0),
			MEMBER(BYTES, blink_tree_ioc_levels, level_size,
			       sizeof(struct blink_tree_level_stats)),
			MEMBER(ZERO, blink_tree_ioc_levels, count, 0),
		},
	},
	[CALL_ATTR] = {
		IOCTL("attr", BLINK_TREE_IOC_ATTR, blink_tree_ioc_attr, 7),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_attr, flags,
			       BLINK_TREE_ATTR_UID | BLINK_TREE_ATTR_GID |
				       BLINK_TREE_ATTR_MODE |
				       BLINK_TREE_ATTR_NAME |
				       BLINK_TREE_ATTR_MAX_ENTRIES |
				       BLINK_TREE_ATTR_MAX_BYTES),
			MEMBER(SMALL, blink_tree_ioc_attr, uid, 1),
			MEMBER(SMALL, blink_tree_ioc_attr, gid, 1),
			MEMBER(MODE, blink_tree_ioc_attr, mode, 0777),
			MEMBER(NAME, blink_tree_ioc_attr, name, 0),
			MEMBER(LIMIT, blink_tree_ioc_attr, max_entries, 0),
			MEMBER(LIMIT, blink_tree_ioc_attr, max_bytes, 0),
		},
	},
	[CALL_VERIFY] = {
		IOCTL("verify", BLINK_TREE_IOC_VERIFY, blink_tree_ioc_verify, 2),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_verify, flags, 0),
			MEMBER(ZERO, blink_tree_ioc_verify, __reserved, 0),
		},
	},
	[CALL_LOAD] = {
		IOCTL("load", BLINK_TREE_IOC_LOAD, blink_tree_ioc_load, 10),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_load, flags, 0),
			MEMBER(COUNT, blink_tree_ioc_load, count, 0),
			MEMBER(ENTRIES, blink_tree_ioc_load, entries, 0),
			MEMBER(SMALL, blink_tree_ioc_load, fill, 100),
			MEMBER(ZERO, blink_tree_ioc_load, done, 0),
			MEMBER(BYTES, blink_tree_ioc_load, entry_size,
			       sizeof(struct blink_tree_entry)),
			MEMBER(ZERO, blink_tree_ioc_load, __reserved, 0),
			RECIPE,
		},
	},
	[CALL_RECORDS] = {
		IOCTL("records", BLINK_TREE_IOC_RECORDS, blink_tree_ioc_records,
		      10),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_records, flags,
			       BLINK_TREE_RECORDS_COMMIT),
			MEMBER(ZERO, blink_tree_ioc_records, fill, 0),
			MEMBER(INPUT, blink_tree_ioc_records, input, 0),
			MEMBER(OUTPUT, blink_tree_ioc_records, output, 0),
			MEMBER(INPUT_SIZE, blink_tree_ioc_records, input_size, 0),
			MEMBER(OUTPUT_SIZE, blink_tree_ioc_records, output_size,
			       0),
			RECIPE,
			OTHER(LIE, 0),
		},
	},
	[CALL_RECORD_SCAN] = {
		IOCTL("record-scan", BLINK_TREE_IOC_RECORD_SCAN,
		      blink_tree_ioc_record_scan, 12),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_record_scan, flags,
			       BLINK_TREE_RECORD_SCAN_DESC |
				       BLINK_TREE_RECORD_SCAN_COUNT |
				       BLINK_TREE_RECORD_SCAN_FIRST_OPEN |
				       BLINK_TREE_RECORD_SCAN_LAST_OPEN |
				       BLINK_TREE_RECORD_SCAN_PREFIX |
				       BLINK_TREE_RECORD_SCAN_DONE),
			MEMBER(ZERO, blink_tree_ioc_record_scan, __reserved, 0),
			MEMBER(FIRST, blink_tree_ioc_record_scan, first, 0),
			MEMBER(LAST, blink_tree_ioc_record_scan, last, 0),
			MEMBER(LENGTH, blink_tree_ioc_record_scan, first_length,
			       16),
			MEMBER(LENGTH, blink_tree_ioc_record_scan, last_length,
			       16),
			MEMBER(OUTPUT, blink_tree_ioc_record_scan, output, 0),
			MEMBER(OUTPUT_SIZE, blink_tree_ioc_record_scan,
			       output_size, 0),
			MEMBER(ZERO, blink_tree_ioc_record_scan, output_used, 0),
			MEMBER(ZERO, blink_tree_ioc_record_scan, count, 0),
			OTHER(BOUND, 0),
			OTHER(BOUND, 0),
		},
	},
	[CALL_RECORD_ERASE] = {
		IOCTL("record-erase", BLINK_TREE_IOC_RECORD_ERASE,
		      blink_tree_ioc_record_erase, 9),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_record_erase, flags,
			       BLINK_TREE_RECORD_ERASE_FIRST_OPEN |
				       BLINK_TREE_RECORD_ERASE_LAST_OPEN |
				       BLINK_TREE_RECORD_ERASE_PREFIX |
				       BLINK_TREE_RECORD_ERASE_DONE),
			MEMBER(ZERO, blink_tree_ioc_record_erase, __reserved, 0),
			MEMBER(FIRST, blink_tree_ioc_record_erase, first, 0),
			MEMBER(LAST, blink_tree_ioc_record_erase, last, 0),
			MEMBER(LENGTH, blink_tree_ioc_record_erase, first_length,
			       16),
			MEMBER(LENGTH, blink_tree_ioc_record_erase, last_length,
			       16),
			MEMBER(ZERO, blink_tree_ioc_record_erase, count, 0),
			OTHER(BOUND, 0),
			OTHER(BOUND, 0),
		},
	},
	[CALL_BPF_HANDLE] = {
		IOCTL("bpf-handle", BLINK_TREE_IOC_BPF_HANDLE,
		      blink_tree_ioc_bpf_handle, 3),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_bpf_handle, flags, 0),
			MEMBER(ZERO, blink_tree_ioc_bpf_handle, __reserved, 0),
			MEMBER(ZERO, blink_tree_ioc_bpf_handle, handle, 0),
		},
	},
	[CALL_WATCH] = {
		IOCTL("watch", BLINK_TREE_IOC_WATCH, blink_tree_ioc_watch, 6),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_watch, flags, 0),
			MEMBER(COUNT, blink_tree_ioc_watch, slots, 0),
			MEMBER(KEY, blink_tree_ioc_watch, first, 0),
			MEMBER(ZERO, blink_tree_ioc_watch, first_low, 0),
			MEMBER(KEY, blink_tree_ioc_watch, last, 0),
			MEMBER(ZERO, blink_tree_ioc_watch, last_low, 0),
		},
	},
	[CALL_RANGE] = {
		IOCTL("range", BLINK_TREE_IOC_RANGE, blink_tree_ioc_range, 9),
		.fields = {
			MEMBER(SMALL, blink_tree_ioc_range, op, 0),
			MEMBER(FLAGS, blink_tree_ioc_range, flags, 0),
			MEMBER(KEY, blink_tree_ioc_range, first, 0),
			MEMBER(ZERO, blink_tree_ioc_range, first_low, 0),
			MEMBER(KEY, blink_tree_ioc_range, last, 0),
			MEMBER(ZERO, blink_tree_ioc_range, last_low, 0),
			MEMBER(SMALL, blink_tree_ioc_range, size, 0),
			MEMBER(ZERO, blink_tree_ioc_range, size_low, 0),
			MEMBER(SMALL, blink_tree_ioc_range, value, 0),
		},
	},
	[CALL_HOT_LEAVES] = {
		IOCTL("hot-leaves", BLINK_TREE_IOC_HOT_LEAVES,
		      blink_tree_ioc_hot_leaves, 6),
		.fields = {
			MEMBER(FLAGS, blink_tree_ioc_hot_leaves, flags, 0),
			MEMBER(COUNT, blink_tree_ioc_hot_leaves, capacity, 0),
			MEMBER(LEAVES, blink_tree_ioc_hot_leaves, leaves, 0),
			MEMBER(BYTES, blink_tree_ioc_hot_leaves, leaf_size,
			       sizeof(struct blink_tree_hot_leaf)),
			MEMBER(ZERO, blink_tree_ioc_hot_leaves, count, 0),
			MEMBER(ZERO, blink_tree_ioc_hot_leaves, __reserved, 0),
		},
	},
	/* Direction, type and number; the size is the call's. */
	[CALL_RAW] = {
		.name = "raw",
		.nr = 3,
		.fields = { OTHER(SMALL, 3), OTHER(SMALL, BLINK_TREE_IOC_TYPE),
			    OTHER(SMALL, 16) },
	},
	[CALL_READ] = { .name = "read", .nr = 1, .fields = { OTHER(COUNT, 0) } },
	[CALL_WRITE] = { .name = "write", .nr = 1, .fields = { OTHER(COUNT, 0) } },
	[CALL_SEEK] = {
		.name = "seek",
		.nr = 2,
		.fields = { OTHER(KEY, 0), OTHER(SMALL, 4) },
	},
	[CALL_POLL] = { .name = "poll", .nr = 1, .fields = { OTHER(KEY, 0) } },
	[CALL_MMAP] = {
		.name = "mmap",
		.nr = 2,
		.fields = { OTHER(SMALL, 7), OTHER(KEY, 0) },
	},
	[CALL_FDINFO] = { .name = "fdinfo" },
	[CALL_DUP] = { .name = "dup" },
	[CALL_CLOSE] = { .name = "close" },
	[CALL_PASS] = { .name = "pass" },
	[CALL_ALARM] = { .name = "alarm", .nr = 1, .fields = { OTHER(SMALL, 999) } },
	[CALL_FAIL] = { .name = "fail", .nr = 1, .fields = { OTHER(SMALL, 40) } },
	[CALL_PROTECT] = {
		.name = "protect",
		.nr = 2,
		.fields = { OTHER(SMALL, 7), OTHER(SMALL, 3) },
	},
};
