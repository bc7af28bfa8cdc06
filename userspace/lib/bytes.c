// SPDX-License-Identifier: GPL-2.0
/* Single operations on keys of any kind: each is a stream of one record. */
#include <limits.h>

#include "record.h"

/* The result of an operation, in which @bytes has the key and the values. */
struct reply {
	struct blinktree_record result;
	__u64 bytes[RECORD_MAX / sizeof(__u64)];
};

static int execute(struct blinktree *tree,
		   const struct blinktree_record *record, struct reply *reply)
{
	__u64 input[RECORD_MAX / sizeof(__u64)];
	struct blink_tree_ioc_records arg;
	size_t size = blinktree_record_size(record);
	int err;

	if (!size)
		return -EINVAL;
	blinktree_record_write(input, record);
	do {
		arg = (struct blink_tree_ioc_records){
			.input = (uintptr_t)input,
			.input_size = size,
			.output = (uintptr_t)reply->bytes,
			.output_size = sizeof(reply->bytes),
		};
		err = blinktree_call(tree->fd, BLINK_TREE_IOC_RECORDS, &arg);
	} while (!err && !arg.done);
	if (err)
		return err;
	blinktree_record_read(reply->bytes, &reply->result);
	return reply->result.result;
}

static void give(struct blinktree_buffer *to, const void *from, size_t length)
{
	if (!to)
		return;
	to->length = length;
	if (length > to->room)
		length = to->room;
	if (length)
		memcpy(to->data, from, length);
}

static void give_old(struct blinktree_buffer *to, const struct reply *reply)
{
	give(to, reply->result.old, reply->result.old_length);
}

/* Execute an operation that returns another value if its result is @told. */
static int execute_telling(struct blinktree *tree,
			   const struct blinktree_record *record, int told,
			   struct blinktree_buffer *value)
{
	struct reply reply;
	int ret = execute(tree, record, &reply);

	if (ret == told)
		give_old(value, &reply);
	return ret;
}

/* Execute an operation on a key and a value. */
static int update(struct blinktree *tree, unsigned int opcode, const void *key,
		  size_t key_length, const void *value, size_t value_length,
		  int told, struct blinktree_buffer *old)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = key,
		.key_length = key_length,
		.value = value,
		.value_length = value_length,
	};

	return execute_telling(tree, &record, told, old);
}

int blinktree_bytes_insert(struct blinktree *tree, const void *key,
			   size_t key_length, const void *value,
			   size_t value_length,
			   struct blinktree_buffer *present)
{
	return update(tree, BLINK_TREE_OP_INSERT, key, key_length, value,
		      value_length, -EEXIST, present);
}

int blinktree_bytes_get_or_insert(struct blinktree *tree, const void *key,
				  size_t key_length, const void *value,
				  size_t value_length,
				  struct blinktree_buffer *present)
{
	return update(tree, BLINK_TREE_OP_GET_OR_INSERT, key, key_length, value,
		      value_length, 1, present);
}

int blinktree_bytes_store(struct blinktree *tree, const void *key,
			  size_t key_length, const void *value,
			  size_t value_length, struct blinktree_buffer *old)
{
	return update(tree, BLINK_TREE_OP_STORE, key, key_length, value,
		      value_length, 1, old);
}

int blinktree_bytes_add(struct blinktree *tree, const void *key,
			size_t key_length, __u64 number,
			struct blinktree_buffer *old)
{
	return update(tree, BLINK_TREE_OP_ADD, key, key_length, &number,
		      sizeof(number), 1, old);
}

int blinktree_bytes_add_saturate(struct blinktree *tree, const void *key,
				 size_t key_length, __s64 number,
				 struct blinktree_buffer *old)
{
	return update(tree, BLINK_TREE_OP_ADD_SATURATE, key, key_length,
		      &number, sizeof(number), 1, old);
}

int blinktree_bytes_replace(struct blinktree *tree, const void *key,
			    size_t key_length, const void *value,
			    size_t value_length, struct blinktree_buffer *old)
{
	return update(tree, BLINK_TREE_OP_REPLACE, key, key_length, value,
		      value_length, 0, old);
}

