// SPDX-License-Identifier: GPL-2.0
/*
 * Programs as text. A line is a call:
 *
 *   KIND[32] [LANE [SLOT [TO [PLACE [SIZE [TAIL [VALUE...]]]]]]]
 *
 * Numbers are hexadecimal; a word left out at the end is zero, or "start". A
 * '#' begins a comment, an empty line ends a program. Numbers out of range are
 * brought into it: a text that a tool for bytes has changed shall stay a program,
 * if it can.
 */
#include <stdlib.h>
#include <string.h>

#include "program.h"

const char *const place_names[PLACES] = {
	[PLACE_START] = "start",	 [PLACE_END] = "end",
	[PLACE_ACROSS] = "across",	 [PLACE_READ_ONLY] = "read-only",
	[PLACE_NOT_THERE] = "not-there", [PLACE_NULL] = "null",
	[PLACE_KERNEL] = "kernel",	 [PLACE_LAST] = "last",
	[PLACE_WRAP] = "wrap",		 [PLACE_SAME] = "same",
	[PLACE_OTHER] = "other",	 [PLACE_FRESH] = "fresh",
};

static bool find_kind(const char *word, struct call *call)
{
	size_t len = strlen(word);

	call->compat = len > 2 && !strcmp(word + len - 2, "32");
	len -= call->compat ? 2 : 0;
	for (call->kind = 0; call->kind < KINDS; call->kind++) {
		const char *name = kind_specs[call->kind].name;

		if (strlen(name) == len && !memcmp(name, word, len))
			return true;
	}
	return false;
}

static bool find_place(const char *word, __u8 *place)
{
	for (*place = 0; *place < PLACES; ++*place) {
		if (!strcmp(place_names[*place], word))
			return true;
	}
	return false;
}

static __u64 number(const char *word)
{
	return word ? strtoull(word, NULL, 16) : 0;
}

static bool parse_call(char *line, struct call *call)
{
	const char *word, *blank = " \t\r\n";
	char *rest;
	unsigned int i;

	memset(call, 0, sizeof(*call));
	word = strtok_r(line, blank, &rest);
	if (!word || !find_kind(word, call))
		return false;
	call->lane = number(strtok_r(NULL, blank, &rest)) % LANES;
	call->slot = number(strtok_r(NULL, blank, &rest)) % SLOTS;
	call->to = number(strtok_r(NULL, blank, &rest)) % SLOTS;
	word = strtok_r(NULL, blank, &rest);
	if (word && !find_place(word, &call->place))
		return false;
	call->size = number(strtok_r(NULL, blank, &rest)) & 0x3fff;
	call->tail = number(strtok_r(NULL, blank, &rest));
	for (i = 0; i < kind_specs[call->kind].nr; i++)
		call->value[i] = number(strtok_r(NULL, blank, &rest));
	return true;
}

int program_read(struct program *program, FILE *file, unsigned int *line)
{
	char text[400];

	program->nr = 0;
	while (program->nr < CALLS_MAX && fgets(text, sizeof(text), file)) {
		++*line;
		if (*text == '#')
			continue;
		if (*text == '\n') {
			if (program->nr)
				return 1;
			continue;
		}
		if (!parse_call(text, &program->calls[program->nr]))
			return -1;
		program->nr++;
	}
	return program->nr > 0;
}

static void write_call(const struct call *call, FILE *file)
{
	const struct kind_spec *spec = &kind_specs[call->kind];
	unsigned int i, nr = spec->nr;

	fprintf(file, "%s%s %x %x %x %s %x %x", spec->name,
		call->compat ? "32" : "", call->lane, call->slot, call->to,
		place_names[call->place], call->size, call->tail);
	while (nr && !call->value[nr - 1])
		nr--;
	for (i = 0; i < nr; i++)
		fprintf(file, " %llx", call->value[i]);
	fputc('\n', file);
}

void program_write(const struct program *program, FILE *file)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++)
		write_call(&program->calls[i], file);
	fputc('\n', file);
}

bool program_is_parallel(const struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		if (program->calls[i].lane)
			return true;
	}
	return false;
}
