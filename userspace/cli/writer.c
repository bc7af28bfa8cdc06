// SPDX-License-Identifier: GPL-2.0
/* Writing entries to a file (writer.h): a stream before an output. */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "output.h"
#include "writer.h"

struct writer {
	struct output *output;
	FILE *file;
	bool failed;
	enum format format;
	bool hex;
	enum key_form form;
};

/*
 * The stream takes less than all bytes for an error. It calls again for the bytes that
 * follow, and when it is closed.
 */
static ssize_t write_output(void *cookie, const char *bytes, size_t len)
{
	struct writer *writer = cookie;

	if (writer->failed)
		return 0;
	writer->failed = !output_write(writer->output, bytes, len);
	return writer->failed ? 0 : (ssize_t)len;
}

static bool open_file(struct writer *writer, const char *path)
{
	const cookie_io_functions_t functions = { .write = write_output };

	writer->output = output_open(path, 0666);
	if (!writer->output)
		return false;
	writer->file = fopencookie(writer, "w", functions);
	if (writer->file)
		return true;
	output_discard(writer->output);
	message("no memory");
	return false;
}

struct writer *writer_open(const char *path, enum format format, bool hex,
			   enum key_form form)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		message("no memory");
		return NULL;
	}
	writer->format = format;
	writer->hex = hex;
	writer->form = form;
	if (!open_file(writer, path)) {
		free(writer);
		return NULL;
	}
	if (format == FORMAT_CSV)
		fputs("key,value\n", writer->file);
	return writer;
}

static void put_text(struct writer *writer, const struct entry *entry)
{
	char key[KEY_TEXT_MAX], value[VALUE_TEXT_MAX];

	key_text(key, &entry->key, writer->form, writer->hex);
	value_text(value, &entry->value, writer->hex);
	fprintf(writer->file, "%s %s\n", key, value);
}

/* A string is written as it is, between quotes. */
static void put_record(struct writer *writer, const struct entry *entry)
{
	char key[KEY_TEXT_MAX], value[VALUE_TEXT_MAX];

	if (entry->key.string)
		csv_fwrite(writer->file, entry->key.bytes, entry->key.length);
	else
		fputs(key_text(key, &entry->key, writer->form, writer->hex),
		      writer->file);
	fputc(',', writer->file);
	if (entry->value.string)
		csv_fwrite(writer->file, entry->value.bytes,
			   entry->value.length);
	else
		fputs(value_text(value, &entry->value, writer->hex),
		      writer->file);
	fputc('\n', writer->file);
}

bool writer_put(struct writer *writer, const struct entry *entry)
{
	unsigned char pair[FORMAT_PAIR_MAX];

	if (writer->format == FORMAT_BINARY)
		fwrite(pair, format_encode_pair(entry, pair), 1, writer->file);
	else if (writer->format == FORMAT_CSV)
		put_record(writer, entry);
	else
		put_text(writer, entry);
	return !writer->failed;
}

static bool flush(struct writer *writer)
{
	return !fclose(writer->file) && !writer->failed;
}

bool writer_close(struct writer *writer, bool complete)
{
	bool good = flush(writer) && complete;

	if (good)
		good = output_commit(writer->output);
	else
		output_discard(writer->output);
	free(writer);
	return good;
}