int blinktree_erase_rest(struct blinktree *tree, const void *key,
			 size_t key_length, __u64 *sum)
{
	const struct blinktree_range values = {
		.first = key,
		.first_length = key_length,
		.last = key,
		.last_length = key_length,
	};

	return blinktree_bytes_erase_range(tree, &values, sum);
}

int blinktree_bytes_erase(struct blinktree *tree, const void *key,
			  size_t key_length, struct blinktree_buffer *old)
{
	const struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_ERASE,
		.key = key,
		.key_length = key_length,
	};
	struct reply reply;
	int ret = execute(tree, &record, &reply);
	__u64 sum;

	if (!ret)
		give_old(old, &reply);
	if (ret <= 0 || !(reply.result.flags & BLINK_TREE_RECORD_MORE))
		return ret;
	/* An error leaves a part of them, and the number tells of the others. */
	blinktree_erase_rest(tree, key, key_length, &sum);
	sum += ret;
	return sum < INT_MAX ? sum : INT_MAX;
}

static int compare(struct blinktree *tree, unsigned int opcode, const void *key,
		   size_t key_length, const void *expected,
		   size_t expected_length, const void *value,
		   size_t value_length, struct blinktree_buffer *present)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = key,
		.key_length = key_length,
		.value = value,
		.value_length = value_length,
		.old = expected,
		.old_length = expected_length,
	};

	return execute_telling(tree, &record, -ESTALE, present);
}

int blinktree_bytes_cmpxchg(struct blinktree *tree, const void *key,
			    size_t key_length, const void *expected,
			    size_t expected_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *present)
{
	return compare(tree, BLINK_TREE_OP_CMPXCHG, key, key_length, expected,
		       expected_length, value, value_length, present);
}

int blinktree_bytes_cmperase(struct blinktree *tree, const void *key,
			     size_t key_length, const void *expected,
			     size_t expected_length,
			     struct blinktree_buffer *present)
{
	return compare(tree, BLINK_TREE_OP_CMPERASE, key, key_length, expected,
		       expected_length, NULL, 0, present);
}

/* Execute an operation that finds a key. A pop returns the value as the former one. */
static int find(struct blinktree *tree, unsigned int opcode, const void *key,
		size_t key_length, const void *value, size_t value_length,
		struct blinktree_buffer *found_key,
		struct blinktree_buffer *found_value)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = key,
		.key_length = key_length,
		.value = value,
		.value_length = value_length,
	};
	struct reply reply;
	int ret = execute(tree, &record, &reply);

	if (ret)
		return ret;
	give(found_key, reply.result.key, reply.result.key_length);
	if (reply.result.old_length)
		give_old(found_value, &reply);
	else
		give(found_value, reply.result.value,
		     reply.result.value_length);
	return 0;
}

int blinktree_bytes_get(struct blinktree *tree, const void *key,
			size_t key_length, struct blinktree_buffer *value)
{
	return find(tree, BLINK_TREE_OP_LOOKUP, key, key_length, NULL, 0, NULL,
		    value);
}

int blinktree_bytes_floor(struct blinktree *tree, const void *key,
			  size_t key_length, const void *value,
			  size_t value_length,
			  struct blinktree_buffer *found_key,
			  struct blinktree_buffer *found_value)
{
	return find(tree, BLINK_TREE_OP_FLOOR, key, key_length, value,
		    value_length, found_key, found_value);
}

int blinktree_bytes_ceiling(struct blinktree *tree, const void *key,
			    size_t key_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value)
{
	return find(tree, BLINK_TREE_OP_CEILING, key, key_length, value,
		    value_length, found_key, found_value);
}

int blinktree_bytes_pop_min(struct blinktree *tree, const void *first,
			    size_t first_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value)
{
	return find(tree, BLINK_TREE_OP_POP_MIN, first, first_length, value,
		    value_length, found_key, found_value);
}

int blinktree_bytes_pop_max(struct blinktree *tree, const void *last,
			    size_t last_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value)
{
	return find(tree, BLINK_TREE_OP_POP_MAX, last, last_length, value,
		    value_length, found_key, found_value);
}
