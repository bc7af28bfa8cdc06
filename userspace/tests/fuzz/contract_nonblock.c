// SPDX-License-Identifier: GPL-2.0
/* O_NONBLOCK: a call that would wait for memory fails, and has done nothing. */
#define TAP_ELSEWHERE
#include "../common/record.h"
#include "../common/tap.h"
#include "contract.h"

#include "chardev/registry.h"
#include "core/tree/limbo.h"

#define KEY 5

/* With so much in limbo no modification begins, and no leaf is allocated. */
#define TOO_MUCH (2 * BLINK_LIMBO_FULL)

static long operate(int tree, unsigned int opcode)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = KEY };
	long ret = call(tree, BLINK_TREE_IOC_OP, &op);

	tap_check(ret == op.result || op.result > 0);
	return ret;
}

static long batch(int tree, unsigned int opcode)
{
	struct blink_tree_ioc_op *ops = array(2 * sizeof(*ops));
	struct blink_tree_ioc_batch arg = {
		.count = 2,
		.ops = array_address(),
		.op_size = sizeof(*ops),
	};
	long ret;

	ops[0].key = KEY;
	ops[1].opcode = opcode;
	ops[1].key = KEY;
	ret = call(tree, BLINK_TREE_IOC_BATCH, &arg);
	tap_check(arg.done == (ret ? 0 : 2));
	return ret;
}

static long records(int tree, unsigned int opcode)
{
	char bytes[8], input[RECORD_HEADER + 8], output[200];
	const struct rec rec = { .opcode = opcode,
				 .key = number_put(bytes, BLINK_TREE_KEY_U64, 0,
						   KEY) };
	struct blink_tree_ioc_records arg = {};
	long ret = call_records(tree, input, rec_put(input, &rec), output,
				sizeof(output), &arg);

	tap_check(arg.done == !ret && !arg.input_used == !!ret);
	return ret;
}

static long erase_records(int tree)
{
	struct blink_tree_ioc_record_erase arg = {
		.first = array_address(),
		.last = array_address() + sizeof(__u64),
	};
	__u64 *bounds = array(2 * sizeof(*bounds));
	long ret;

	bounds[1] = ~0ULL;
	ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg);
	tap_check(!arg.count == !!ret);
	return ret;
}

static void all_refused(int tree)
{
	tap_check(operate(tree, BLINK_TREE_OP_ERASE) == -EAGAIN);
	tap_check(batch(tree, BLINK_TREE_OP_ERASE) == -EAGAIN);
	tap_check(records(tree, BLINK_TREE_OP_ERASE) == -EAGAIN);
	tap_check(erase_records(tree) == -EAGAIN);
	/* Readers do not wait. */
	tap_check(!operate(tree, BLINK_TREE_OP_LOOKUP));
	tap_check(!batch(tree, BLINK_TREE_OP_LOOKUP));
	tap_check(!records(tree, BLINK_TREE_OP_LOOKUP));
}

/* A load asks for no more than room for its leaves. */
static void load_refused(int tree)
{
	struct blink_tree_entry *entries = array(300 * sizeof(*entries));
	struct blink_tree_ioc_load arg = {
		.count = 300,
		.entries = array_address(),
		.fill = 100,
		.entry_size = sizeof(*entries),
	};
	unsigned int i;

	for (i = 0; i < 300; i++)
		entries[i].key = 1000 + i;
	tap_check(call(tree, BLINK_TREE_IOC_LOAD, &arg) == -EAGAIN);
	tap_check(arg.done < 300);
}

void nothing_waits(void)
{
	int tree = create("n", 0600);
	struct file *file = fuzz_file(tree);
	const struct blink_object *object = file->private_data;

	tap_check(!operate(tree, BLINK_TREE_OP_INSERT));
	file->f_flags |= O_NONBLOCK;
	blink_limbo_add(object->tree, TOO_MUCH);
	all_refused(tree);
	load_refused(tree);
	blink_limbo_add(object->tree, -TOO_MUCH);
	tap_check(!batch(tree, BLINK_TREE_OP_LOOKUP));
	tap_check(!erase_records(tree));
	tap_check(operate(tree, BLINK_TREE_OP_ERASE) == -ENOENT);
	fuzz_close(tree);
	unlink_tree("n");
	tap_case("without patience nothing waits for memory");
}
