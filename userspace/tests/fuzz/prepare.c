// SPDX-License-Identifier: GPL-2.0
/* From the values of a call to bytes in memory. */
#include <endian.h>
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
	case FIELD_LEAVES:
	case FIELD_LISTED:
		for (i = 0; spec->fields[i].class != FIELD_BYTES; i++)
			;
		return call->value[i] < 4096 ? call->value[i] : 4096;
	default:
		return 0;
	}
}

static __u64 value_of(const struct call *call, enum field_class class)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	unsigned int i;

	for (i = 0; spec->fields[i].class != class; i++)
		;
	return call->value[i];
}

#define HEADER sizeof(struct blink_tree_record)
/* One that is too long has a few bytes more. */
#define KEY_MAX (BLINK_TREE_RECORD_KEY_MAX + 8)
#define VALUE_MAX (BLINK_TREE_RECORD_VALUE_MAX + 8)
#define RECORD_BYTES (HEADER + KEY_MAX + 2 * VALUE_MAX)
#define STREAM_RECORDS 100
/* Room for so many records with numbers, or for a few with long keys or values. */
#define STREAM_BYTES (STREAM_RECORDS * (HEADER + 32))
#define BOUND_BYTES BLINK_TREE_RECORD_KEY_MAX

#define BIT_OF(opcode) (1u << BLINK_TREE_OP_##opcode)
#define WITH_VALUE                                                            \
	(BIT_OF(INSERT) | BIT_OF(STORE) | BIT_OF(REPLACE) | BIT_OF(CMPXCHG) | \
	 BIT_OF(GET_OR_INSERT) | BIT_OF(ADD) | BIT_OF(ADD_SATURATE))
#define WITH_OLD (BIT_OF(CMPXCHG) | BIT_OF(CMPERASE))

static unsigned int records_of(const struct call *call)
{
	__u64 nr = (__u32)value_of(call, FIELD_INPUT_SIZE);

	return nr < STREAM_RECORDS ? nr : STREAM_RECORDS;
}

/* The number behind @before equal bytes. */
static size_t put_behind(char *to, size_t before, __u64 key)
{
	const __u64 word = htobe64(key);

	memset(to, 'x', before);
	memcpy(to + before, &word, sizeof(word));
	return before + sizeof(word);
}

static size_t put_equal(char *to, int byte, size_t length)
{
	memset(to, byte, length);
	return length;
}

/* Returns the length of a key; all of @to is written. */
static size_t put_key(char to[KEY_MAX], enum key_form form, __u64 key)
{
	const __u64 words[] = { htobe64(key), htobe64(key) };
	const size_t length = key % (BLINK_TREE_RECORD_KEY_MAX + 1);

	memset(to, 0, KEY_MAX);
	memcpy(to, words, sizeof(words));
	switch (form) {
	case FORM_WIDE:
		return sizeof(words);
	case FORM_SHORT:
		memcpy(to, (char *)words + (key < 256 ? 7 : 6), 2);
		return key < 256 ? 1 : 2;
	case FORM_LONG:
		return put_behind(to, BLINK_TREE_RECORD_KEY_MAX - 8, key);
	case FORM_HALF:
		return put_behind(to, BLINK_TREE_RECORD_KEY_MAX / 2, key);
	case FORM_ZEROS:
		return put_equal(to, 0, length);
	case FORM_LETTERS:
		return put_equal(to, 'x', length);
	case FORM_ONES:
		return put_equal(to, 0xff, length);
	case FORM_TOO_LONG:
		return put_equal(to, 'x', KEY_MAX - key % 16);
	default:
		return sizeof(words[0]);
	}
}

