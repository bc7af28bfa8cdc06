// SPDX-License-Identifier: GPL-2.0
/* Storing to hot keys: numbers in a range without symbols, and names of no symbol. */
#include <errno.h>
#include <string.h>

#include "../../lib/blinktree_bytes.h"
#include "hot.h"

#define BASE 0x8000000000ULL

/* Behind all names of symbols. */
static const char *const names[HOT] = { "~hot a", "~hot b", "~hot c",
					"~hot d" };

void hot_store_numbers(struct blinktree *tree, struct hot_store *stores)
{
	struct blink_tree_ioc_op ops[HOT_BATCH];
	unsigned int i;

	for (i = 0; i < HOT_BATCH; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_STORE,
			.key = BASE + stores[i].key,
			.value = stores[i].value,
		};
	if (blinktree_batch(tree, ops, HOT_BATCH, NULL))
		fail("contend: batch");
	for (i = 0; i < HOT_BATCH; i++) {
		stores[i].result = ops[i].result;
		stores[i].old = ops[i].old;
	}
}

static void add(struct blinktree_stream *stream, const struct hot_store *store)
{
	const struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_STORE,
		.key = names[store->key],
		.key_length = strlen(names[store->key]),
		.value = &store->value,
		.value_length = sizeof(store->value),
	};

	if (blinktree_stream_add(stream, &record))
		fail("contend: no memory");
}

static void take_result(struct blinktree_stream *stream,
			struct hot_store *store)
{
	const struct blinktree_record *result;

	if (!blinktree_stream_next(stream, &result))
		fail("contend: a result is missing");
	store->result = result->result;
	store->old = 0;
	if (result->old_length == sizeof(store->old))
		memcpy(&store->old, result->old, sizeof(store->old));
}

void hot_store_names(struct blinktree *tree, struct hot_store *stores)
{
	struct blinktree_stream *stream;
	unsigned int i;

	if (blinktree_stream_open(&stream))
		fail("contend: no memory");
	for (i = 0; i < HOT_BATCH; i++)
		add(stream, &stores[i]);
	if (blinktree_stream_run(stream, tree, NULL))
		fail("contend: stream");
	for (i = 0; i < HOT_BATCH; i++)
		take_result(stream, &stores[i]);
	blinktree_stream_close(stream);
}

__u64 hot_erase(struct blinktree *tree, unsigned int key)
{
	__u64 value = 0;
	struct blinktree_buffer old = { &value, sizeof(value), 0 };
	int err = blinktree_erase(tree, BASE + key, &value);

	if (err == -EOPNOTSUPP)
		err = blinktree_bytes_erase(tree, names[key],
					    strlen(names[key]), &old);
	if (err)
		fail("contend: erase of hot key %u: error %d", key, -err);
	return value;
}
