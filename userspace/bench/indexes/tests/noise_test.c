// SPDX-License-Identifier: GPL-2.0
/*
 * Figures that are too noisy: which ones, and whether the table and the file say so.
 * Prints TAP. What the table needs of the benchmark and nothing calls is made up here.
 */
#include <linux/kernel.h>
#include <stdlib.h>
#include <unistd.h>

#include "../chase.h"
#include "../plan.h"

#define ROUNDS 5

const struct lab_index_ops lab_blink_ops;
const struct lab_scheme index_memory = { .name = "memory" };
const unsigned int chase_chains[CHASES] = { 1, 16, 32 };
const char *const workload_name[WORK_NR] = { "insert", "lookup" };
const char *const workload_text[WORK_NR] = { "of inserts", "of lookups" };

double latency_overhead(void)
{
	return 20;
}

static unsigned int results;

static void result(bool good, const char *name)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++results, name);
}

/* The rounds are put in order, so each call has some of its own. */
#define noisy(...)                          \
	is_noisy((double[]){ __VA_ARGS__ }, \
		 ARRAY_SIZE(((double[]){ __VA_ARGS__ })))

static bool is_noisy(double *rounds, unsigned int nr)
{
	struct summary sum = summarise(rounds, nr);

	return summary_is_noisy(&sum);
}

static void test_rule(void)
{
	result(!noisy(1), "one round is not noisy");
	result(!noisy(0, 0, 0), "nothing measured is not noisy");
	result(!noisy(1, 1.14) && noisy(1, 1.17), "two rounds");
	result(!noisy(1, 1.1, 1.14) && noisy(1.2, 1, 1.1), "three rounds");
	result(!noisy(100, 1.1, 1, 1.05, 0.01),
	       "of five rounds, one slow and one fast do not count");
	result(noisy(1, 1.2, 1.2, 1, 1.1), "of five rounds, two slow ones do");
	result(!noisy(100, 108, 115, 100, 115) &&
		       noisy(100, 108, 117, 100, 117),
	       "15 percent are the limit");
}

/* The memory, and an index whose inserts are steady and whose lookups are not. */
static void make_results(struct results *r, struct plan *plan,
			 const struct lab_scheme *scheme, double slow)
{
	static struct sample samples[2][ROUNDS];
	unsigned int i;

	*plan = (struct plan){
		.index = { scheme },
		.nr_index = 1,
		.mask = 3,
		.rounds = ROUNDS,
		.nr_settings = 2,
		.setting = { { &index_memory, 10000, 1, 1 },
			     { scheme, 10000, 1, 1 } },
	};
	r->plan = plan;
	for (i = 0; i < ROUNDS; i++) {
		samples[1][i].mops[WORK_INSERT] = 2;
		samples[1][i].mops[WORK_LOOKUP] = i < 2 ? slow : 3;
	}
	r->sample[0] = samples[0];
	r->sample[1] = samples[1];
}

/* What the table, or the file, says. */
static char *table_of(const struct results *r)
{
	FILE *old = stdout;
	size_t size;
	char *text;

	stdout = open_memstream(&text, &size);
	table_print(r);
	fclose(stdout);
	stdout = old;
	return text;
}

static char *json_of(const struct results *r)
{
	char path[] = "/tmp/noise_test-XXXXXX", machine[64];
	char *text = calloc(1, 65536);
	FILE *file;

	close(mkstemp(path));
	if (!json_write(r, path))
		shim_die(__FILE__, __LINE__, path);
	file = fopen(path, "r");
	if (!file || !fread(text, 1, 65535, file))
		shim_die(__FILE__, __LINE__, path);
	fclose(file);
	snprintf(machine, sizeof(machine), "%s-machine.json", path);
	unlink(path);
	unlink(machine);
	return text;
}

static bool ends_with(const char *text, const char *line)
{
	size_t length = strlen(text);

	for (text += length - 1; text[-1] != '\n'; text--)
		;
	return strstr(text, line);
}

static void test_output(void)
{
	static const struct lab_scheme scheme = { .name = "some_index",
						  .section = "s",
						  .ops = &lab_blink_ops };
	static struct results r;
	static struct plan plan;
	const char *text;

	make_results(&r, &plan, &scheme, 2);
	text = table_of(&r);
	result(strstr(text, "too noisy: lookup\n"), "the row is marked");
	result(!strstr(text, "too noisy: insert"), "for this workload alone");
	result(ends_with(text,
			 "too noisy, run again: the spread of 1 of 2 figures"),
	       "the last line says to run again");
	text = json_of(&r);
	result(strstr(text, "\"noisy\": false") <
			       strstr(text, "\"noisy\": true") &&
		       strstr(text, "\"noisy\": false"),
	       "the file says it of each figure");
	make_results(&r, &plan, &scheme, 2.9);
	result(!strstr(table_of(&r), "too noisy") &&
		       !strstr(json_of(&r), "\"noisy\": true"),
	       "steady figures are not called noisy");
}

int main(void)
{
	puts("TAP version 13");
	test_rule();
	test_output();
	printf("1..%u\n", results);
	return 0;
}
