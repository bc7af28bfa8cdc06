// SPDX-License-Identifier: GPL-2.0
/* The printer: keeps track of the parts of a document, for both styles. */
#include <stdlib.h>

#include "printer_style.h"

struct printer *printer_new(FILE *out, bool json, bool pretty, bool hex,
			    enum key_form form)
{
	struct printer *printer = calloc(1, sizeof(*printer));

	if (!printer)
		return NULL;
	printer->style = json ? &json_style : &text_style;
	printer->out = out;
	printer->pretty = pretty;
	printer->hex = hex;
	printer->form = form;
	return printer;
}

void printer_finish(struct printer *printer)
{
	if (printer->list)
		print_list_end(printer);
	if (printer->in_object)
		print_object_end(printer);
	free(printer);
}

int real_decimals(double number)
{
	double most = 100;
	int decimals = 0;

	for (; number > 0 && number < most && decimals < 6; most /= 10)
		decimals++;
	return decimals;
}

void print_object_begin(struct printer *printer)
{
	printer->in_object = true;
	printer->style->begin_object(printer);
}

void print_object_end(struct printer *printer)
{
	printer->style->end_object(printer);
	printer->in_object = false;
}

void print_list_begin(struct printer *printer, const struct schema *schema)
{
	printer->list = schema;
	printer->nr = 0;
	printer->style->begin_list(printer, schema);
}

void print_list_end(struct printer *printer)
{
	printer->style->end_list(printer);
	printer->list = NULL;
}

void print_record(struct printer *printer, const struct schema *schema,
		  const void *record)
{
	printer->style->record(printer, schema, record);
	printer->nr++;
}
