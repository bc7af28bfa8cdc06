// SPDX-License-Identifier: GPL-2.0
/* Sorting and searching the symbols by name, without the tree. */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "names.h"

struct name names_of_line(const struct symbols *symbols, size_t line)
{
	const struct symbol *symbol = &symbols->lines[line];
	struct name name = { .address = symbol->address };

	name.text = symbols_name_at(symbols, symbol->position, &name.len);
	return name;
}

static int compare_text(const struct name *a, const struct name *b)
{
	int order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return order ?: a->len - b->len;
}

static int compare(const void *a, const void *b)
{
	const struct name *left = a, *right = b;
	int order = compare_text(left, right);

	return order ?:
		       (left->address > right->address) -
			       (left->address < right->address);
}

static void remove_equal(struct names *names)
{
	size_t i, kept = 0;

	for (i = 0; i < names->nr; i++) {
		if (!kept ||
		    compare(&names->sorted[kept - 1], &names->sorted[i]))
			names->sorted[kept++] = names->sorted[i];
	}
	names->nr = kept;
}

static void count(struct names *names)
{
	size_t i, len;

	for (i = 0; i < names->nr; i += len) {
		len = names_run(names, i);
		names->different++;
		names->shared += len > 1;
		if (len <= names->most)
			continue;
		names->most = len;
		names->example = i;
	}
}

void names_sort(struct names *names, const struct symbols *symbols)
{
	size_t i;

	*names = (struct names){ .nr = symbols->nr_lines };
	names->sorted = calloc(names->nr, sizeof(*names->sorted));
	if (!names->sorted)
		fail("names: no memory");
	for (i = 0; i < names->nr; i++)
		names->sorted[i] = names_of_line(symbols, i);
	qsort(names->sorted, names->nr, sizeof(*names->sorted), compare);
	remove_equal(names);
	count(names);
}

size_t names_run(const struct names *names, size_t first)
{
	size_t i = first;

	while (i < names->nr &&
	       !compare_text(&names->sorted[i], &names->sorted[first]))
		i++;
	return i - first;
}

size_t names_find(const struct names *names, const struct name *name)
{
	size_t low = 0, high = names->nr;

	/* Entries before @low have a lesser name, those from @high on have not. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_text(&names->sorted[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == names->nr || compare_text(&names->sorted[low], name))
		fail("names: no symbol %.*s", name->len, name->text);
	return low;
}
