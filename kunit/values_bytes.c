// SPDX-License-Identifier: GPL-2.0
/* The bytes of values in tests (values.h). */
#include <linux/compiler.h>
#include <linux/string.h>

#include "values.h"

/* A random length: mostly a short one, or one of those where something changes. */
u32 values_length(struct rnd_state *rnd)
{
	static const u32 edges[] = {
		0, 1, 7, 8, 9, 64, BLINK_VALUE_MAX - 1, BLINK_VALUE_MAX
	};

	if (!fixture_below(rnd, 3))
		return edges[fixture_below(rnd, ARRAY_SIZE(edges))];
	if (!fixture_below(rnd, 8))
		return fixture_below(rnd, BLINK_VALUE_MAX + 1);
	return fixture_below(rnd, 100);
}

/*
 * Make the bytes of a value. The first eight, if there are so many, are the seed;
 * all others depend on it, too.
 */
void values_fill(u8 *bytes, u64 key, u32 length, u64 seed)
{
	u64 word = fixture_value(key ^ (u64)length << 48);
	u32 i = 0;

	if (length >= sizeof(seed)) {
		memcpy(bytes, &seed, sizeof(seed));
		word ^= fixture_value(seed);
		i = sizeof(seed);
	}
	for (; i < length; i++)
		bytes[i] = (u8)((word >> 8 * (i % 8)) + i / 8);
}

/* Whether the value of a key has the bytes that values_fill() makes. */
bool values_whole(struct values *values, u64 handle, u64 key)
{
	const struct blink_value *value = blink_value(handle);
	u64 seed = 0;

	if (value->length > BLINK_VALUE_MAX)
		return false;
	if (value->length >= sizeof(seed))
		memcpy(&seed, value->data, sizeof(seed));
	values_fill(values->bytes, key, value->length, seed);
	return !memcmp(values->bytes, value->data, value->length);
}

/* blink_value_make() of the bytes of values_fill(). */
int values_make(struct values *values, u64 key, u32 length, u64 seed, gfp_t gfp,
		u64 *handle)
{
	values_fill(values->bytes, key, length, seed);
	/*
	 * data_race: a reader follows the handle that it loaded, but ThreadSanitizer
	 * knows no address dependencies. It checks a reader against the end of a value.
	 */
	return data_race(blink_value_make(values->tree, values->bytes, length,
					  gfp, handle));
}

/* The same, which must succeed. Returns the handle. */
u64 values_made(struct kunit *test, struct values *values, u64 key, u32 length,
		u64 seed)
{
	u64 handle;
	int ret = values_make(values, key, length, seed, GFP_KERNEL, &handle);

	if (ret)
		fixture_fail_at(test, key, "no value of %u bytes: %d", length,
				ret);
	return handle;
}
