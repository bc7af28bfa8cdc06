// SPDX-License-Identifier: GPL-2.0
/*
 * The printer: each document in text, in JSON and in JSON with line breaks.
 * JSON must be parsed by json-c, also where a command gave up in the middle.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/common/tap.h"
#include "../printer.h"
#include "../util.h"

struct sample {
	const char *name;
	const char *text;
	__u64 big;
	__u64 value;
	struct key key;
	struct key wide;
	struct value maybe;
	__u32 mode;
	double real;
	double ratio;
};

static const struct sample one = {
	.name = "a \"b\"\\/",
	.text = "t",
	.big = UINT64_MAX,
	.value = 254,
	.key = { .length = 8, .bytes = { [7] = 255 } },
	.wide = { .length = 16, .bytes = { [0] = 0x20, [15] = 9 } },
	.maybe = { .length = 8, .number = 16 },
	.mode = 0640,
	.real = 12.34,
	.ratio = 0.666,
};

static const struct sample two = {
	.name = "c",
	.text = "long",
	.real = NAN,
	.ratio = NAN,
};

#define WIDE "0x20000000000000000000000000000009"
#define ROWS                                                            \
	"a \"b\"\\/ t 18446744073709551615 254 255 " WIDE " 16 - 0640 " \
	"12.3 0.67\n"                                                   \
	"c long 0 0 - - - - 0000 - -\n"

#define TABLE                                                                  \
	"name     text                   big  value  key  wide               " \
	"                 maybe  none  mode  real  ratio\n"                    \
	"a \"b\"\\/  t     18446744073709551615    254  255  " WIDE            \
	"     16     -  0640  12.3   0.67\n"                                   \
	"c        long                     0      0    -  -                  " \
	"                     -     -  0000     -      -\n"

typedef void document_fn(struct printer *out);

/* Return the document as it would be printed; the caller frees it. */
static char *print(document_fn *document, bool json, bool pretty, bool hex,
		   enum key_form form)
{
	struct printer *printer;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	printer = printer_new(file, json, pretty, hex, form);
	document(printer);
	printer_finish(printer);
	fclose(file);
	return text;
}

static void check_text(document_fn *document, const char *expected)
{
	char *text = print(document, false, false, false, KEY_FORM_HEX);

	if (!tap_check(!strcmp(text, expected)))
		printf("# got:\n%s# expected:\n%s", text, expected);
	free(text);
}

static const char *normalise(struct json_object *object)
{
	const int flags = JSON_C_TO_STRING_PLAIN;

	return object ? json_object_to_json_string_ext(object, flags) : "none";
}

/* Both kinds of JSON must be this value. */
static void check_json(document_fn *document, const char *expected)
{
	struct json_object *object;
	char *text;
	int pretty;

	for (pretty = 0; pretty < 2; pretty++) {
		text = print(document, true, pretty, false, KEY_FORM_HEX);
		object = json_tokener_parse(text);
		if (!tap_check(!strcmp(normalise(object), expected)))
			printf("# got: %s# expected: %s\n", text, expected);
		tap_check(text[strlen(text) - 1] == '\n');
		tap_check(pretty || strchr(text, '\n')[1] == '\0');
		json_object_put(object);
		free(text);
	}
}

#define ONE_JSON                                                                  \
	"\"name\":\"a \\\"b\\\"\\\\\\/\",\"text\":\"t\","                         \
	"\"big\":18446744073709551615,\"value\":254,\"key\":255,\"wide\":\"" WIDE \
	"\",\"maybe\":16,\"none\":null,"                                          \
	"\"mode\":\"0640\",\"real\":12.3,\"ratio\":0.67"
#define TWO_JSON                                      \
	"\"name\":\"c\",\"text\":\"long\",\"big\":0," \
	"\"value\":0,\"key\":null,\"wide\":null,\"maybe\":null,\"none\":null,\"mode\":\"0000\",\"real\":null,\"ratio\":null"
