// SPDX-License-Identifier: GPL-2.0
/*
 * The printer. Text: lines for people, tables for people, rows for other programs.
 * JSON: if a list is the whole document, each row is printed at once, so that the scan of
 * a large tree needs little memory. An object is printed at its end. A number is a JSON
 * number with up to 64 bits; with --hex it is a string. A key of 128 bits is always a
 * string. A key or a value of bytes is a string if it is UTF-8 without control characters,
 * otherwise an object with its bytes in base64.
 */
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "printer.h"

/* An object, in it a list, and in that a row. */
#define DEPTH 3

struct part {
	enum part_kind kind;
	/* The cells of a row, or the rows of a list. */
	size_t nr;
	/* JSON; NULL for a list that is the whole document. */
	struct json_object *json;
};

/* A cell of a table. */
struct cell {
	const char *name;
	char *text;
	bool is_text;
};

struct printer {
	FILE *out;
	bool json;
	bool pretty;
	bool hex;
	enum key_form form;
	struct part parts[DEPTH];
	size_t depth;
	/* Text: the cells of a table, row by row, until their widths are known. */
	struct cell *cells;
	size_t nr_cells;
	const char *names;
};

struct printer *printer_new(FILE *out, bool json, bool pretty, bool hex,
			    enum key_form form)
{
	struct printer *printer = calloc(1, sizeof(*printer));

	if (!printer)
		return NULL;
	printer->out = out;
	printer->json = json;
	printer->pretty = pretty;
	printer->hex = hex;
	printer->form = form;
	return printer;
}

void printer_finish(struct printer *printer)
{
	while (printer->depth)
		print_end(printer);
	free(printer);
}

/* The innermost part, or the one around it; NULL if there is none. */
static struct part *part_at(struct printer *printer, size_t outwards)
{
	return printer->depth > outwards ?
		       &printer->parts[printer->depth - 1 - outwards] :
		       NULL;
}

static void add(const struct part *to, const char *name,
		struct json_object *json)
{
	if (to->kind == PART_LIST || to->kind == PART_TABLE)
		json_object_array_add(to->json, json);
	else
		json_object_object_add(to->json, name, json);
}

void print_begin(struct printer *printer, enum part_kind kind, const char *name)
{
	const struct part *around = part_at(printer, 0);
	struct part *part = &printer->parts[printer->depth++];
	bool list = kind == PART_LIST || kind == PART_TABLE;

	*part = (struct part){ .kind = kind };
	if (!printer->json) {
		if (name && around)
			fprintf(printer->out, "\n%s:\n", name);
		return;
	}
	if (list && !around) {
		fputc('[', printer->out);
		return;
	}
	part->json = list ? json_object_new_array() : json_object_new_object();
	if (around && around->json)
		add(around, name, part->json);
}

/* Print and free an object; @indent begins each of its lines. */
static void write_json(struct printer *printer, struct json_object *object,
		       const char *indent)
{
	int flags = printer->pretty ? JSON_C_TO_STRING_PRETTY :
				      JSON_C_TO_STRING_PLAIN;
	const char *line, *end;

	line = json_object_to_json_string_ext(
		object, flags | JSON_C_TO_STRING_NOSLASHESCAPE);
	end = strchrnul(line, '\n');
	while (*end) {
		fprintf(printer->out, "%s%.*s\n", indent, (int)(end - line),
			line);
		line = end + 1;
		end = strchrnul(line, '\n');
	}
	fprintf(printer->out, "%s%s", indent, line);
	json_object_put(object);
}

static void end_json(struct printer *printer, const struct part *part,
		     const struct part *around)
{
	bool pretty = printer->pretty;

	if (!part->json) {
		fputs(pretty && part->nr ? "\n]\n" : "]\n", printer->out);
	} else if (!around) {
		write_json(printer, part->json, "");
		fputc('\n', printer->out);
	} else if (!around->json) {
		fprintf(printer->out, "%s%s", around->nr ? "," : "",
			pretty ? "\n" : "");
		write_json(printer, part->json, pretty ? "  " : "");
	}
}

/* How many characters of UTF-8 a text has. */
static int text_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* Align numbers right and texts left. Print no blanks after the last column. */
static void print_table_row(struct printer *printer, const struct cell *row,
			    bool names, const int *widths, size_t columns)
{
	size_t i;

	for (i = 0; i < columns; i++) {
		const char *text = names ? row[i].name : row[i].text;
		bool last = i + 1 == columns, left = printer->cells[i].is_text;
		int blanks = widths[i] - text_width(text);

		fprintf(printer->out, "%*s%s%*s%s", left ? 0 : blanks, "", text,
			left && !last ? blanks : 0, "", last ? "\n" : "  ");
	}
}

static void print_table(struct printer *printer, size_t rows)
{
	size_t columns = printer->nr_cells / rows, i;
	struct cell *cells = printer->cells;
	int widths[columns];

	for (i = 0; i < printer->nr_cells; i++) {
		int width = text_width(cells[i].text);
		int *widest = &widths[i % columns];

		if (i < columns)
			*widest = text_width(cells[i].name);
		*widest = width > *widest ? width : *widest;
	}
	print_table_row(printer, cells, true, widths, columns);
	for (i = 0; i < printer->nr_cells; i += columns)
		print_table_row(printer, cells + i, false, widths, columns);
	for (i = 0; i < printer->nr_cells; i++)
		free(cells[i].text);
	free(cells);
	printer->cells = NULL;
	printer->nr_cells = 0;
}

