// SPDX-License-Identifier: GPL-2.0
/* Input files: lines or blocks, with positions for messages and progress. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "interrupt.h"
#include "message.h"

struct input {
	FILE *file;
	const char *path;
	__u64 position;
	__u64 size;
	/* The line that was read last, and its number, counted from 1. */
	char *line;
	size_t len;
	size_t room;
	__u64 number;
};

static __u64 find_size(FILE *file)
{
	struct stat stat_;

	if (fstat(fileno(file), &stat_) || !S_ISREG(stat_.st_mode))
		return 0;
	return stat_.st_size;
}

struct input *input_open(const char *path)
{
	struct input *input = calloc(1, sizeof(*input));
	bool is_stdin = !strcmp(path, "-");

	if (!input) {
		message("no memory");
		return NULL;
	}
	input->path = is_stdin ? "standard input" : path;
	input->file = is_stdin ? stdin : fopen(path, "re");
	if (!input->file) {
		message("%s: %s", path, strerror(errno));
		free(input);
		return NULL;
	}
	input->size = find_size(input->file);
	return input;
}

void input_close(struct input *input)
{
	if (input->file != stdin)
		fclose(input->file);
	free(input->line);
	free(input);
}

static int end_or_error(const struct input *input)
{
	if (!ferror(input->file))
		return 0;
	if (!interrupted())
		message("%s: %s", input->path, strerror(errno));
	return -1;
}

/* Programs of Windows mark a file of UTF-8 by U+FEFF before its first line. */
static void skip_mark(const char **line, size_t *len)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (*len < 3 || memcmp(*line, mark, 3))
		return;
	*line += 3;
	*len -= 3;
}

int input_line(struct input *input, const char **line, size_t *len)
{
	ssize_t ret = getline(&input->line, &input->room, input->file);

	if (ret < 0)
		return end_or_error(input);
	input->position += ret;
	input->number++;
	if (ret && input->line[ret - 1] == '\n')
		ret--;
	input->len = ret;
	*line = input->line;
	*len = ret;
	if (input->number == 1)
		skip_mark(line, len);
	return 1;
}

ssize_t input_read(struct input *input, void *bytes, size_t len)
{
	size_t nr = fread(bytes, 1, len, input->file);

	input->position += nr;
	return nr < len && end_or_error(input) ? -1 : (ssize_t)nr;
}

void input_complain(const struct input *input, const char *why)
{
	size_t i, shown = input->len < 60 ? input->len : 60;
	char text[64];

	for (i = 0; i < shown; i++) {
		unsigned char c = input->line[i];

		text[i] = isprint(c) ? c : '?';
	}
	text[shown] = '\0';
	message("%s:%llu: %s: %s%s", input->path, input->number, why, text,
		shown < input->len ? "..." : "");
}

const char *input_name(const struct input *input)
{
	return input->path;
}

__u64 input_position(const struct input *input)
{
	return input->position;
}

__u64 input_size(const struct input *input)
{
	return input->size;
}

bool input_is_terminal(const struct input *input)
{
	return isatty(fileno(input->file));
}
