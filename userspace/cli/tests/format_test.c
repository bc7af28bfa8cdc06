// SPDX-License-Identifier: GPL-2.0
/* The formats of load and dump, as bytes and as files. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "../../tests/common/tap.h"
#include "../reader.h"
#include "../util.h"
#include "../writer.h"

static char path[32] = "/tmp/blinktree_format_XXXXXX";

static enum line text(const char *line, struct entry *entry)
{
	const char *why = NULL;
	enum line kind = format_parse_text(line, strlen(line), (struct kinds){},
					   entry, &why);

	tap_check((kind == LINE_WRONG) == !!why);
	return kind;
}

static bool is_number(const struct value *value, __u64 number)
{
	return value->length == 8 && !value->string && value->number == number;
}

static bool is(const struct entry *entry, __u64 key, __u64 value)
{
	return entry && entry->key.length == 8 &&
	       key_number(&entry->key) == key &&
	       is_number(&entry->value, value);
}

static void test_text(void)
{
	struct entry entry;

	tap_check(text("1 2", &entry) == LINE_ENTRY && is(&entry, 1, 2));
	tap_check(text("\t 0x10 \t 20\t\r", &entry) == LINE_ENTRY &&
		  is(&entry, 16, 20));
	tap_check(text("", &entry) == LINE_NOTHING);
	tap_check(text("  \r", &entry) == LINE_NOTHING);
	tap_check(text("# 1 2", &entry) == LINE_NOTHING);
	tap_check(text("1", &entry) == LINE_WRONG);
	tap_check(text("1 2 3", &entry) == LINE_WRONG);
	tap_check(text("1,2", &entry) == LINE_WRONG);
	tap_check(text("a 2", &entry) == LINE_WRONG);
	tap_check(text("1 b", &entry) == LINE_WRONG);
	tap_check(text("1 18446744073709551616", &entry) == LINE_WRONG);
	tap_case("text lines");
}

static const struct kinds byte_keys = { .key = BLINK_TREE_KEY_BYTES };
static const struct kinds byte_values = { .value = VALUE_BYTES };
static const struct kinds strings = { .key = BLINK_TREE_KEY_BYTES,
				      .value = VALUE_BYTES };

/* A line of strings; the text of its key, or NULL if it must be wrong. */
static bool string_line(const char *line, const char *key, __u64 value)
{
	char written[KEY_TEXT_MAX];
	const char *why = NULL;
	struct entry entry;
	enum line kind =
		format_parse_text(line, strlen(line), byte_keys, &entry, &why);

	if (!key)
		return kind == LINE_WRONG && why;
	return kind == LINE_ENTRY && entry.key.string &&
	       is_number(&entry.value, value) &&
	       !strcmp(key_text(written, &entry.key, KEY_FORM_HEX, false), key);
}

static void test_string_text(void)
{
	tap_check(string_line("vfs_read 7", "vfs_read", 7));
	tap_check(string_line("  12 \t 0x10\r", "\\x20\\x2012\\x20", 16));
	tap_check(string_line("a file\t5", "a\\x20file", 5));
	tap_check(string_line("a\tb\t5", "a\\tb", 5));
	tap_check(string_line("\\& 1", "\\&", 1));
	tap_check(string_line("a file 5", NULL, 0));
	tap_check(string_line("a\t5 6", NULL, 0));
	tap_check(string_line("a\t", NULL, 0) && string_line("a", NULL, 0));
	tap_check(string_line("\\q 1", NULL, 0));
	tap_case("text lines with strings");
}

/* Whether an entry that was read has a key and a value that are written so. */
static bool reads(enum line kind, const struct entry *entry, const char *key,
		  const char *value)
{
	char key_written[KEY_TEXT_MAX], value_written[VALUE_TEXT_MAX];

	return kind == LINE_ENTRY && entry->value.string &&
	       !strcmp(key_text(key_written, &entry->key, 0, false), key) &&
	       !strcmp(value_text(value_written, &entry->value, false), value);
}

