// SPDX-License-Identifier: GPL-2.0
/* Text: lines for people, tables for people, rows for other programs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "printer_style.h"

/* Size of a cell: as much as a value needs, and more than any key. */
#define CELL_MAX VALUE_TEXT_MAX

static void format_real(char cell[CELL_MAX], int decimals, double number)
{
	const char *form = isnan(number) ? "-" : "%.*f";

	snprintf(cell, CELL_MAX, form, decimals, number);
}

/* Return a field as text: in @cell, or the field itself if it is text. */
static const char *format(char cell[CELL_MAX], const struct printer *printer,
			  const struct field *field, const void *record)
{
	const void *at = field_at(field, record);
	const struct maybe *maybe = at;
	const struct value *value = at;
	const struct key *key = at;

	switch (field->type) {
	case FIELD_U32:
		snprintf(cell, CELL_MAX, "%u", *(const __u32 *)at);
		break;
	case FIELD_U64:
		snprintf(cell, CELL_MAX, "%llu", *(const __u64 *)at);
		break;
	case FIELD_NUMBER:
		snprintf(cell, CELL_MAX, printer->hex ? "0x%llx" : "%llu",
			 *(const __u64 *)at);
		break;
	case FIELD_KEY:
		if (key_is_none(key))
			return "-";
		return key_text(cell, key, printer->form, printer->hex);
	case FIELD_VALUE:
		if (value_is_none(value))
			return "-";
		return value_text(cell, value, printer->hex);
	case FIELD_COUNT:
		if (!maybe->known)
			return "-";
		snprintf(cell, CELL_MAX, "%llu", maybe->value);
		break;
	case FIELD_TEXT:
		return *(const char *const *)at;
	case FIELD_CHARS:
		return at;
	case FIELD_MODE:
		snprintf(cell, CELL_MAX, "%04o", *(const __u32 *)at);
		break;
	case FIELD_REAL:
		format_real(cell, 1, *(const double *)at);
		break;
	case FIELD_RATIO:
		format_real(cell, 2, *(const double *)at);
		break;
	case FIELD_DIGITS:
		format_real(cell, real_decimals(*(const double *)at),
			    *(const double *)at);
		break;
	}
	return cell;
}

static bool is_text(const struct field *field)
{
	return field->type == FIELD_TEXT || field->type == FIELD_CHARS;
}

static void heading(struct printer *printer, const struct schema *schema)
{
	if (printer->in_object && schema->name)
		fprintf(printer->out, "\n%s:\n", schema->name);
}

static void keep_cell(struct printer *printer, const char *text)
{
	/* Double the size when the number reaches a power of two. */
	if (!(printer->nr_cells & (printer->nr_cells + 1))) {
		size_t room = 2 * (printer->nr_cells + 1);

		printer->cells =
			realloc(printer->cells, room * sizeof(*printer->cells));
	}
	if (printer->cells)
		printer->cells[printer->nr_cells] = strdup(text);
	if (!printer->cells || !printer->cells[printer->nr_cells++]) {
		perror("table");
		exit(3);
	}
}

static void begin_list(struct printer *printer, const struct schema *schema)
{
	size_t i;

	heading(printer, schema);
	for (i = 0; schema->layout == LAYOUT_TABLE && i < schema->nr; i++)
		keep_cell(printer, schema->fields[i].name);
}

/* How many characters of UTF-8 a text has. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const struct printer *printer, size_t column,
			size_t columns)
{
	size_t i, width = 0;

	for (i = column; i < printer->nr_cells; i += columns) {
		size_t len = text_width(printer->cells[i]);

		width = len > width ? len : width;
	}
	return width;
}

/* Align numbers right and texts left. Print no blanks after the last column. */
static void print_table(struct printer *printer, const struct schema *schema)
{
	int widths[schema->nr];
	size_t i, column;

	for (column = 0; column < schema->nr; column++)
		widths[column] = column_width(printer, column, schema->nr);
	for (i = 0; i < printer->nr_cells; i++) {
		const char *cell = printer->cells[i];
		bool last, text;
		int blanks;

		column = i % schema->nr;
		last = column + 1 == schema->nr;
		blanks = widths[column] - text_width(cell);
		text = is_text(&schema->fields[column]);
		fprintf(printer->out, "%*s%s%*s%s", text ? 0 : blanks, "", cell,
			text && !last ? blanks : 0, "", last ? "\n" : "  ");
	}
}

static void end_list(struct printer *printer)
{
	size_t i;

	if (printer->list->layout == LAYOUT_TABLE)
		print_table(printer, printer->list);
	for (i = 0; i < printer->nr_cells; i++)
		free(printer->cells[i]);
	free(printer->cells);
	printer->cells = NULL;
	printer->nr_cells = 0;
}

static void print_line(struct printer *printer, const struct schema *schema,
		       size_t i, const char *text)
{
	switch (schema->layout) {
	case LAYOUT_LINES:
		fprintf(printer->out, "%s: %s\n", schema->fields[i].name, text);
		break;
	case LAYOUT_TABLE:
		keep_cell(printer, text);
		break;
	case LAYOUT_ROWS:
		fprintf(printer->out, "%s%c", text,
			i + 1 < schema->nr ? ' ' : '\n');
		break;
	}
}

static void record(struct printer *printer, const struct schema *schema,
		   const void *record)
{
	char cell[CELL_MAX];
	size_t i;

	if (!printer->list)
		heading(printer, schema);
	for (i = 0; i < schema->nr; i++)
		print_line(printer, schema, i,
			   format(cell, printer, &schema->fields[i], record));
}

static void nothing(struct printer *printer)
{
	(void)printer;
}

const struct style text_style = {
	.begin_object = nothing,
	.end_object = nothing,
	.begin_list = begin_list,
	.end_list = end_list,
	.record = record,
};
