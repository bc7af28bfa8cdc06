// SPDX-License-Identifier: GPL-2.0
/* The cells of a figure, for the CPUs and the memory of this machine (study.h). */
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study.h"

/* Keys of a figure whose text gives no number. */
#define KEYS 1000000
#define OPS 200000
#define QUICK_KEYS 200000
#define QUICK_OPS 100000

/* Memory for a key: as much as the largest schemes need, with some copies. */
#define BYTES_PER_KEY 128

static unsigned int count_cpus(const struct args *args)
{
	return args->lab.cpus ?: (u64)sysconf(_SC_NPROCESSORS_ONLN);
}

static void add_number(struct list *list, u64 number)
{
	list->at[list->nr++] = number;
}

/*
 * The numbers of threads of a figure that this machine, or the one of --cpus, has CPUs
 * for. A figure that goes beyond that ends with the number of CPUs.
 */
static void choose_threads(const struct figure *figure, const struct args *args,
			   struct list *list)
{
	unsigned int cpus = count_cpus(args), last = 0, i;

	for (i = 0; figure->threads[i]; i++) {
		last = figure->threads[i];
		if (last <= cpus)
			add_number(list, last);
	}
	if (!list->nr)
		add_number(list, 1);
	if (last > cpus && list->at[list->nr - 1] != cpus)
		add_number(list, cpus);
}

/* The numbers up to a 0; or one that stands for "as the scheme has it". */
static void copy_numbers(const unsigned int *from, struct list *list,
			 u64 otherwise)
{
	unsigned int i;

	if (list->nr)
		return;
	for (i = 0; from[i]; i++)
		add_number(list, from[i]);
	if (!list->nr)
		add_number(list, otherwise);
}

static u64 available_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long long kib = 0;
	char line[128];

	if (!file)
		return ~0ULL;
	while (!kib && fgets(line, sizeof(line), file))
		sscanf(line, "MemAvailable: %llu", &kib);
	fclose(file);
	return kib ? kib << 10 : ~0ULL;
}

static u64 choose_keys(const struct figure *figure, const struct args *args)
{
	u64 keys = args->lab.keys ?: figure->keys ?: KEYS;
	u64 most = available_memory() / 2 / BYTES_PER_KEY;

	if (args->lab.quick && !args->lab.keys && keys > QUICK_KEYS)
		keys = QUICK_KEYS;
	if (keys <= most || args->lab.keys)
		return keys;
	message("%s: %llu keys instead of %llu, because %llu MiB of memory are available",
		figure->name, most, keys, available_memory() >> 20);
	return most;
}

static struct cell *find_baseline(struct study *study, const struct cell *cell)
{
	const struct point *point = &cell->point, *first = &study->cell->point;
	struct cell *other;

	for (other = study->cell; other < study->cell + study->nr; other++) {
		if (!strcmp(other->point.scheme, study->figure->scheme[0]) &&
		    !strcmp(other->point.mix, point->mix) &&
		    other->point.threads == point->threads &&
		    other->point.batch == 1 &&
		    other->point.node_bytes == first->node_bytes)
			return other;
	}
	return NULL;
}

static struct cell *add_cell(struct study *study, const struct point *point)
{
	struct cell *cells = study->cell;

	if (!(study->nr & (study->nr - 1)))
		cells = realloc(cells,
				2 * (study->nr + !study->nr) * sizeof(*cells));
	if (!cells)
		return NULL;
	study->cell = cells;
	cells[study->nr] = (struct cell){ .point = *point };
	return &cells[study->nr++];
}

/* All sizes of batches and nodes of a scheme, and one by one if it is the baseline. */
static bool add_sizes(struct study *study, struct point point,
		      const struct list *batches, const struct list *sizes)
{
	bool first = !strcmp(point.scheme, study->figure->scheme[0]);
	size_t b, s;

	for (s = 0; s < sizes->nr; s++) {
		point.node_bytes = sizes->at[s];
		point.batch = 1;
		if (first && batches->at[0] != 1 && !add_cell(study, &point))
			return false;
		for (b = 0; b < batches->nr; b++) {
			point.batch = batches->at[b];
			if (!add_cell(study, &point))
				return false;
		}
	}
	return true;
}

static bool add_all(struct study *study, struct point point,
		    const struct args *args)
{
	const struct figure *figure = study->figure;
	struct list threads = args->lab.threads, batches = args->lab.batches;
	struct list sizes = args->lab.node_bytes;
	size_t t;
	int m, s;

	if (!threads.nr)
		choose_threads(figure, args, &threads);
	copy_numbers(figure->batch, &batches, 1);
	copy_numbers(figure->node_bytes, &sizes, 0);
	for (m = 0; figure->mix[m]; m++) {
		point.mix = figure->mix[m];
		for (t = 0; t < threads.nr; t++) {
			point.threads = threads.at[t];
			for (s = 0; figure->scheme[s]; s++) {
				point.scheme = figure->scheme[s];
				if (!add_sizes(study, point, &batches, &sizes))
					return false;
			}
		}
	}
	return true;
}

bool study_plan(struct study *study, const struct figure *figure,
		const struct args *args)
{
	const struct point point = {
		.order = lab_order_names[args->lab.order],
		.keys = choose_keys(figure, args),
		.warm_up = args->lab.warm_up,
		.ops = args->lab.ops	       ?:
			       args->lab.quick ? QUICK_OPS :
						 OPS,
		.seed = args->lab.seed,
		.timed = figure->unit == FIGURE_NANOSECONDS,
	};
	struct cell *cell;

	*study = (struct study){ .figure = figure };
	if (!add_all(study, point, args)) {
		message("no memory");
		return false;
	}
	for (cell = study->cell; cell < study->cell + study->nr; cell++) {
		cell->baseline = find_baseline(study, cell);
		if (cell->point.threads > study->threads)
			study->threads = cell->point.threads;
	}
	return true;
}

void study_free(struct study *study)
{
	free(study->cell);
}