/* A line with a value that is a string. Without a key it must be wrong. */
static bool value_line(const char *line, struct kinds kinds, const char *key,
		       const char *value)
{
	const char *why = NULL;
	struct entry entry;
	enum line kind =
		format_parse_text(line, strlen(line), kinds, &entry, &why);

	return key ? reads(kind, &entry, key, value) :
		     kind == LINE_WRONG && why;
}

static void test_value_text(void)
{
	tap_check(value_line("7 seven", byte_values, "7", "seven"));
	tap_check(value_line(" 7  \\&\r", byte_values, "7", "\\&"));
	tap_check(value_line("7\ta b\r", byte_values, "7", "a\\x20b"));
	tap_check(value_line("7\t a\tb ", byte_values, "7", "\\x20a\\tb\\x20"));
	tap_check(value_line("a b\tc d", strings, "a\\x20b", "c\\x20d"));
	tap_check(value_line("a\tb\tc", strings, "a", "b\\tc"));
	tap_check(value_line("a b", strings, "a", "b"));
	tap_check(value_line("7 a b", byte_values, NULL, NULL));
	tap_check(value_line("7", byte_values, NULL, NULL) &&
		  value_line("7\t", byte_values, NULL, NULL) &&
		  value_line("7\t\r", byte_values, NULL, NULL));
	tap_check(value_line("x\ta", byte_values, NULL, NULL) &&
		  value_line("7 8\ta", byte_values, NULL, NULL));
	tap_check(value_line("7 \\q", byte_values, NULL, NULL));
	tap_case("text lines with values that are strings");
}

static void check_pair(unsigned int kind, size_t len, __uint128_t key)
{
	static const unsigned char bytes[FORMAT_PAIR_MAX] = {
		0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0xff, 0, 0, 0,
		0,    0,    0,	  0x80, 1,    0,    0,	  0,	0,    0, 0, 0,
	};
	unsigned char again[FORMAT_PAIR_MAX];
	struct entry entry;

	tap_check(format_pair_bytes(kind) == len);
	format_decode_pair(bytes, kind, &entry);
	tap_check(key_number(&entry.key) == key);
	tap_check(is_number(&entry.value, len == 24 ? 1 : 0x80000000000000ff));
	tap_check(format_encode_pair(&entry, again) == len);
	tap_check(!memcmp(bytes, again, len));
}

static void test_binary(void)
{
	check_pair(BLINK_TREE_KEY_U64, 16, 0x0102030405060708);
	check_pair(BLINK_TREE_KEY_MULTI, 16, 0x0102030405060708);
	check_pair(BLINK_TREE_KEY_U128, 24,
		   (__uint128_t)0x0807060504030201 << 64 | 0xff00000000000080);
	tap_case(
		"binary pairs: numbers least significant byte first, bytes as they are");
}

#define NUMBER(n)         \
	{                 \
		8, false, \
		{         \
			n \
		}         \
	}
#define STRING(n, ...)                            \
	{                                         \
		n, true, .bytes = { __VA_ARGS__ } \
	}

static const struct entry samples[] = {
	{ { 8, { 0 }, false }, NUMBER(0) },
	{ { 8, { [7] = 1 }, false }, NUMBER(UINT64_MAX) },
	{ { 8, { [2] = 10, 13, 32, 35, 44, 34 }, false }, NUMBER(10) },
	{ { 8, { 255, 255, 255, 255, 255, 255, 255, 255 }, false }, NUMBER(1) },
};

static const struct entry wide_samples[] = {
	{ { 16, { 0 }, false }, NUMBER(0) },
	{ { 16, { [15] = 1 }, false }, NUMBER(7) },
	{ { 16, { 0x20, 0x01, 0x0d, 0xb8, [15] = 9 }, false },
	  NUMBER(UINT64_MAX) },
	{ { 16, { [0] = 10, 13, 32, 35, 44, 34, [15] = 255 }, false },
	  NUMBER(1) },
};

static const struct entry string_samples[] = {
	{ { 0, { 0 }, true }, NUMBER(0) },
	{ { 1, { 0 }, true }, NUMBER(UINT64_MAX) },
	{ { 6, { 10, 13, 32, 35, 44, 34 }, true }, NUMBER(10) },
	{ { 4, { '#', '\\', 9, 255 }, true }, NUMBER(1) },
};

