// SPDX-License-Identifier: GPL-2.0
/*
 * JSON. If a list is the whole document, each record is printed at once, so that the
 * scan of a large tree needs little memory. An object is printed at its end. A number
 * is a JSON number with up to 64 bits; with --hex it is a string. A key of 128 bits is
 * always a string. A key or a value of bytes is a string if it is UTF-8 without control
 * characters, otherwise an object with its bytes in base64.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "printer_style.h"

static struct json_object *number(const struct printer *printer, __u64 value)
{
	char text[32];

	if (!printer->hex)
		return json_object_new_uint64(value);
	snprintf(text, sizeof(text), "0x%llx", value);
	return json_object_new_string(text);
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
static struct json_object *string(const unsigned char *bytes, size_t length)
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

static struct json_object *key(const struct printer *printer,
			       const struct key *key)
{
	char text[KEY_TEXT_MAX];

	if (key_is_none(key))
		return NULL;
	if (key->string)
		return string(key->bytes, key->length);
	if (key->length == sizeof(__u64))
		return number(printer, key_number(key));
	return json_object_new_string(
		key_text(text, key, printer->form, printer->hex));
}

static struct json_object *value(const struct printer *printer,
				 const struct value *value)
{
	if (value_is_none(value))
		return NULL;
	if (value->string)
		return string(value->bytes, value->length);
	return number(printer, value->number);
}

static struct json_object *real(int decimals, double value)
{
	char text[32];

	if (isnan(value))
		return NULL;
	snprintf(text, sizeof(text), "%.*f", decimals, value);
	return json_object_new_double_s(value, text);
}

static struct json_object *mode(__u32 value)
{
	char text[16];

	snprintf(text, sizeof(text), "%04o", value);
	return json_object_new_string(text);
}

static struct json_object *value_of(const struct printer *printer,
				    const struct field *field, const void *at)
{
	const struct maybe *maybe = at;

	switch (field->type) {
	case FIELD_U32:
		return json_object_new_uint64(*(const __u32 *)at);
	case FIELD_U64:
		return json_object_new_uint64(*(const __u64 *)at);
	case FIELD_NUMBER:
		return number(printer, *(const __u64 *)at);
	case FIELD_KEY:
		return key(printer, at);
	case FIELD_VALUE:
		return value(printer, at);
	case FIELD_COUNT:
		return maybe->known ? json_object_new_uint64(maybe->value) :
				      NULL;
	case FIELD_TEXT:
		return json_object_new_string(*(const char *const *)at);
	case FIELD_CHARS:
		return json_object_new_string(at);
	case FIELD_MODE:
		return mode(*(const __u32 *)at);
	case FIELD_REAL:
		return real(1, *(const double *)at);
	case FIELD_RATIO:
		return real(2, *(const double *)at);
	case FIELD_DIGITS:
		return real(real_decimals(*(const double *)at),
			    *(const double *)at);
	}
	return NULL;
}

static void add_fields(struct printer *printer, struct json_object *to,
		       const struct schema *schema, const void *record)
{
	size_t i;

	for (i = 0; i < schema->nr; i++) {
		const struct field *field = &schema->fields[i];

		json_object_object_add(to, field->name,
				       value_of(printer, field,
						field_at(field, record)));
	}
}

/* Print and free an object; @indent begins each of its lines. */
static void write_object(struct printer *printer, struct json_object *object,
			 const char *indent)
{
	int flags = printer->pretty ? JSON_C_TO_STRING_PRETTY :
				      JSON_C_TO_STRING_PLAIN;
	const char *line;
	const char *end;

	flags |= JSON_C_TO_STRING_NOSLASHESCAPE;
	line = json_object_to_json_string_ext(object, flags);
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

static void begin_object(struct printer *printer)
{
	printer->object = json_object_new_object();
}

static void end_object(struct printer *printer)
{
	write_object(printer, printer->object, "");
	fputc('\n', printer->out);
	printer->object = NULL;
}

static void begin_list(struct printer *printer, const struct schema *schema)
{
	if (printer->in_object) {
		printer->array = json_object_new_array();
		json_object_object_add(printer->object, schema->name,
				       printer->array);
	} else {
		fputc('[', printer->out);
	}
}

static void end_list(struct printer *printer)
{
	if (!printer->in_object)
		fputs(printer->pretty && printer->nr ? "\n]\n" : "]\n",
		      printer->out);
	printer->array = NULL;
}

/* End a list that is the whole document. */
static void write_element(struct printer *printer, struct json_object *element)
{
	if (printer->nr)
		fputc(',', printer->out);
	if (printer->pretty)
		fputc('\n', printer->out);
	write_object(printer, element, printer->pretty ? "  " : "");
}

static void record(struct printer *printer, const struct schema *schema,
		   const void *record)
{
	struct json_object *object;

	if (printer->in_object && !printer->list && !schema->name) {
		add_fields(printer, printer->object, schema, record);
		return;
	}
	object = json_object_new_object();
	add_fields(printer, object, schema, record);
	if (printer->array) {
		json_object_array_add(printer->array, object);
	} else if (printer->list) {
		write_element(printer, object);
	} else if (printer->in_object) {
		json_object_object_add(printer->object, schema->name, object);
	} else {
		write_object(printer, object, "");
		fputc('\n', printer->out);
	}
}

const struct style json_style = {
	.begin_object = begin_object,
	.end_object = end_object,
	.begin_list = begin_list,
	.end_list = end_list,
	.record = record,
};