#define ONE_LINES                                                      \
	"name: a \"b\"\\/\ntext: t\n"                                  \
	"big: 18446744073709551615\nvalue: 254\nkey: 255\nwide: " WIDE \
	"\nmaybe: 16\nnone: -\nmode: 0640\n"                           \
	"real: 12.3\nratio: 0.67\n"

static void cells(struct printer *out, const struct sample *sample)
{
	print_text(out, "name", sample->name);
	print_text(out, "text", sample->text);
	print_u64(out, "big", sample->big);
	print_number(out, "value", sample->value);
	print_key(out, "key", &sample->key);
	print_key(out, "wide", &sample->wide);
	print_value(out, "maybe", &sample->maybe);
	print_none(out, "none");
	print_mode(out, "mode", sample->mode);
	print_real(out, "real", sample->real, 1);
	print_real(out, "ratio", sample->ratio, 2);
}

static void row(struct printer *out, const struct sample *sample)
{
	print_begin(out, PART_ROW, NULL);
	cells(out, sample);
	print_end(out);
}

static void single(struct printer *out)
{
	print_begin(out, PART_OBJECT, NULL);
	cells(out, &one);
	print_end(out);
}

static void alone(struct printer *out)
{
	row(out, &two);
}

static void test_record(void)
{
	char *text;

	check_text(single, ONE_LINES);
	check_json(single, "{" ONE_JSON "}");
	text = print(single, true, false, true, KEY_FORM_UUID);
	tap_check(strstr(text, "\"value\":\"0xfe\",\"key\":\"0xff\","));
	tap_check(strstr(text, "\"20000000-0000-0000-0000-000000000009\","));
	tap_check(strstr(text, "\"maybe\":\"0x10\","));
	tap_check(strstr(text, "\"big\":18446744073709551615"));
	free(text);
	text = print(single, false, false, true, KEY_FORM_IPV6);
	tap_check(strstr(text, "value: 0xfe\nkey: 0xff\nwide: 2000::9\n"));
	tap_check(strstr(text, "maybe: 0x10\n"));
	free(text);
	check_text(alone, "c long 0 0 - - - - 0000 - -\n");
	check_json(alone, "{" TWO_JSON "}");
	tap_case("an object and a row, every type of cell");
}

/* A key and a value of bytes. */
struct pair {
	struct key key;
	struct value value;
};

static void pair_row(struct printer *out, const struct pair *pair)
{
	print_begin(out, PART_ROW, NULL);
	print_key(out, "key", &pair->key);
	print_value(out, "value", &pair->value);
	print_end(out);
}

static void pairs(struct printer *out)
{
	static const struct pair all[] = {
		{ { 1, "k", true }, { 3, true, .bytes = "a b" } },
		{ { 0, "", true }, { 0, true, .bytes = "" } },
		{ { 1, "\377", true }, { 2, true, .bytes = "\0\377" } },
		{ { 1, "k", true }, {} },
	};
	size_t i;

	print_begin(out, PART_LIST, NULL);
	for (i = 0; i < ARRAY_SIZE(all); i++)
		pair_row(out, &all[i]);
	print_end(out);
}

static void longest(struct printer *out)
{
	static const struct pair pair = { .value = { VALUE_BYTES_MAX, true } };

	pair_row(out, &pair);
}

static void test_strings(void)
{
	char *text;

	check_text(pairs, "k a\\x20b\n\\& \\&\n\\xff \\x00\\xff\nk -\n");
	check_json(
		pairs,
		"[{\"key\":\"k\",\"value\":\"a b\"},{\"key\":\"\",\"value\":\"\"},{\"key\":{\"base64\":\"\\/w==\"},\"value\":{\"base64\":\"AP8=\"}},{\"key\":\"k\",\"value\":null}]");
	text = print(longest, false, false, false, KEY_FORM_HEX);
	tap_check(strlen(text) == 4 * VALUE_BYTES_MAX + 3);
	free(text);
	text = print(longest, true, false, false, KEY_FORM_HEX);
	tap_check(strstr(text, "AAAAAA==\"}"));
	free(text);
	tap_case("strings as keys and as values");
}