/* Returns the length of a value; all of @to is written. */
static size_t put_value(char to[VALUE_MAX], enum value_form form, __u64 value)
{
	memset(to, value, VALUE_MAX);
	memcpy(to, &value, sizeof(value));
	switch (form) {
	case VALUE_EMPTY:
		return 0;
	case VALUE_SHORT:
		return value % 20;
	case VALUE_ANY:
		return value % (BLINK_TREE_RECORD_VALUE_MAX + 1);
	case VALUE_LONGEST:
		return BLINK_TREE_RECORD_VALUE_MAX;
	case VALUE_TOO_LONG:
		return VALUE_MAX - value % 16;
	default:
		return sizeof(value);
	}
}

/* Returns the place behind the field and its padding. */
static char *put_padded(char *at, const char *from, size_t length)
{
	const size_t room = (length + 7) / 8 * 8;

	memset(at, 0, room);
	memcpy(at, from, length);
	return at + room;
}

/* Returns the length of the record, of which @forms has those of keys and values. */
static size_t put_record(char to[RECORD_BYTES], unsigned int opcode, __u64 key,
			 __u64 value, __u64 forms)
{
	char bytes[KEY_MAX], value_bytes[VALUE_MAX];
	__u32 bit = opcode < BLINK_TREE_OP_NR ? 1u << opcode : 0;
	size_t value_length = put_value(
		value_bytes, forms >> LIE_VALUE_SHIFT & LIE_FORM, value);
	struct blink_tree_record header = {
		.opcode = opcode,
		.key_length = put_key(bytes, forms & LIE_FORM, key),
		.value_length = bit & WITH_VALUE ? value_length : 0,
		.old_length = bit & WITH_OLD ? value_length : 0,
	};
	char *at = to + HEADER;

	at = put_padded(at, bytes, header.key_length);
	at = put_padded(at, value_bytes, header.value_length);
	at = put_padded(at, value_bytes, header.old_length);
	header.length = at - to;
	memcpy(to, &header, HEADER);
	return header.length;
}

static unsigned int opcode_of(__u64 mix, __u64 *random)
{
	if (mix > BLINK_TREE_OP_NR && one_in(random, 8))
		return random_next(random) & 0xffff;
	if (mix >= BLINK_TREE_OP_NR)
		return random_below(random, BLINK_TREE_OP_NR);
	return mix;
}

/* Returns the bytes of the stream. */
static size_t put_stream(const struct call *call, char to[STREAM_BYTES])
{
	const __u64 base = value_of(call, FIELD_BASE);
	const __u64 step = value_of(call, FIELD_STEP);
	const __u64 mix = value_of(call, FIELD_MIX);
	const __u64 lie = value_of(call, FIELD_LIE);
	__u64 random = random_stream(base, mix);
	unsigned int i, nr = records_of(call);
	size_t size = 0, length, offset = lie >> LIE_OFFSET_SHIFT & 0xff;
	char record[RECORD_BYTES];

	for (i = 0; i < nr; i++) {
		__u64 key = base + i * step;

		/* Equal keys have several values. */
		length = put_record(record, opcode_of(mix, &random), key,
				    key * 3 + (step ? 0 : i), lie);
		if (size + length > STREAM_BYTES)
			break;
		memcpy(to + size, record, length);
		if (i == (lie >> LIE_RECORD_SHIFT & 0xff))
			to[size + offset % length] ^= lie >> LIE_BITS_SHIFT;
		size += length;
	}
	return size;
}

/* The bytes that the caller says its stream has. */
static __u64 stream_bytes(const struct call *call)
{
	__u64 more = value_of(call, FIELD_INPUT_SIZE) >> STREAM_MORE_SHIFT;
	char stream[STREAM_BYTES];

	/* The sign is that of 32 bits. */
	return put_stream(call, stream) + (__s32)more;
}

static bool is_array(enum field_class class)
{
	return class == FIELD_OPS || class == FIELD_ENTRIES ||
	       class == FIELD_LEVELS || class == FIELD_LEAVES ||
	       class == FIELD_LISTED || class == FIELD_INPUT ||
	       class == FIELD_OUTPUT || class == FIELD_FIRST ||
	       class == FIELD_LAST;
}

