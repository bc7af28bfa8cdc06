/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ioctls of a writer (writer.h) where keys are strings: each is a stream of records,
 * and each key is the string of its number.
 */
#ifndef BLINK_WRITER_BYTES_H
#define BLINK_WRITER_BYTES_H

#include "../../../kunit/keys_text.h"
#include "../common/record.h"

/* Operations of a stream, and the most memory that one and its result need. */
#define BYTES_OPS 701
#define BYTES_ROOM 64

/**
 * struct bytes_deed - a stream, in memory that outlives its process
 * @nr: its operations; 0 if the keys of the tree are numbers
 * @arg: the argument of BLINK_TREE_IOC_RECORDS
 * @input: the operations
 * @output: their results
 */
struct bytes_deed {
	unsigned int nr;
	struct blink_tree_ioc_records arg;
	__u64 input[BYTES_OPS * BYTES_ROOM / sizeof(__u64)];
	__u64 output[BYTES_OPS * BYTES_ROOM / sizeof(__u64)];
};

static inline size_t op_put(void *to, const struct blink_tree_ioc_op *op)
{
	__u8 text[KEYS_TEXT_MAX];
	const struct rec rec = {
		.opcode = op->opcode,
		.key = { keys_text_put(text, op->key), text },
		.value = op->opcode == BLINK_TREE_OP_ERASE ? NO_STRING :
							     WORD(op->value),
	};

	return rec_put(to, &rec);
}

/* The stream of @nr operations; of a load, so much is to be filled. */
static inline void bytes_deed_plan(struct bytes_deed *deed,
				   const struct blink_tree_ioc_op *ops,
				   unsigned int nr, unsigned int flags,
				   unsigned int fill)
{
	const bool load = flags & BLINK_TREE_RECORDS_LOAD;
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		size += op_put((char *)deed->input + size, &ops[i]);
	deed->arg = (struct blink_tree_ioc_records){
		.flags = flags,
		.input = ptr_to_u64(deed->input),
		.input_size = size,
		.output = load ? 0 : ptr_to_u64(deed->output),
		.output_size = load ? 0 : sizeof(deed->output),
		.fill = load ? fill : 0,
	};
	deed->nr = nr;
}

/*
 * Let the operations that were done have their results; those of a load have none. One
 * whose result is missing counts as a success: a scan then shows that it was none.
 */
static inline void bytes_deed_answers(const struct bytes_deed *deed,
				      struct blink_tree_ioc_op *ops)
{
	const char *output = (const char *)deed->output;
	unsigned int i, done = deed->nr ? deed->arg.done : 0;
	size_t at = 0, length;
	struct rec r;

	if (deed->arg.flags & BLINK_TREE_RECORDS_LOAD)
		return;
	for (i = 0; i < done; i++, at += length) {
		length = rec_get(output + at, deed->arg.output_used - at, &r);
		ops[i].result = length ? r.result : 0;
		if (length && r.old.length == sizeof(ops[i].old))
			memcpy(&ops[i].old, r.old.data, sizeof(ops[i].old));
	}
}

/* The room for a part of a scan, in entries at most. */
#define BYTES_SCAN_ROOM 20000
#define BYTES_SCANNED (BYTES_SCAN_ROOM / sizeof(struct blink_tree_record))

/**
 * struct bytes_scanner - a scan of all keys
 * @done: nothing is left
 * @first_length: bytes of @first
 * @flags: those of the next call
 * @first: where it begins
 * @last: the kernel writes the last bound there
 */
struct bytes_scanner {
	bool done;
	__u32 first_length;
	__u32 flags;
	char first[RECORD_KEY_MAX];
	char last[RECORD_KEY_MAX];
};

static inline int bytes_scanned(const char *output, size_t size,
				struct blink_tree_entry *entries)
{
	size_t at = 0, length;
	struct rec r;
	int nr;

	for (nr = 0; at < size; nr++, at += length) {
		length = rec_get(output + at, size - at, &r);
		if (!length || r.value.length != sizeof(entries[nr].value))
			return -EBADMSG;
		entries[nr].key = keys_text_get(r.key.data, r.key.length);
		memcpy(&entries[nr].value, r.value.data, r.value.length);
	}
	return nr;
}

/* Scan on. Returns the number of entries, or an error. */
static inline int bytes_scanner_next(struct bytes_scanner *scanner, int tree,
				     struct blink_tree_entry *entries)
{
	static __u64 output[BYTES_SCAN_ROOM / sizeof(__u64)];
	struct blink_tree_ioc_record_scan arg = {
		.flags = scanner->flags,
		.first = ptr_to_u64(scanner->first),
		.first_length = scanner->first_length,
		.last = ptr_to_u64(scanner->last),
		.output = ptr_to_u64(output),
		.output_size = sizeof(output),
	};
	int ret = call(tree, BLINK_TREE_IOC_RECORD_SCAN, &arg);

	if (ret)
		return ret;
	scanner->flags = arg.flags;
	scanner->first_length = arg.first_length;
	scanner->done = arg.flags & BLINK_TREE_RECORD_SCAN_DONE;
	return bytes_scanned((char *)output, arg.output_used, entries);
}

#endif /* BLINK_WRITER_BYTES_H */
