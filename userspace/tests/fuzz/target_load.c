// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer's target for what the command reads: entries to load, in any
 * format, and scripts of operations, for trees of each kind. The first byte of an
 * input says which. Entries that were read are written again, and must read the same.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libfuzzer.h"
#include "random.h"

#include "../../cli/reader.h"
#include "../../cli/script.h"
#include "../../cli/writer.h"

#define KINDS_OF_INPUT (FORMAT_NR + 1)
#define SCRIPT FORMAT_NR
#define KINDS_OF_KEY 3

static unsigned int messages;

/* In place of the command's own: it counts messages, and prints none. */
void message(const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	messages++;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* A file of this content, and a path that opens it. */
static int make_file(const __u8 *data, size_t size, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	check(fd >= 0 && write(fd, data, size) == (ssize_t)size, "no memory");
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

/* Read all entries of a file: how many, and what went wrong in the end. */
static int read_all(const char *path, enum format format, struct kinds kinds,
		    struct entry *entries, size_t *nr, size_t room)
{
	struct reader reader = { .input = input_open(path),
				 .format = format,
				 .kinds = kinds };
	int ret = 1;

	check(reader.input, "a file that cannot be opened");
	for (*nr = 0; *nr < room; ++*nr) {
		ret = reader_next(&reader, &entries[*nr]);
		if (ret != 1)
			break;
	}
	reader_close(&reader);
	input_close(reader.input);
	return ret;
}

/* Two bytes are the least that an entry takes. */
static void try_entries(const __u8 *data, size_t size, enum format format,
			struct kinds kinds)
{
	size_t room = size + 1, nr, again, i;
	struct entry *entries = calloc(2 * room, sizeof(*entries));
	struct writer *writer;
	char path[32];
	int fd, ret;

	fd = make_file(data, size, path);
	messages = 0;
	ret = read_all(path, format, kinds, entries, &nr, room);
	check(ret <= 0, "more entries than an input can have");
	check(!ret == !messages, "an error without a message, or the reverse");
	close(fd);

	fd = make_file(NULL, 0, path);
	writer = writer_open(path, format, size & 1, size / 2 % 3);
	check(writer, "a file that cannot be written");
	for (i = 0; i < nr; i++)
		writer_put(writer, &entries[i]);
	check(writer_close(writer, true), "entries that cannot be written");
	ret = read_all(path, format, kinds, entries + room, &again, room);
	check(!ret && again == nr &&
		      !memcmp(entries, entries + room, nr * sizeof(*entries)),
	      "what was written reads differently");
	close(fd);
	free(entries);
}

static void try_script(const __u8 *data, size_t size, struct kinds kinds)
{
	const __u8 *end = data + size, *stop;
	const char *why = NULL;
	struct operation op;
	enum line kind;

	for (; data < end; data = stop + 1) {
		size_t len;
		char *line;

		stop = memchr(data, '\n', end - data) ?: end;
		len = stop - data;
		/* Of its very size, so that a read behind it shows. */
		line = malloc(len);
		memcpy(line, data, len);
		kind = script_parse(line, len, kinds, len % 2, &op, &why);
		check(kind != LINE_WRONG || why, "wrong without a reason");
		check(kind != LINE_ENTRY || op.opcode < BLINK_TREE_OP_NR,
		      "no operation");
		free(line);
	}
}

int target_run(const __u8 *data, size_t size)
{
	struct kinds kinds = {};
	unsigned int kind;

	if (!size)
		return -1;
	kind = *data % KINDS_OF_INPUT;
	kinds.key = *data / KINDS_OF_INPUT % KINDS_OF_KEY;
	if (kind == SCRIPT)
		try_script(data + 1, size - 1, kinds);
	else
		try_entries(data + 1, size - 1, kind, kinds);
	return 0;
}

static const char *const words[] = {
	"0",
	"1",
	"0x",
	"0xffffffffffffffff",
	"18446744073709551615",
	"18446744073709551616",
	"340282366920938463463374607431768211455",
	"340282366920938463463374607431768211456",
	"550e8400-e29b-41d4-a716-446655440000",
	"2001:db8::1",
	"::ffff:1.2.3.4",
	":",
	"00000000000000000000000000000000001",
	"-1",
	"+1",
	" ",
	"\t",
	"\r",
	",",
	"\"",
	"\"7\"",
	"#",
	"key,value",
	"KEY , VALUE",
	"\n",
	"1 2\n",
	"1,2\n",
	"get 1\n",
	"put 1 2\n",
	"cas 1 2 3\n",
	"insert",
	"replace",
	"del",
	"floor",
	"ceil",
};

/* Room in the middle: the bytes from @at on go @len further. */
static size_t open_gap(__u8 *data, size_t size, size_t at, size_t len)
{
	memmove(data + at + len, data + at, size - at);
	return size + len;
}

/* The bytes of @text at @at, if there is room. */
static size_t insert_text(__u8 *data, size_t size, size_t room, size_t at,
			  const void *text, size_t len)
{
	if (size + len > room)
		return size;
	size = open_gap(data, size, at, len);
	memcpy(data + at, text, len);
	return size;
}

static size_t insert_word(__u8 *data, size_t size, size_t room, size_t at,
			  __u64 *random)
{
	const char *word =
		words[random_below(random, sizeof(words) / sizeof(*words))];

	return insert_text(data, size, room, at, word, strlen(word));
}

static size_t insert_number(__u8 *data, size_t size, size_t room, size_t at,
			    __u64 *random)
{
	static const char *const formats[] = { "%llu", "0x%llx", "%llx" };
	char text[24];
	size_t len;

	len = snprintf(text, sizeof(text), formats[random_below(random, 3)],
		       random_next(random) >> random_below(random, 64));
	return insert_text(data, size, room, at, text, len);
}

/* A line from somewhere, again. */
static size_t repeat_line(__u8 *data, size_t size, size_t room, size_t at,
			  __u64 *random)
{
	size_t from = 1 + random_below(random, size), len = 0;
	__u8 line[64];

	while (from + len < size && len < sizeof(line) &&
	       data[from + len] != '\n')
		len++;
	memcpy(line, data + from, len);
	return insert_text(data, size, room, at, line, len);
}

size_t target_mutate(__u8 *data, size_t size, size_t room, unsigned int seed)
{
	__u64 random = random_stream(seed, 0);
	size_t at;

	if (!size)
		data[size++] =
			random_below(&random, KINDS_OF_INPUT * KINDS_OF_KEY);
	at = 1 + random_below(&random, size);
	switch (random_below(&random, 8)) {
	case 0:
		data[0] = random_below(&random, KINDS_OF_INPUT * KINDS_OF_KEY);
		return size;
	case 1:
	case 2:
		return insert_word(data, size, room, at, &random);
	case 3:
		return insert_number(data, size, room, at, &random);
	case 4:
		return repeat_line(data, size, room, at, &random);
	default:
		return libfuzzer_mutate(data, size, room);
	}
}
