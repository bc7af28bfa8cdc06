// SPDX-License-Identifier: GPL-2.0
/* The universe of a test's model (model.h), and ranges of it. */
#include <linux/minmax.h>
#include <linux/sort.h>

#include "universe.h"

/* An empty model of keys at equal distances; the last one does not wrap. */
void model_init(struct kunit *test, struct model *model, u64 base, u64 step,
		unsigned int nr)
{
	unsigned int i;

	*model = (struct model){
		.nr = nr,
		.key = fixture_alloc(test, nr, sizeof(u64)),
		.value = fixture_alloc(test, nr, sizeof(u64)),
		.present = fixture_alloc(test, nr, sizeof(bool)),
	};
	for (i = 0; i < nr; i++)
		model->key[i] = base + i * step;
}

static int compare_keys(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* An empty model of at most so many random keys. */
void model_init_random(struct kunit *test, struct model *model, unsigned int nr,
		       struct rnd_state *rnd)
{
	unsigned int i, n = 1;

	model_init(test, model, 0, 0, nr);
	for (i = 0; i < nr; i++)
		model->key[i] = fixture_random(rnd);
	sort(model->key, nr, sizeof(u64), compare_keys, NULL);
	for (i = 1; i < nr; i++)
		if (model->key[i] != model->key[n - 1])
			model->key[n++] = model->key[i];
	model->nr = n;
}

/* Set @entries to those of a range, in order; returns how many there are. */
unsigned int model_range(const struct model *model,
			 const struct blink_scan *scan,
			 struct blink_tree_entry *entries)
{
	unsigned int i, n = 0;

	for (i = model_rank(model, scan->first);
	     i < model->nr && model->key[i] <= scan->last; i++) {
		if (!model->present[i])
			continue;
		entries[n].key = model->key[i];
		entries[n++].value = model->value[i];
	}
	for (i = 0; scan->desc && i < n / 2; i++)
		swap(entries[i], entries[n - 1 - i]);
	return n;
}