void print_end(struct printer *printer)
{
	const struct part part = printer->parts[--printer->depth];
	struct part *around = part_at(printer, 0);

	if (printer->json)
		end_json(printer, &part, around);
	else if (part.kind == PART_TABLE && part.nr)
		print_table(printer, part.nr);
	else if (part.kind == PART_TABLE && printer->names)
		fprintf(printer->out, "%s\n", printer->names);
	else if (part.kind == PART_ROW &&
		 !(around && around->kind == PART_TABLE))
		fputc('\n', printer->out);
	if (around)
		around->nr++;
}

void print_names(struct printer *printer, const char *names)
{
	printer->names = names;
}

static void keep_cell(struct printer *printer, const char *name,
		      const char *text, bool is_text)
{
	size_t nr = printer->nr_cells++;

	/* Double the size when the number reaches a power of two. */
	if (!(nr & (nr + 1)))
		printer->cells = realloc(printer->cells,
					 2 * (nr + 1) * sizeof(struct cell));
	if (printer->cells)
		printer->cells[nr] =
			(struct cell){ name, strdup(text), is_text };
	if (!printer->cells || !printer->cells[nr].text) {
		perror("table");
		exit(3);
	}
}

static void put_text(struct printer *printer, const char *name,
		     const char *text, bool is_text)
{
	struct part *part = part_at(printer, 0);
	const struct part *around = part_at(printer, 1);

	if (part->kind == PART_OBJECT)
		fprintf(printer->out, "%s: %s\n", name, text);
	else if (around && around->kind == PART_TABLE)
		keep_cell(printer, name, text, is_text);
	else
		fprintf(printer->out, "%s%s", part->nr++ ? " " : "", text);
}

/* Print a cell. Its text is also that of JSON, between quotes if it @is_text. */
static void put(struct printer *printer, const char *name, const char *text,
		bool is_text)
{
	if (!printer->json)
		put_text(printer, name, text, is_text);
	else
		add(part_at(printer, 0), name,
		    is_text ? json_object_new_string(text) :
			      json_object_new_double_s(0, text));
}

void print_none(struct printer *printer, const char *name)
{
	if (printer->json)
		add(part_at(printer, 0), name, NULL);
	else
		put_text(printer, name, "-", false);
}

void print_text(struct printer *printer, const char *name, const char *text)
{
	put(printer, name, text, true);
}

static void put_u64(struct printer *printer, const char *name, __u64 number,
		    bool hex)
{
	char text[32];

	snprintf(text, sizeof(text), hex ? "0x%llx" : "%llu", number);
	put(printer, name, text, hex);
}

void print_u64(struct printer *printer, const char *name, __u64 number)
{
	put_u64(printer, name, number, false);
}

void print_number(struct printer *printer, const char *name, __u64 number)
{
	put_u64(printer, name, number, printer->hex);
}

void print_mode(struct printer *printer, const char *name, __u32 mode)
{
	char text[16];

	snprintf(text, sizeof(text), "%04o", mode);
	put(printer, name, text, true);
}

static int three_digits(double number)
{
	double most = 100;
	int decimals = 0;

	for (; number > 0 && number < most && decimals < 6; most /= 10)
		decimals++;
	return decimals;
}

void print_real(struct printer *printer, const char *name, double number,
		int decimals)
{
	char text[32];

	if (isnan(number)) {
		print_none(printer, name);
		return;
	}
	if (decimals == THREE_DIGITS)
		decimals = three_digits(number);
	snprintf(text, sizeof(text), "%.*f", decimals, number);
	put(printer, name, text, false);
}

static void base64(char *text, const unsigned char *bytes, size_t length)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i, j;

	for (i = 0; i < length; i += 3) {
		__u32 word = bytes[i] << 16;

		word |= i + 1 < length ? bytes[i + 1] << 8 : 0;
		word |= i + 2 < length ? bytes[i + 2] : 0;
		for (j = 0; j < 4; j++)
			*text++ = i + j <= length ?
					  digits[word >> (18 - 6 * j) & 63] :
					  '=';
	}
	*text = '\0';
}

/* A string that is UTF-8 is a string; others are {"base64": "..."}. */
static struct json_object *json_string(const unsigned char *bytes,
				       size_t length)
{
	char text[VALUE_BYTES_MAX * 4 / 3 + 4];
	struct json_object *object;

	if (escape_is_utf8(bytes, length))
		return json_object_new_string_len((const char *)bytes, length);
	base64(text, bytes, length);
	object = json_object_new_object();
	json_object_object_add(object, "base64", json_object_new_string(text));
	return object;
}

static void put_string(struct printer *printer, const char *name,
		       const unsigned char *bytes, size_t length)
{
	char text[VALUE_TEXT_MAX];

	if (printer->json) {
		add(part_at(printer, 0), name, json_string(bytes, length));
		return;
	}
	escape_write(text, bytes, length);
	put_text(printer, name, text, true);
}

void print_key(struct printer *printer, const char *name, const struct key *key)
{
	char text[KEY_TEXT_MAX];

	if (key_is_none(key))
		print_none(printer, name);
	else if (key->string)
		put_string(printer, name, key->bytes, key->length);
	else if (key->length == sizeof(__u64))
		print_number(printer, name, key_number(key));
	else
		put(printer, name,
		    key_text(text, key, printer->form, printer->hex), true);
}

void print_value(struct printer *printer, const char *name,
		 const struct value *value)
{
	if (value_is_none(value))
		print_none(printer, name);
	else if (value->string)
		put_string(printer, name, value->bytes, value->length);
	else
		print_number(printer, name, value->number);
}
