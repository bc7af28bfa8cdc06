// SPDX-License-Identifier: GPL-2.0
/*
 * JudySL, a trie of radix trees whose nodes adapt, under a lock. Its keys end with a NUL, so
 * it has no others.
 */
#define JUDYERROR_NOTEST 1
#include <Judy.h>
#include <string.h>

#include "indexes/rwlock.h"
#include "keys.h"

#define TEXT_MAX (KEY_MAX + 1)

static struct {
	struct rwlock lock __aligned(64);
	void *array __aligned(64);
} judy;

static const u8 *text_of(const struct key *key, u8 text[TEXT_MAX])
{
	memcpy(text, key->data, key->length);
	text[key->length] = 0;
	return text;
}

static void *create(void)
{
	judy.array = NULL;
	return &judy;
}

static bool insert(void *index, const struct key *key, u64 value)
{
	u8 text[TEXT_MAX];
	unsigned long *place;

	text_of(key, text);
	rwlock_write_lock(&judy.lock);
	JSLI(place, judy.array, text);
	if (place && place != PJERR)
		*place = value;
	rwlock_write_unlock(&judy.lock);
	return place && place != PJERR;
}

static bool lookup(void *index, const struct key *key, u64 *value)
{
	u8 text[TEXT_MAX];
	unsigned long *place;

	text_of(key, text);
	rwlock_read_lock(&judy.lock);
	JSLG(place, judy.array, text);
	if (place)
		*value = *place;
	rwlock_read_unlock(&judy.lock);
	return place;
}

static unsigned int scan(void *index, const struct key *key, unsigned int nr,
			 u64 *sum)
{
	u8 text[TEXT_MAX];
	unsigned int got = 0;
	unsigned long *place;

	text_of(key, text);
	rwlock_read_lock(&judy.lock);
	JSLF(place, judy.array, text);
	while (place) {
		*sum += *place;
		if (++got == nr)
			break;
		JSLN(place, judy.array, text);
	}
	rwlock_read_unlock(&judy.lock);
	return got;
}

const struct index_ops index_judy = {
	.name = "JudySL",
	.create = create,
	.insert = insert,
	.lookup = lookup,
	.scan = scan,
};
