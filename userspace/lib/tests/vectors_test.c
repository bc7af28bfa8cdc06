// SPDX-License-Identifier: GPL-2.0
/* The library writes and reads the records of vectors.inc. */
#include <stdlib.h>
#include <string.h>

#include "blinktree_bytes.h"
#include "../../tests/common/tap.h"
#include "../record.h"

struct vector {
	const char *name;
	const char *key;
	const char *value;
	const char *old;
	int result;
	int flags;
	const char *record;
	int opcode;
};

#define VECTOR(name, key, value, old, result, flags, record) \
	{ #name, key, value, old, result, flags, record, BLINK_TREE_OP_##name },

static const struct vector vectors[] = {
#include "vectors.inc"
	{}
};

/* The bytes of hexadecimal digits; returns how many they are. */
static size_t bytes_of(const char *digits, unsigned char *bytes)
{
	size_t length = strlen(digits) / 2, i;

	for (i = 0; i < length; i++) {
		const char digit[] = { digits[2 * i], digits[2 * i + 1], 0 };

		bytes[i] = strtoul(digit, NULL, 16);
	}
	return length;
}

static bool same(const void *data, size_t length, const char *digits)
{
	unsigned char bytes[256];

	return length == bytes_of(digits, bytes) &&
	       !memcmp(data, bytes, length);
}

static void read_and_write(const struct vector *vector)
{
	unsigned char bytes[256], written[256];
	size_t length = bytes_of(vector->record, bytes);
	struct blinktree_record record;

	tap_check(blinktree_record_read(bytes, &record) == length);
	tap_check(record.opcode == vector->opcode);
	tap_check(record.result == vector->result);
	tap_check(record.flags == vector->flags);
	tap_check(same(record.key, record.key_length, vector->key));
	tap_check(same(record.value, record.value_length, vector->value));
	tap_check(same(record.old, record.old_length, vector->old));
	/* An operation, not a result. */
	if (!vector->result && !vector->flags) {
		tap_check(blinktree_record_size(&record) == length);
		memset(written, 0xff, sizeof(written));
		blinktree_record_write(written, &record);
		tap_check(!memcmp(written, bytes, length));
	}
}

int main(void)
{
	const struct vector *vector = vectors;

	tap_begin(1);
	for (; vector->name; vector++)
		read_and_write(vector);
	tap_case("records are those of all languages");
	return tap_exit(1);
}