static const struct entry value_samples[] = {
	{ { 8, { 0 }, false }, STRING(0, 0) },
	{ { 8, { [7] = 1 }, false }, STRING(4096, 0) },
	{ { 8, { [7] = 2 }, false }, STRING(7, 10, 13, 32, 35, 44, 34, 0) },
	{ { 8, { [7] = 3 }, false }, STRING(5, '#', '\\', 9, 255, ' ') },
};

static const struct entry both_samples[] = {
	{ { 0, { 0 }, true }, STRING(0, 0) },
	{ { 1024, { 0 }, true }, STRING(4096, 9) },
	{ { 3, "key", true }, STRING(5, 'v', 'a', 'l', 'u', 'e') },
	{ { 4, { '#', '\\', 9, 255 }, true }, STRING(2, '"', '"') },
};

/* Samples of a tree of these kinds; their number is the same for all kinds. */
static const struct entry *samples_of(struct kinds kinds)
{
	if (kinds.key == BLINK_TREE_KEY_U128)
		return wide_samples;
	if (kinds.key == BLINK_TREE_KEY_BYTES)
		return kinds.value ? both_samples : string_samples;
	return kinds.value ? value_samples : samples;
}

static bool same(const struct entry *a, const struct entry *b)
{
	return !key_compare(&a->key, &b->key) &&
	       a->key.string == b->key.string &&
	       a->value.string == b->value.string &&
	       a->value.length == b->value.length &&
	       !memcmp(a->value.bytes, b->value.bytes, a->value.length);
}

static void check_file(enum format format, bool hex, struct kinds kinds,
		       enum key_form form)
{
	const struct entry *all = samples_of(kinds);
	struct writer *writer = writer_open(path, format, hex, form);
	struct reader reader = { .format = format, .kinds = kinds };
	struct entry entry = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(samples); i++)
		tap_check(writer_put(writer, &all[i]));
	tap_check(writer_close(writer, true));

	reader.input = input_open(path);
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		tap_check(reader_next(&reader, &entry) == 1);
		tap_check(same(&entry, &all[i]));
	}
	tap_check(!reader_next(&reader, &entry));
	tap_check(input_position(reader.input) == input_size(reader.input));
	reader_close(&reader);
	input_close(reader.input);
}

static void test_files(void)
{
	const struct kinds multi = { .key = BLINK_TREE_KEY_MULTI };
	const struct kinds wide = { .key = BLINK_TREE_KEY_U128 };
	int format, form;

	for (format = 0; format < FORMAT_NR; format++) {
		check_file(format, false, (struct kinds){}, 0);
		check_file(format, true, multi, 0);
		for (form = KEY_FORM_HEX; form <= KEY_FORM_IPV6; form++)
			check_file(format, form, wide, form);
		if (format == FORMAT_BINARY)
			continue;
		check_file(format, false, byte_keys, 0);
		check_file(format, true, byte_values, 0);
		check_file(format, false, strings, 0);
	}
	tap_case(
		"an entry is the same after it was written and read, in every format");
}

/* Count the entries of a file before its mistake. */
static int entries_in(const char *content, size_t len, enum format format,
		      int *end)
{
	struct reader reader = { .format = format };
	struct entry entry;
	int nr = 0;
	FILE *file = fopen(path, "we");

	fwrite(content, 1, len, file);
	fclose(file);
	reader.input = input_open(path);
	while ((*end = reader_next(&reader, &entry)) == 1)
		nr++;
	reader_close(&reader);
	input_close(reader.input);
	return nr;
}

#define ENTRIES_IN(content, format) \
	entries_in(content, sizeof(content) - 1, format, &end)

