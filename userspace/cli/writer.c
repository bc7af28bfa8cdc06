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
};

struct writer *writer_open(const char *path, enum format format, bool hex)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		message("no memory");
		return NULL;
	}
	writer->path = strcmp(path, "-") ? path : "standard output";
	writer->format = format;
	writer->hex = hex;
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

int writer_put(struct writer *writer, const struct blink_tree_entry *entry)
{
	char separator = writer->format == FORMAT_CSV ? ',' : ' ';
	unsigned char pair[FORMAT_PAIR_BYTES];

	if (writer->format == FORMAT_BINARY) {
		format_encode_pair(entry, pair);
		fwrite(pair, sizeof(pair), 1, writer->file);
	} else {
		fprintf(writer->file,
			writer->hex ? "0x%llx%c0x%llx\n" : "%llu%c%llu\n",
			entry->key, separator, entry->value);
	}
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
