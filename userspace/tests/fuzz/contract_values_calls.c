// SPDX-License-Identifier: GPL-2.0
/* The calls that the tests of values of bytes make (contract_values.h). */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_values.h"
#include "memory.h"

char values_input[VALUES_STREAM];
char values_output[VALUES_STREAM];
size_t values_size;
enum blink_tree_key values_kind;

static int create_values(__u64 max_entries, __u64 max_bytes)
{
	struct blink_tree_ioc_create arg = {
		.flags = BLINK_TREE_CREATE_BYTE_VALUES,
		.key = values_kind,
		.max_entries = max_entries,
		.max_bytes = max_bytes,
	};

	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

void with_each_kind(void (*check)(int tree), __u64 max_entries, __u64 max_bytes)
{
	static const enum blink_tree_key kinds[] = {
		BLINK_TREE_KEY_U64,
		BLINK_TREE_KEY_U128,
		BLINK_TREE_KEY_BYTES,
	};
	unsigned int i;
	long before;
	int tree;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		before = live_objects();
		values_kind = kinds[i];
		tree = create_values(max_entries, max_bytes);
		tap_check(tree > 0);
		check(tree);
		fuzz_close(tree);
		tap_check(live_objects() == before);
	}
}

struct string values_key(unsigned int number)
{
	static unsigned char bytes[BYTES_KEY_MAX];

	if (values_kind != BLINK_TREE_KEY_BYTES)
		return (struct string){ key_put(bytes, values_kind,
						(struct key){ number, number }),
					bytes };
	memset(bytes, 0xff, sizeof(bytes));
	bytes[0] = number;
	return (struct string){ 1 + number * 61 % BYTES_KEY_MAX, bytes };
}

struct string values_like(unsigned int number, size_t length)
{
	static unsigned char buffers[2][VALUES_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % 2];

	memset(bytes, 'a' + number % 26, length);
	return (struct string){ length, bytes };
}

void values_add(const struct values_rec *rec)
{
	values_size += values_put(values_input + values_size, rec);
}

__u64 values_output_address(void)
{
	return memory_address(0, PLACE_OTHER, 0, true);
}

long values_execute(int tree, size_t room, struct blink_tree_ioc_records *arg)
{
	const bool load = arg->flags & BLINK_TREE_RECORDS_LOAD;
	size_t bytes = VALUES_STREAM;
	char *to = memory_alias(values_output_address(), &bytes);
	long ret;

	memcpy(array(values_size), values_input, values_size);
	memset(to, 0xee, VALUES_STREAM);
	arg->input = array_address();
	arg->input_size = values_size;
	arg->output = load ? 0 : values_output_address();
	arg->output_size = load ? 0 : room;
	ret = call(tree, BLINK_TREE_IOC_RECORDS, arg);
	memcpy(values_output, to, VALUES_STREAM);
	return ret;
}

struct values_rec values_one(int tree, const struct values_rec *rec)
{
	struct blink_tree_ioc_records arg = {};
	struct values_rec result = {};

	values_size = 0;
	values_add(rec);
	tap_check(!values_execute(tree, VALUES_RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == values_size);
	tap_check(values_get(values_output, arg.output_used, &result) ==
		  arg.output_used);
	tap_check(result.opcode == rec->opcode && !result.flags);
	return result;
}

__u64 values_entries(int tree)
{
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(!verify.violation && verify.entries == stats.entries);
	return stats.entries;
}
