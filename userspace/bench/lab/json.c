// SPDX-License-Identifier: GPL-2.0
/* The document for programs: facts about the machine, and a record for each result. */
#include <json-c/json.h>
#include <errno.h>
#include <linux/types.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "facts.h"
#include "study.h"

static void add_text(struct json_object *to, const char *name, const char *text)
{
	json_object_object_add(to, name,
			       text ? json_object_new_string(text) : NULL);
}

static void add_whole(struct json_object *to, const char *name, u64 number)
{
	json_object_object_add(to, name, json_object_new_uint64(number));
}

/* Six digits, as the measurements have fewer; null for NaN. */
static struct json_object *new_real(double number)
{
	char text[32];

	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof(text), "%.6g", number);
	return json_object_new_double_s(number, text);
}

static void add_real(struct json_object *to, const char *name, double number)
{
	json_object_object_add(to, name, new_real(number));
}

static void add_machine(struct json_object *to)
{
	char *facts = facts_json();

	json_object_object_add(to, "machine",
			       facts ? json_tokener_parse(facts) : NULL);
	free(facts);
}

static void add_command(struct json_object *to, const struct args *args)
{
	struct json_object *words = json_object_new_array();
	int i;

	for (i = 0; i < args->argc; i++)
		json_object_array_add(words,
				      json_object_new_string(args->argv[i]));
	json_object_object_add(to, "command", words);
}

struct json_object *json_begin(const struct plan *plan)
{
	struct json_object *json = json_object_new_object();
	time_t now = time(NULL);
	char date[32];

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	add_text(json, "date", date);
	add_text(json, "program", program.name);
	add_text(json, "version", program.version());
	add_text(json, "world", backend_world);
	add_command(json, plan->args);
	add_whole(json, "rounds", plan->rounds);
	add_whole(json, "seed", plan->args->lab.seed);
	add_machine(json);
	json_object_object_add(json, "records", json_object_new_array());
	return json;
}

static void add_figure(struct json_object *to, const struct figure *figure)
{
	add_text(to, "figure", figure->name);
	add_text(to, "paper", figure->paper);
	add_text(to, "place", figure->place);
	add_text(to, "title", figure->title);
	add_text(to, "unit", figure_units[figure->unit]);
}

static void add_point(struct json_object *to, const struct point *point)
{
	add_text(to, "scheme", point->scheme);
	add_text(to, "mix", point->mix);
	add_text(to, "order", point->order);
	add_whole(to, "threads", point->threads);
	add_whole(to, "keys", point->keys);
	add_whole(to, "ops", point->ops);
	add_whole(to, "warm_up", point->warm_up);
	add_whole(to, "batch", point->batch);
	add_whole(to, "node_bytes", point->node_bytes);
	add_whole(to, "seed", point->seed);
}

static void add_summary(struct json_object *to, const char *name,
			const struct summary *summary)
{
	char text[32];

	snprintf(text, sizeof(text), "%s_median", name);
	add_real(to, text, summary->median);
	snprintf(text, sizeof(text), "%s_min", name);
	add_real(to, text, summary->least);
	snprintf(text, sizeof(text), "%s_max", name);
	add_real(to, text, summary->greatest);
}

static void add_paper(struct json_object *to, const struct result *result)
{
	static const char *const relations[] = {
		[FIGURE_EQUAL] = "equal",
		[FIGURE_ABOUT] = "about",
		[FIGURE_LESS] = "less",
		[FIGURE_MORE] = "more",
	};
	const struct figure_value *paper = result->paper;

	add_real(to, "paper_ratio", paper ? paper->ratio : NAN);
	add_text(to, "paper_relation",
		 paper ? relations[paper->relation] : NULL);
	add_whole(to, "paper_threads", result->paper_threads);
	add_text(to, "paper_text", paper ? paper->text : NULL);
	add_text(to, "agrees", agreement_words[result->agrees]);
}

static void add_rounds(struct json_object *to, const struct study *study,
		       const struct result *result)
{
	struct json_object *rounds = json_object_new_array(), *round;
	const struct cell *cell = result->cell;
	unsigned int i;

	for (i = 0; i < study->rounds && !cell->error; i++) {
		round = json_object_new_object();
		add_whole(round, "ops", cell->ops[i]);
		add_whole(round, "ns", cell->ns[i]);
		add_real(round, "value", result_value(study, result, i));
		add_real(round, "ratio", result_ratio(study, result, i));
		json_object_array_add(rounds, round);
	}
	json_object_object_add(to, "rounds", rounds);
}

static void add_times(struct json_object *to, const struct lab_times *times)
{
	add_whole(to, "count", times->count);
	add_whole(to, "least_ns", times->least);
	add_real(to, "mean_ns", times_mean(times));
	add_whole(to, "most_ns", times->most);
	add_real(to, "deviation_ns", times_deviation(times));
	add_real(to, "p50_ns", times_percentile(times, 50));
	add_real(to, "p99_ns", times_percentile(times, 99));
	add_real(to, "p999_ns", times_percentile(times, 99.9));
}

struct adding {
	struct json_object *records;
	const struct study *study;
};

static void add_record(const struct result *result, void *data)
{
	struct json_object *record = json_object_new_object();
	const struct cell *cell = result->cell;
	const struct adding *adding = data;

	add_figure(record, adding->study->figure);
	add_point(record, &cell->point);
	add_text(record, "op",
		 result->op < 0 ? NULL : lab_op_names[result->op]);
	add_summary(record, "mops", &result->mops);
	add_summary(record, "value", &result->value);
	add_real(record, "ratio_to_baseline", result->ratio.median);
	add_real(record, "ratio_min", result->ratio.least);
	add_real(record, "ratio_max", result->ratio.greatest);
	add_paper(record, result);
	json_object_object_add(record, "too_noisy",
			       json_object_new_boolean(result->noise >
						       NOISE_MAX));
	add_text(record, "failure", cell->error ? cell->failure : NULL);
	add_rounds(record, adding->study, result);
	if (result->op >= 0)
		add_times(record, &cell->times[result->op]);
	json_object_array_add(adding->records, record);
}

void json_add(struct json_object *json, const struct study *study)
{
	struct adding adding = {
		.records = json_object_object_get(json, "records"),
		.study = study,
	};

	study_each(study, add_record, &adding);
}

enum status json_write(struct json_object *json, const char *path, bool pretty)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE |
		    (pretty ? JSON_C_TO_STRING_PRETTY : 0);
	FILE *file = path ? fopen(path, "we") : stdout;
	bool good;

	if (!file) {
		message("%s: %s", path, strerror(errno));
		return STATUS_SYSTEM;
	}
	fprintf(file, "%s\n", json_object_to_json_string_ext(json, flags));
	good = !ferror(file);
	if (path && fclose(file))
		good = false;
	if (!good)
		message("%s: %s", path ?: "standard output", strerror(errno));
	return good ? STATUS_OK : STATUS_SYSTEM;
}