static void test_errors(void)
{
	int end;

	tap_check(ENTRIES_IN("1 2\n3 4", FORMAT_TEXT) == 2 && !end);
	tap_check(ENTRIES_IN("1 2\n3\n5 6\n", FORMAT_TEXT) == 1 &&
		  end == -STATUS_USAGE);
	tap_check(ENTRIES_IN("1 \0002\n", FORMAT_TEXT) == 0 &&
		  end == -STATUS_USAGE);
	tap_check(ENTRIES_IN("\nkey,value\n1,2\n", FORMAT_CSV) == 1 && !end);
	tap_check(ENTRIES_IN("1,2\nkey,value\n", FORMAT_CSV) == 1 &&
		  end == -STATUS_USAGE);
	tap_check(ENTRIES_IN("0123456789abcdef0", FORMAT_BINARY) == 1 &&
		  end == -STATUS_USAGE);
	tap_check(ENTRIES_IN("", FORMAT_BINARY) == 0 && !end);
	tap_check(!input_open("/nonexistent/file"));
	tap_check(!writer_open("/nonexistent/file", FORMAT_TEXT, false, 0));
	tap_case("entries before an error are read, entries after it are not");
}

/* The key and the value of a file of one record; NULL if it is wrong, or has none. */
static const struct entry *csv(const char *content, size_t len,
			       struct kinds kinds)
{
	struct reader reader = { .format = FORMAT_CSV, .kinds = kinds };
	static struct entry entry, more;
	FILE *file = fopen(path, "we");
	int first;

	fwrite(content, 1, len, file);
	fclose(file);
	reader.input = input_open(path);
	first = reader_next(&reader, &entry);
	if (first == 1 && reader_next(&reader, &more) == 1)
		first = 2;
	reader_close(&reader);
	input_close(reader.input);
	return first == 1 ? &entry : NULL;
}

#define CSV(content, kinds) csv(content, sizeof(content) - 1, kinds)

static bool are(const struct entry *entry, const char *key, const char *value)
{
	return entry && entry->key.length == strlen(key) &&
	       !memcmp(entry->key.bytes, key, entry->key.length) &&
	       entry->value.length == strlen(value) &&
	       !memcmp(entry->value.bytes, value, entry->value.length);
}

static void test_csv(void)
{
	static const struct kinds numbers;

	tap_check(is(CSV("1,2", numbers), 1, 2));
	tap_check(is(CSV("\xef\xbb\xbfKey,VALUE\r\n\"0x10\",\" 20\"\r\n\r\n",
			 numbers),
		     16, 20));
	tap_check(is(CSV("sep=;\n1;2\n", numbers), 1, 2));
	tap_check(is(CSV("sep=\t\r\n\"1\"\t 2 \r\n", numbers), 1, 2));
	/* Not the first line: a record whose key is no number. */
	tap_check(!CSV("key,value\nsep=;\n1;2\n", numbers));
	tap_check(!CSV("", numbers) && !CSV("\n\r\n", numbers));
	tap_check(!CSV("key,value\nkey,value\n", numbers));
	tap_check(!CSV("name,value\n1,2\n", numbers));
	tap_check(!CSV("1 2", numbers) && !CSV("1,2,3", numbers) &&
		  !CSV("1,", numbers) && !CSV(",2", numbers) &&
		  !CSV("\"1,2\"", numbers) && !CSV("1,2,", numbers) &&
		  !CSV("1e3,1", numbers) && !CSV("+5,1", numbers) &&
		  !CSV("1;2", numbers) && !CSV("1,\"2,000\"", numbers));
	tap_case("CSV with numbers");
}

static void test_csv_strings(void)
{
	tap_check(are(CSV("key,value", byte_keys) ?: CSV("a,b", strings), "a",
		      "b"));
	tap_check(are(CSV(" a b , c ", strings), " a b ", " c "));
	tap_check(are(CSV("\"say \"\"hi\"\"\",\"a,b\"\n", strings),
		      "say \"hi\"", "a,b"));
	tap_check(are(CSV("\"two\nlines\",\"and\r\nmore\r\"\r\n", strings),
		      "two\nlines", "and\r\nmore\r"));
	tap_check(are(CSV("C:\\temp\\x,#\t'", strings), "C:\\temp\\x", "#\t'"));
	tap_check(are(CSV("\"\",\"\"", strings), "", "") &&
		  are(CSV(",", strings), "", ""));
	tap_check(are(CSV("\"key\",\"b\"", strings), "key", "b"));
	tap_case("CSV with strings");
}

