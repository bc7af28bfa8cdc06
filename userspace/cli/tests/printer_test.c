// SPDX-License-Identifier: GPL-2.0
/* Tables, numbers, and documents that a command gives up; printing.py has the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../tests/common/tap.h"
#include "../printer.h"
#include "../util.h"

typedef void document_fn(struct printer *out);

/* The document must be this text. */
static void check_document(document_fn *document, bool json, bool pretty,
			   const char *expected)
{
	struct printer *printer;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	printer = printer_new(file, json, pretty, false, KEY_FORM_HEX);
	document(printer);
	printer_finish(printer);
	fclose(file);
	if (!tap_check(!strcmp(text, expected)))
		printf("# got:\n%s# expected:\n%s", text, expected);
	free(text);
}

static void row(struct printer *out, const char *name, double number)
{
	print_begin(out, PART_ROW, NULL);
	print_text(out, "name", name);
	print_real(out, "number", number, THREE_DIGITS);
	print_text(out, "end", "e");
	print_end(out);
}

static void digits(struct printer *out)
{
	static const double numbers[] = { 12345.6, 123.4,     12.34, 1.234,
					  0.01234, 1.0 / 1e9, 0,     NAN };
	size_t i;

	print_begin(out, PART_TABLE, NULL);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		row(out, i ? "" : "M\u00fchlig", numbers[i]);
	print_end(out);
}

static void test_digits(void)
{
	check_document(digits, false, false,
		       "name      number  end\n"
		       "M\u00fchlig     12346  e\n"
		       "             123  e\n"
		       "            12.3  e\n"
		       "            1.23  e\n"
		       "          0.0123  e\n"
		       "        0.000000  e\n"
		       "               0  e\n"
		       "               -  e\n");
	tap_case("three digits, and texts with letters of several bytes");
}

static void empty(struct printer *out)
{
	print_begin(out, PART_TABLE, NULL);
	print_names(out, "a  b");
	print_end(out);
}

static void test_empty(void)
{
	check_document(empty, false, false, "a  b\n");
	check_document(empty, true, false, "[]\n");
	check_document(empty, true, true, "[]\n");
	tap_case("a table without rows");
}

static void broken(struct printer *out)
{
	print_begin(out, PART_OBJECT, NULL);
	print_begin(out, PART_TABLE, "table");
	row(out, "a", 1);
	print_begin(out, PART_ROW, NULL);
	print_text(out, "name", "b");
}

static void test_broken(void)
{
	check_document(
		broken, true, false,
		"{\"table\":[{\"name\":\"a\",\"number\":1.00,\"end\":\"e\"},{\"name\":\"b\"}]}\n");
	tap_case("a document that was given up is well-formed");
}

int main(void)
{
	const unsigned int planned = 3;

	tap_begin(planned);
	test_digits();
	test_empty();
	test_broken();
	return tap_exit(planned);
}