static void rows(struct printer *out)
{
	print_begin(out, PART_LIST, "rows");
	row(out, &one);
	row(out, &two);
	print_end(out);
}

static void empty(struct printer *out)
{
	print_begin(out, PART_LIST, NULL);
	print_end(out);
}

static void test_rows(void)
{
	check_text(rows, ROWS);
	check_json(rows, "[{" ONE_JSON "},{" TWO_JSON "}]");
	check_text(empty, "");
	check_json(empty, "[]");
	tap_case("rows");
}

static void table(struct printer *out)
{
	print_begin(out, PART_TABLE, NULL);
	row(out, &one);
	row(out, &two);
	print_end(out);
}

static void no_table(struct printer *out)
{
	print_begin(out, PART_TABLE, NULL);
	print_names(out, "a  b");
	print_end(out);
}

static void test_table(void)
{
	check_text(table, TABLE);
	check_json(table, "[{" ONE_JSON "},{" TWO_JSON "}]");
	check_text(no_table, "a  b\n");
	check_json(no_table, "[]");
	tap_case("a table");
}

struct measured {
	const char *name;
	double number;
};

static void digits(struct printer *out)
{
	static const struct measured all[] = {
		{ "M\u00fchlig", 12345.6 },
		{ "", 123.4 },
		{ "", 12.34 },
		{ "", 1.234 },
		{ "", 0.01234 },
		{ "", 0 },
		{ "", NAN },
	};
	size_t i;

	print_begin(out, PART_TABLE, NULL);
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		print_begin(out, PART_ROW, NULL);
		print_text(out, "name", all[i].name);
		print_real(out, "number", all[i].number, THREE_DIGITS);
		print_end(out);
	}
	print_end(out);
}

static void test_digits(void)
{
	check_text(digits, "name    number\n"
			   "M\u00fchlig   12346\n"
			   "           123\n"
			   "          12.3\n"
			   "          1.23\n"
			   "        0.0123\n"
			   "             0\n"
			   "             -\n");
	tap_case("three digits, and texts with letters of several bytes");
}

static void object(struct printer *out)
{
	print_begin(out, PART_OBJECT, NULL);
	cells(out, &one);
	rows(out);
	print_begin(out, PART_OBJECT, "part");
	cells(out, &two);
	print_end(out);
	print_end(out);
}

static void test_object(void)
{
	check_text(
		object, ONE_LINES
		"\nrows:\n" ROWS
		"\npart:\nname: c\ntext: long\nbig: 0\nvalue: 0\nkey: -\nwide: -\n"
		"maybe: -\nnone: -\nmode: 0000\nreal: -\nratio: -\n");
	check_json(object, "{" ONE_JSON ",\"rows\":[{" ONE_JSON "},{" TWO_JSON
			   "}],\"part\":{" TWO_JSON "}}");
	tap_case("an object of several parts");
}

static void broken_list(struct printer *out)
{
	print_begin(out, PART_LIST, NULL);
	row(out, &two);
}

static void broken_object(struct printer *out)
{
	print_begin(out, PART_OBJECT, NULL);
	print_begin(out, PART_TABLE, "table");
	print_begin(out, PART_ROW, NULL);
	cells(out, &two);
}

static void test_broken(void)
{
	check_json(broken_list, "[{" TWO_JSON "}]");
	check_json(broken_object, "{\"table\":[{" TWO_JSON "}]}");
	tap_case("a document that was given up is well-formed");
}

int main(void)
{
	const unsigned int planned = 7;

	tap_begin(planned);
	test_record();
	test_strings();
	test_rows();
	test_table();
	test_digits();
	test_object();
	test_broken();
	return tap_exit(planned);
}
