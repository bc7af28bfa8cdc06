// SPDX-License-Identifier: GPL-2.0
/* Writing entries to a file. Closing it finds every error. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "writer.h"

struct writer {
	FILE *file;
	const char *path;
	enum format format;
	bool hex;
	enum key_form form;
};

struct writer *writer_open(const char *path, enum format format, bool hex,
			   enum key_form form)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		message("no memory");
		return NULL;
	}
	writer->path = strcmp(path, "-") ? path : "standard output";
	writer->format = format;
	writer->hex = hex;
	writer->form = form;
	writer->file = strcmp(path, "-") ? fopen(path, "we") : stdout;
	if (!writer->file) {
		message("%s: %s", path, strerror(errno));
		free(writer);
		return NULL;
	}
	if (format == FORMAT_CSV)
		fputs("key,value\n", writer->file);
	return writer;
}

static void put_text(struct writer *writer, const struct entry *entry)
{
	char separator = writer->format == FORMAT_CSV ? ',' : ' ';
	char key[KEY_TEXT_MAX], value[VALUE_TEXT_MAX];

	key_text(key, &entry->key, writer->form, writer->hex);
	value_text(value, &entry->value, writer->hex);
	fprintf(writer->file, "%s%c%s\n", key, separator, value);
}

int writer_put(struct writer *writer, const struct entry *entry)
{
	unsigned char pair[FORMAT_PAIR_MAX];

	if (writer->format == FORMAT_BINARY)
		fwrite(pair, format_encode_pair(entry, pair), 1, writer->file);
	else
		put_text(writer, entry);
	return ferror(writer->file);
}

int writer_close(struct writer *writer)
{
	int broken = ferror(writer->file);

	if (writer->file == stdout)
		broken |= fflush(stdout);
	else
		broken |= fclose(writer->file);
	if (broken)
		message("%s: writing failed: %s", writer->path,
			strerror(errno));
	free(writer);
	return broken;
}