static void test_csv_wrong(void)
{
	char huge[20000];

	tap_check(!CSV("\"a,b\n", strings) && !CSV("a,\"b", strings));
	tap_check(!CSV("\"a\"b,c", strings) && !CSV("a\"b,c", strings) &&
		  !CSV(" \"a\",b", strings) && !CSV("\"a\" ,b", strings));
	tap_check(!CSV("a,b\rc,d", strings));
	memset(huge, 'x', sizeof(huge));
	huge[1025] = ',';
	tap_check(!csv(huge, 1027, strings) && csv(huge + 1, 1026, strings));
	huge[1025] = 'x';
	huge[1] = ',';
	tap_check(!csv(huge, 2 + 4097, strings) && !csv(huge, 9000, strings) &&
		  csv(huge, 2 + 4096, strings));
	/* The rest of a large file is not read after a quote that is not closed. */
	memset(huge, '\n', sizeof(huge));
	huge[0] = '"';
	tap_check(!csv(huge, sizeof(huge), strings));
	tap_case("CSV that is wrong");
}

/* A number with blanks before it, so that only the length is wrong. */
static void test_csv_long(void)
{
	static const struct kinds numbers;
	const size_t value = 49, room = 4 << 20;
	char *huge = malloc(room);

	memset(huge, ' ', room);
	huge[4999] = '7';
	huge[5000] = ',';
	huge[5000 + value] = '2';
	tap_check(is(csv(huge, 5001 + value, numbers), 7, 2));
	memmove(huge + 1, huge, 5001 + value);
	tap_check(!csv(huge, 5002 + value, numbers));
	memset(huge, '1', room);
	huge[1] = ',';
	tap_check(!csv(huge, room, numbers));
	free(huge);
	tap_case("CSV with a field that is too long");
}

/* Each byte, alone and between others, in both fields and in both formats. */
static void test_all_bytes(void)
{
	static const enum format formats[] = { FORMAT_CSV, FORMAT_TEXT };
	struct reader reader = { .kinds = strings };
	static struct entry entry, again;
	struct writer *writer;
	unsigned int i, format;

	for (format = 0; format < ARRAY_SIZE(formats); format++) {
		reader.format = formats[format];
		writer = writer_open(path, reader.format, false, 0);
		for (i = 0; i < 256; i++) {
			unsigned char key[] = { i, 'a', i, i };

			key_set(&entry.key, BLINK_TREE_KEY_BYTES, key, 4);
			value_set(&entry.value, VALUE_BYTES, key, 1 + i % 4);
			tap_check(writer_put(writer, &entry));
		}
		tap_check(writer_close(writer, true));
		reader.input = input_open(path);
		reader.header_passed = false;
		for (i = 0; i < 256; i++) {
			unsigned char key[] = { i, 'a', i, i };

			tap_check(reader_next(&reader, &again) == 1);
			tap_check(again.key.length == 4 &&
				  !memcmp(again.key.bytes, key, 4));
			tap_check(again.value.length == 1 + i % 4 &&
				  !memcmp(again.value.bytes, key, 1 + i % 4));
		}
		tap_check(!reader_next(&reader, &again));
		reader_close(&reader);
		input_close(reader.input);
	}
	tap_case("strings of all bytes are read as they were written");
}

int main(void)
{
	const unsigned int planned = 11;
	int fd = mkstemp(path);

	/* Hide the messages for the user. */
	freopen("/dev/null", "w", stderr);

	if (fd < 0) {
		perror(path);
		return 1;
	}
	close(fd);
	tap_begin(planned);
	test_text();
	test_string_text();
	test_value_text();
	test_csv();
	test_csv_strings();
	test_csv_wrong();
	test_csv_long();
	test_all_bytes();
	test_binary();
	test_files();
	test_errors();
	unlink(path);
	return tap_exit(planned);
}
