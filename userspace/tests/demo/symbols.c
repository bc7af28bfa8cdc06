// SPDX-License-Identifier: GPL-2.0
/* Reading and searching the symbol table, without the tree. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

/* An address, a blank, the type, a blank. */
#define ADDRESS_DIGITS 16
#define NAME_OFFSET (ADDRESS_DIGITS + 3)

static void map_file(struct symbols *symbols, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat_;
	void *text;

	if (fd < 0 || fstat(fd, &stat_))
		fail("%s: %m", path);
	text = mmap(NULL, stat_.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		fail("%s: %m", path);
	close(fd);
	symbols->text = text;
	symbols->size = stat_.st_size;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool parse_address(const char *text, __u64 *address)
{
	int i;

	*address = 0;
	for (i = 0; i < ADDRESS_DIGITS; i++) {
		if (digit(text[i]) < 0)
			return false;
		*address = *address << 4 | digit(text[i]);
	}
	return text[i] == ' ' && text[i + 2] == ' ';
}

static void parse_lines(struct symbols *symbols)
{
	const char *line = symbols->text;
	const char *end = line + symbols->size;

	while (line < end) {
		struct symbol *symbol = &symbols->lines[symbols->nr_lines++];
		const char *newline = memchr(line, '\n', end - line);

		if (!newline || newline - line <= NAME_OFFSET ||
		    !parse_address(line, &symbol->address))
			fail("line %zu is not a symbol", symbols->nr_lines);
		symbol->position = line - symbols->text + NAME_OFFSET;
		line = newline + 1;
	}
}

static int compare(const void *a, const void *b)
{
	const struct symbol *left = a;
	const struct symbol *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->position < right->position ? -1 : 1;
}

/* Keep the last symbol of each address. */
static void sort_lines(struct symbols *symbols)
{
	struct symbol *sorted = symbols->sorted;
	size_t i;

	memcpy(sorted, symbols->lines, symbols->nr_lines * sizeof(*sorted));
	qsort(sorted, symbols->nr_lines, sizeof(*sorted), compare);
	for (i = 0; i < symbols->nr_lines; i++) {
		if (i + 1 == symbols->nr_lines ||
		    sorted[i].address != sorted[i + 1].address)
			sorted[symbols->nr++] = sorted[i];
	}
}

static size_t count_lines(const struct symbols *symbols)
{
	const char *end = symbols->text + symbols->size;
	const char *c = symbols->text;
	size_t nr = 0;

	while ((c = memchr(c, '\n', end - c))) {
		nr++;
		c++;
	}
	return nr;
}

void symbols_read(struct symbols *symbols, const char *path)
{
	size_t room;

	map_file(symbols, path);
	room = count_lines(symbols) + 1;
	symbols->lines = calloc(room, sizeof(*symbols->lines));
	symbols->sorted = calloc(room, sizeof(*symbols->sorted));
	if (!symbols->lines || !symbols->sorted)
		fail("no memory for %zu symbols", room);
	parse_lines(symbols);
	sort_lines(symbols);
	if (symbols->nr < 2)
		fail("%s hides the addresses: become root; sysctl kernel.kptr_restrict=1",
		     path);
}

ptrdiff_t symbols_floor(const struct symbols *symbols, __u64 address)
{
	size_t low = 0, high = symbols->nr;

	/* Symbols before @low are at most the address, those from @high on above it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->sorted[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return (ptrdiff_t)low - 1;
}

__u64 symbols_straight_floor(const struct symbols *symbols, __u64 address)
{
	const struct symbol *best = NULL;
	size_t i;

	for (i = 0; i < symbols->nr_lines; i++) {
		const struct symbol *line = &symbols->lines[i];

		if (line->address <= address &&
		    (!best || line->address >= best->address))
			best = line;
	}
	return best ? best->position : 0;
}

__u64 symbols_address_at(const struct symbols *symbols, __u64 position)
{
	__u64 address;

	if (position < NAME_OFFSET || position >= symbols->size ||
	    !parse_address(symbols->text + position - NAME_OFFSET, &address))
		fail("no symbol has the position %llu", position);
	return address;
}

const char *symbols_name_at(const struct symbols *symbols, __u64 position,
			    int *len)
{
	const char *name = symbols->text + position;

	*len = strcspn(name, "\t\n");
	return name;
}

static bool has_name(const struct symbols *symbols, size_t line,
		     const char *name)
{
	int len;
	const char *found =
		symbols_name_at(symbols, symbols->lines[line].position, &len);

	return len == (int)strlen(name) && !memcmp(found, name, len);
}

__u64 symbols_find(const struct symbols *symbols, const char *name)
{
	size_t i;

	for (i = 0; i < symbols->nr_lines; i++) {
		if (has_name(symbols, i, name))
			return symbols->lines[i].address;
	}
	fail("no symbol %s", name);
}

bool symbols_in_module(const struct symbols *symbols, __u64 position,
		       const char *module)
{
	size_t module_len = strlen(module);
	const char *end;
	int len;

	end = symbols_name_at(symbols, position, &len) + len;
	return end[0] == '\t' && end[1] == '[' &&
	       !strncmp(end + 2, module, module_len) &&
	       end[2 + module_len] == ']';
}

void symbols_remove(struct symbols *symbols, const bool *gone)
{
	size_t i, kept = 0;

	for (i = 0; i < symbols->nr; i++) {
		if (!gone[i])
			symbols->sorted[kept++] = symbols->sorted[i];
	}
	symbols->nr = kept;
}
