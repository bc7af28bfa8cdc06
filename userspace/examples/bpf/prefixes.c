// SPDX-License-Identifier: GPL-2.0
/* Lists of prefixes, and the trees that have them. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "prefixes.h"

/* Values of the trees have the order of bytes of the machine. */
typedef unsigned long long value_t;

void prefix_list_init(struct prefix_list *list)
{
	*list = (struct prefix_list){
		.ipv4.key_length = 8,
		.ipv6.key_length = 16,
	};
}

void prefix_list_free(struct prefix_list *list)
{
	free(list->ipv4.prefix);
	free(list->ipv6.prefix);
	prefix_list_init(list);
}

/* Clear the bits of a key behind the first ones. */
static void clear_behind(unsigned char *key, size_t bytes, size_t bits)
{
	for (; bits < 8 * bytes; bits++)
		key[bits / 8] &= ~(0x80 >> bits % 8);
}

/* A key of 8 bytes has an address of IPv4 in its last four. */
static size_t bits_of(const struct prefixes *prefixes, size_t length)
{
	return prefixes->key_length == 8 ? length + 32 : length;
}

int prefixes_add(struct prefixes *prefixes, const void *key, size_t length)
{
	size_t room = prefixes->room ? 2 * prefixes->room : 64;
	struct prefix *prefix = prefixes->prefix;

	if (prefixes->nr == prefixes->room) {
		prefix = realloc(prefix, room * sizeof(*prefix));
		if (!prefix)
			return -ENOMEM;
		prefixes->prefix = prefix;
		prefixes->room = room;
	}
	prefix += prefixes->nr++;
	*prefix = (struct prefix){ .length = length };
	memcpy(prefix->key, key, prefixes->key_length);
	clear_behind(prefix->key, prefixes->key_length,
		     bits_of(prefixes, length));
	return 0;
}

/* The length behind an address; the greatest one if there is none. -1: a mistake. */
static long read_length(const char *text, long most)
{
	char *end;
	long length;

	if (!text)
		return most;
	length = strtol(text, &end, 10);
	return end == text || *end || length < 0 || length > most ? -1 : length;
}

/* Returns 0, -EINVAL or -ENOMEM. */
static int read_prefix(struct prefix_list *list, char *text)
{
	char *slash = strchr(text, '/');
	unsigned char key[16] = {};
	long length;

	if (slash)
		*slash++ = '\0';
	if (inet_pton(AF_INET, text, key + 4) == 1) {
		length = read_length(slash, 32);
		return length < 0 ? -EINVAL :
				    prefixes_add(&list->ipv4, key, length);
	}
	if (inet_pton(AF_INET6, text, key) != 1)
		return -EINVAL;
	length = read_length(slash, 128);
	return length < 0 ? -EINVAL : prefixes_add(&list->ipv6, key, length);
}

/* The same for a line. It may have a comment, and no prefix. */
static int read_line(struct prefix_list *list, char *line)
{
	char *text;
	int err;

	line[strcspn(line, "#")] = '\0';
	text = strtok(line, " \t\r\n");
	err = text ? read_prefix(list, text) : 0;
	if (!err && text && strtok(NULL, " \t\r\n"))
		err = -EINVAL;
	return err;
}

long prefix_list_read(struct prefix_list *list, FILE *file)
{
	char *line = NULL;
	size_t room = 0;
	long number;
	ssize_t len;
	int err = 0;

	for (number = 1; (len = getline(&line, &room, file)) >= 0; number++) {
		/* With a zero byte in it, the rest of the line would be lost. */
		err = memchr(line, '\0', len) ? -EINVAL : read_line(list, line);
		if (err)
			break;
	}
	free(line);
	if (!err && ferror(file))
		return -EIO;
	return err == -EINVAL ? number : err;
}

static int by_key(const void *a, const void *b)
{
	const struct prefix *one = a, *two = b;

	return memcmp(one->key, two->key, sizeof(one->key));
}

/* Of equal keys the shorter prefix, which contains the other, is first. */
static int by_prefix(const void *a, const void *b)
{
	const struct prefix *one = a, *two = b;
	int order = by_key(a, b);

	return order ? order : one->length - two->length;
}

static bool contains(const struct prefixes *prefixes,
		     const struct prefix *outer, const struct prefix *inner)
{
	struct prefix first = *inner;

	clear_behind(first.key, prefixes->key_length,
		     bits_of(prefixes, outer->length));
	return !memcmp(first.key, outer->key, prefixes->key_length);
}

void prefixes_tidy(struct prefixes *prefixes)
{
	struct prefix *prefix = prefixes->prefix;
	size_t i, nr = 0;

	if (prefixes->nr)
		qsort(prefix, prefixes->nr, sizeof(*prefix), by_prefix);
	for (i = 0; i < prefixes->nr; i++)
		if (!nr || !contains(prefixes, &prefix[nr - 1], &prefix[i]))
			prefix[nr++] = prefix[i];
	prefixes->nr = nr;
}

static const struct prefix *find(const struct prefixes *prefixes,
				 const struct prefix *prefix)
{
	if (!prefixes->nr)
		return NULL;
	return bsearch(prefix, prefixes->prefix, prefixes->nr, sizeof(*prefix),
		       by_key);
}

/* Load some prefixes through a stream. Returns 0 or a negative errno. */
static int load(struct blinktree *tree, struct blinktree_stream *stream,
		const struct prefix *prefix, size_t nr, size_t key_length)
{
	struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key_length = key_length,
		.value_length = sizeof(value_t),
	};
	value_t value;
	int err = 0;

	blinktree_stream_clear(stream);
	for (; nr && !err; nr--, prefix++) {
		value = prefix->length;
		record.key = prefix->key;
		record.value = &value;
		err = blinktree_stream_add(stream, &record);
	}
	return err ? err : blinktree_stream_load(stream, tree, 100, NULL);
}

int prefixes_load(struct blinktree *tree, const struct prefixes *prefixes)
{
	const size_t most = 4096;
	struct blinktree_stream *stream = NULL;
	size_t i, nr;
	int err = blinktree_stream_open(&stream);

	for (i = 0; i < prefixes->nr && !err; i += nr) {
		nr = prefixes->nr - i < most ? prefixes->nr - i : most;
		err = load(tree, stream, &prefixes->prefix[i], nr,
			   prefixes->key_length);
	}
	blinktree_stream_close(stream);
	return err;
}

static int store(struct blinktree *tree, const struct prefixes *prefixes,
		 const struct prefix *prefix)
{
	value_t value = prefix->length;

	return blinktree_bytes_store(tree, prefix->key, prefixes->key_length,
				     &value, sizeof(value), NULL);
}

int prefixes_store(struct blinktree *tree, const struct prefixes *from,
		   const struct prefixes *to)
{
	const struct prefix *present;
	size_t i;
	int err;

	for (i = to->nr; i--;) {
		present = find(from, &to->prefix[i]);
		if (present && present->length == to->prefix[i].length)
			continue;
		err = store(tree, to, &to->prefix[i]);
		if (err < 0)
			return err;
	}
	for (i = 0; i < from->nr; i++) {
		if (find(to, &from->prefix[i]))
			continue;
		err = blinktree_bytes_erase(tree, from->prefix[i].key,
					    from->key_length, NULL);
		if (err)
			return err;
	}
	return 0;
}
