// SPDX-License-Identifier: GPL-2.0
/* Sets of keys: from a file, or random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "lab/keys.h"

#define NUMBER_BYTES 16
#define STRING_BYTES 24

/* The same numbers in each process. */
static u64 random_state;

static u64 random_number(void)
{
	return lab_below(&random_state, U64_MAX);
}

static void *get(size_t size)
{
	void *memory = aligned_alloc(64, (size + 63) / 64 * 64);

	if (!memory) {
		fputs("blink_keys: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void shuffle(struct key *key, size_t nr)
{
	while (nr > 1) {
		size_t other = lab_below(&random_state, nr--);
		struct key last = key[nr];

		key[nr] = key[other];
		key[other] = last;
	}
}

static size_t padded(u32 length)
{
	return (length + NUMBER_BYTES - 1) / NUMBER_BYTES * NUMBER_BYTES;
}

static void add_probes(struct set *set, size_t nr)
{
	size_t i, bytes = 0, *which = get(nr * sizeof(*which));
	unsigned char *at;

	set->nr_probes = nr;
	set->probe = get(nr * sizeof(*set->probe));
	set->value = get(nr * sizeof(*set->value));
	for (i = 0; i < nr; i++) {
		which[i] = lab_below(&random_state, set->nr);
		bytes += padded(set->key[which[i]].length);
	}
	at = get(bytes);
	for (i = 0; i < nr; i++) {
		const struct key *key = &set->key[which[i]];

		memcpy(at, key->data, key->length);
		set->probe[i] = (struct key){ at, key->length };
		set->value[i] = which[i];
		at += padded(key->length);
	}
	free(which);
}

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	u32 least = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->data, y->data, least);

	return order ?: (x->length > y->length) - (x->length < y->length);
}

/* Keep one of equal keys, and find the longest. */
static void remove_equal(struct set *set)
{
	size_t i, kept = 0;

	qsort(set->key, set->nr, sizeof(*set->key), compare);
	for (i = 0; i < set->nr; i++)
		if (!kept || compare(&set->key[kept - 1], &set->key[i]))
			set->key[kept++] = set->key[i];
	set->nr = kept;
	for (i = 0; i < kept; i++)
		if (set->key[i].length > set->longest)
			set->longest = set->key[i].length;
}

static struct set *set_create(size_t room)
{
	struct set *set = get(sizeof(*set));

	*set = (struct set){
		.key = get(room * sizeof(*set->key)),
	};
	return set;
}

static char *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	*size = 0;
	while (file && !feof(file) && !ferror(file)) {
		if (*size == room) {
			room = room ? 2 * room : 1 << 20;
			text = realloc(text, room);
			if (!text)
				exit(1);
		}
		*size += fread(text + *size, 1, room - *size, file);
	}
	if (file)
		fclose(file);
	return text;
}

struct set *set_of_file(const char *path, size_t probes)
{
	size_t size, lines = 0, i;
	struct set *set;
	char *text = read_all(path, &size), *at, *end;

	if (!text)
		return NULL;
	for (i = 0; i < size; i++)
		lines += text[i] == '\n';
	set = set_create(lines + 1);
	for (at = text; at < text + size; at = end + 1) {
		end = memchr(at, '\n', text + size - at) ?: text + size;
		if (end > at && end - at <= KEY_MAX)
			set->key[set->nr++] = (struct key){
				(unsigned char *)at,
				end - at,
			};
	}
	if (!set->nr)
		return NULL;
	remove_equal(set);
	shuffle(set->key, set->nr);
	add_probes(set, probes);
	return set;
}

/* As the keys of a program that counts what its users do. */
static void put_string(unsigned char *at)
{
	char text[STRING_BYTES + 1];
	u64 random = random_number();

	snprintf(text, sizeof(text), "user:%08x:item:%05x",
		 (unsigned int)random & 0xffffffff,
		 (unsigned int)(random >> 32) & 0xfffff);
	memcpy(at, text, STRING_BYTES);
}

struct set *set_random(enum kind kind, size_t nr, size_t probes)
{
	const size_t bytes = kind == KIND_BYTES ? STRING_BYTES : NUMBER_BYTES;
	struct set *set = set_create(nr);
	unsigned char *at = get(nr * padded(bytes));
	u64 number[2] = {};

	for (; set->nr < nr; set->nr++, at += padded(bytes)) {
		number[0] = random_number();
		number[1] = kind == KIND_U128 ? random_number() : 0;
		if (kind == KIND_BYTES)
			put_string(at);
		else
			memcpy(at, number, sizeof(number));
		set->key[set->nr] = (struct key){ at, bytes };
	}
	remove_equal(set);
	shuffle(set->key, set->nr);
	add_probes(set, probes);
	return set;
}