/* The bytes at an address, so that they can end at the end of memory. */
static size_t array_bytes(const struct call *call, enum field_class class)
{
	/* Count or capacity is the second field, in all of them. */
	__u64 count = call->value[1] < 4096 ? call->value[1] : 4096;

	switch (class) {
	case FIELD_INPUT:
		return stream_bytes(call);
	case FIELD_OUTPUT:
		return value_of(call, FIELD_OUTPUT_SIZE);
	case FIELD_FIRST:
	case FIELD_LAST:
		return BOUND_BYTES;
	default:
		return count * element_size(call, class);
	}
}

/* Arrays of one call are apart from each other. */
static size_t array_offset(enum field_class class)
{
	switch (class) {
	case FIELD_OUTPUT:
		return STREAM_BYTES;
	case FIELD_LAST:
		return BOUND_BYTES;
	default:
		return 0;
	}
}

static __u64 array_address(const struct call *call, unsigned int i)
{
	enum field_class class = kind_specs[call->kind].fields[i].class;
	enum place place = (call->value[i] & 0xff) % PLACES;
	__u64 address = memory_address(call->lane, place,
				       array_bytes(call, class), true);

	if (place == PLACE_START || place == PLACE_OTHER)
		address += array_offset(class);
	return address + (call->value[i] >> 8);
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
		      const struct names *names)
{
	const struct field *field = &kind_specs[call->kind].fields[i];
	__u64 value = call->value[i];
	const char *name;

	if (field->class == FIELD_NAME) {
		name = name_of(value, names->private);
		memcpy(image + field->offset, name,
		       strnlen(name, BLINK_TREE_NAME_MAX));
		return;
	}
	if (is_array(field->class))
		value = array_address(call, i);
	if (field->class == FIELD_INPUT_SIZE)
		value = stream_bytes(call);
	if ((call->kind == CALL_OPEN || call->kind == CALL_UNLINK) &&
	    value == names->spared)
		value = 0;
	memcpy(image + field->offset, &value, field->bytes);
}

static void put_op(struct blink_tree_ioc_op *op, __u64 key, __u64 mix,
		   __u64 *random)
{
	memset(op, 0, sizeof(*op));
	op->key = key;
	op->value = key * 3;
	op->old = key * 3;
	op->opcode = opcode_of(mix, random);
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

static void put_bytes(const struct call *call, unsigned int i, const void *from,
		      size_t bytes)
{
	void *to = memory_alias(array_address(call, i), &bytes);

	if (to)
		memcpy(to, from, bytes);
}

/* The bytes of a bound, of which the length of the call says how many count. */
static void put_bound(const struct call *call, unsigned int i, __u64 value)
{
	char key[KEY_MAX];

	put_key(key, value >> BOUND_FORM_SHIFT,
		value & ((1ULL << BOUND_FORM_SHIFT) - 1));
	put_bytes(call, i, key, BOUND_BYTES);
}

/* The stream or the bound that a field of a call with records has the address of. */
static void put_part(const struct call *call, unsigned int i)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	char stream[STREAM_BYTES];

	switch (spec->fields[i].class) {
	case FIELD_INPUT:
		put_bytes(call, i, stream, put_stream(call, stream));
		break;
	case FIELD_FIRST:
		put_bound(call, i, call->value[spec->nr - 2]);
		break;
	case FIELD_LAST:
		put_bound(call, i, call->value[spec->nr - 1]);
		break;
	default:
		break;
	}
}

__u64 call_prepare(const struct call *call, const struct names *names)
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
			put_field(call, i, image, names);
		if ((call->kind == CALL_BATCH || call->kind == CALL_LOAD) &&
		    is_array(field->class))
			put_array(call, i);
		put_part(call, i);
	}
	memset(image + spec->bytes, call->tail, sizeof(image) - spec->bytes);
	to = memory_alias(address, &bytes);
	if (to)
		memcpy(to, image, bytes);
	if (call->place == PLACE_FRESH)
		memory_forget(address, MEMORY_WRITABLE);
	return address;
}
