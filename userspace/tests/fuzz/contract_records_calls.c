// SPDX-License-Identifier: GPL-2.0
/* The calls that the tests of records make (contract_records.h). */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_records.h"

const enum blink_tree_key kinds[KINDS] = {
	BLINK_TREE_KEY_U64,
	BLINK_TREE_KEY_U128,
	BLINK_TREE_KEY_MULTI,
	BLINK_TREE_KEY_BYTES,
};

char input[MANY * RECORD_BYTES];
char output[MANY * RECORD_BYTES];

int create_kind(const char *name, enum blink_tree_key kind)
{
	struct blink_tree_ioc_create arg = { .mode = 0600, .key = kind };

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

struct key key_of(enum blink_tree_key kind, __u64 number)
{
	return (struct key){
		.high = kind == BLINK_TREE_KEY_U128 ? number / 4 : 0,
		.low = number << 32 | 1,
	};
}

long execute(int tree, size_t size, size_t room,
	     struct blink_tree_ioc_records *arg)
{
	return call_records(tree, input, size, output, room, arg);
}

struct rec one(int tree, enum blink_tree_key kind, const struct rec *rec)
{
	struct blink_tree_ioc_records arg = {};
	size_t size = rec_put(input, kind, rec);
	struct rec result = {};

	tap_check(!execute(tree, size, RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == size);
	tap_check(rec_get(output, arg.output_used, kind, &result) ==
		  arg.output_used);
	tap_check(result.opcode == rec->opcode);
	return result;
}

size_t put_stores(enum blink_tree_key kind, unsigned int nr)
{
	struct rec rec = { .opcode = BLINK_TREE_OP_STORE, .has_value = true };
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		rec.key = key_of(kind, i);
		rec.value = i;
		size += rec_put(input + size, kind, &rec);
	}
	return size;
}

__u64 entries_of(int tree)
{
	struct blink_tree_ioc_stats stats = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	return stats.entries;
}
