// SPDX-License-Identifier: GPL-2.0
/* From the values of a call to bytes in memory. */
#include <string.h>

#include <linux/blink_tree.h>

#include "memory.h"
#include "random.h"

/* The size that the caller says an element of its array has, if it is one. */
static size_t element_size(const struct call *call, enum field_class class)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	unsigned int i;

	switch (class) {
	case FIELD_OPS:
	case FIELD_ENTRIES:
	case FIELD_LEVELS:
	case FIELD_LISTED:
		for (i = 0; spec->fields[i].class != FIELD_BYTES; i++)
			;
		return call->value[i] < 4096 ? call->value[i] : 4096;
	default:
		return 0;
	}
}

static bool is_array(enum field_class class)
{
	return class == FIELD_OPS || class == FIELD_ENTRIES ||
	       class == FIELD_LEVELS || class == FIELD_LISTED;
}

static __u64 array_address(const struct call *call, unsigned int i)
{
	enum field_class class = kind_specs[call->kind].fields[i].class;
	/* Count or capacity is the second field, in all of them. */
	__u64 count = call->value[1] < 4096 ? call->value[1] : 4096;
	__u64 value = call->value[i];

	return memory_address(call->lane, (value & 0xff) % PLACES,
			      count * element_size(call, class), true) +
	       (value >> 8);
}

static const char *name_of(__u64 number, const char *private)
{
	static const char *const names[] = {
		"",
		"fuzz.a",
		"fuzz.b",
		"a/b",
		"line\n",
		"\xff\xfe\x80",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde",
		/* One more: the terminating NUL does not fit. */
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	};
	size_t nr = sizeof(names) / sizeof(*names);

	number %= nr + 1;
	return number < nr ? names[number] : private;
}

static void put_field(const struct call *call, unsigned int i, char *image,
		      const char *private)
{
	const struct field *field = &kind_specs[call->kind].fields[i];
	__u64 value = call->value[i];
	const char *name;

	if (field->class == FIELD_NAME) {
		name = name_of(value, private);
		memcpy(image + field->offset, name,
		       strnlen(name, BLINK_TREE_NAME_MAX));
		return;
	}
	if (is_array(field->class))
		value = array_address(call, i);
	memcpy(image + field->offset, &value, field->bytes);
}

static void put_op(struct blink_tree_ioc_op *op, __u64 key, __u64 mix,
		   __u64 *random)
{
	memset(op, 0, sizeof(*op));
	op->key = key;
	op->value = key * 3;
	op->old = key * 3;
	op->opcode = mix;
	if (mix >= BLINK_TREE_OP_NR)
		op->opcode = random_below(random, BLINK_TREE_OP_NR);
	/* Also what is no operation. */
	if (mix > BLINK_TREE_OP_NR && one_in(random, 8))
		op->opcode = random_next(random);
	if (mix > BLINK_TREE_OP_NR && one_in(random, 16))
		op->flags = 1;
}

/* The array in memory, as far as there is memory: recipes are the last values. */
static void put_array(const struct call *call, unsigned int i)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	bool ops = spec->fields[i].class == FIELD_OPS;
	size_t size = element_size(call, spec->fields[i].class), nr;
	size_t known = ops ? sizeof(struct blink_tree_ioc_op) :
			     sizeof(struct blink_tree_entry);
	const __u64 *recipe = &call->value[spec->nr - 3];
	__u64 random = random_stream(recipe[0], recipe[2]);
	size_t bytes = MEMORY_WRITABLE;
	char *to = memory_alias(array_address(call, i), &bytes);

	if (!to || !size)
		return;
	nr = bytes / size;
	if (nr > call->value[1])
		nr = call->value[1];
	for (i = 0; i < nr; i++) {
		__u64 key = recipe[0] + i * recipe[1];
		struct blink_tree_entry entry = { .key = key,
						  .value = key * 3 };
		struct blink_tree_ioc_op op;

		put_op(&op, key, recipe[2], &random);
		memset(to + i * size, 0, size);
		memcpy(to + i * size, ops ? (void *)&op : (void *)&entry,
		       size < known ? size : known);
	}
}

__u64 call_prepare(const struct call *call, const char *private)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	char image[512] = {};
	size_t bytes = sizeof(image);
	unsigned int i;
	__u64 address;
	char *to;

	address = memory_address(call->lane, call->place, call->size, false);
	for (i = 0; i < spec->nr; i++) {
		const struct field *field = &spec->fields[i];

		if (field->bytes)
			put_field(call, i, image, private);
		if ((call->kind == CALL_BATCH || call->kind == CALL_LOAD) &&
		    is_array(field->class))
			put_array(call, i);
	}
	memset(image + spec->bytes, call->tail, sizeof(image) - spec->bytes);
	to = memory_alias(address, &bytes);
	if (to)
		memcpy(to, image, bytes);
	if (call->place == PLACE_FRESH)
		memory_forget(address, MEMORY_WRITABLE);
	return address;
}
